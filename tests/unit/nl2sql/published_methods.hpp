#pragma once

#include <string_view>

namespace trustsql::nl2sql {

// The names of the rows of the papers' tables.
inline constexpr std::string_view published_methods[] = {
    // TrustSQL, Tables 3 and 4.
    "ABSTAIN-ALL", "SQLPROMPT", "DIN-SQL", "MAC-SQL", "CLS->SQLPROMPT", "CLS->DIN-SQL", "CLS->MAC-SQL",
    "SQLPROMPT->ERROR", "CLS->SQLPROMPT->ERROR", "SQLPROMPT[DEMO]", "SQLPROMPT[VOTING]",
    // DART-SQL, Table 1.
    "DAIL", "DAIL+SC", "DAIL+RW", "DAIL+RW+SC", "DAIL+CAP+ER", "DAIL+CAP+ER+SC", "DART", "DART+SC",
    // Table 2.
    "C3", "C3+RW", "C3+CAP+ER", "DART[C3]",
    // Table 3, except those above.
    "DAIL+RW+ER", "DAIL+RW+CAP", "DAIL+ER", "DAIL+CAP", "DART(S=0)"};

}  // namespace trustsql::nl2sql
