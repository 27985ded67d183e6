// The keywords of SQLite's SQL (https://sqlite.org/lang_keywords.html) and their recognition.
//
// The set has not changed since SQLite 3.35. The grammar, not the tokenizer, decides which of them may also be used as
// identifiers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trustsql {

// Enumerators are in PascalCase, unlike elsewhere, because many keywords are reserved words or macros of C++.
// clang-format off
#define TRUSTSQL_KEYWORDS(X) \
  X(Abort, "ABORT") X(Action, "ACTION") X(Add, "ADD") X(After, "AFTER") X(All, "ALL") X(Alter, "ALTER") X(Always, "ALWAYS") \
  X(Analyze, "ANALYZE") X(And, "AND") X(As, "AS") X(Asc, "ASC") X(Attach, "ATTACH") X(Autoincrement, "AUTOINCREMENT") X(Before, "BEFORE") \
  X(Begin, "BEGIN") X(Between, "BETWEEN") X(By, "BY") X(Cascade, "CASCADE") X(Case, "CASE") X(Cast, "CAST") X(Check, "CHECK") \
  X(Collate, "COLLATE") X(Column, "COLUMN") X(Commit, "COMMIT") X(Conflict, "CONFLICT") X(Constraint, "CONSTRAINT") X(Create, "CREATE") \
  X(Cross, "CROSS") X(Current, "CURRENT") X(CurrentDate, "CURRENT_DATE") X(CurrentTime, "CURRENT_TIME") \
  X(CurrentTimestamp, "CURRENT_TIMESTAMP") X(Database, "DATABASE") X(Default, "DEFAULT") X(Deferrable, "DEFERRABLE") X(Deferred, "DEFERRED") \
  X(Delete, "DELETE") X(Desc, "DESC") X(Detach, "DETACH") X(Distinct, "DISTINCT") X(Do, "DO") X(Drop, "DROP") X(Each, "EACH") \
  X(Else, "ELSE") X(End, "END") X(Escape, "ESCAPE") X(Except, "EXCEPT") X(Exclude, "EXCLUDE") X(Exclusive, "EXCLUSIVE") X(Exists, "EXISTS") \
  X(Explain, "EXPLAIN") X(Fail, "FAIL") X(Filter, "FILTER") X(First, "FIRST") X(Following, "FOLLOWING") X(For, "FOR") X(Foreign, "FOREIGN") \
  X(From, "FROM") X(Full, "FULL") X(Generated, "GENERATED") X(Glob, "GLOB") X(Group, "GROUP") X(Groups, "GROUPS") X(Having, "HAVING") \
  X(If, "IF") X(Ignore, "IGNORE") X(Immediate, "IMMEDIATE") X(In, "IN") X(Index, "INDEX") X(Indexed, "INDEXED") X(Initially, "INITIALLY") \
  X(Inner, "INNER") X(Insert, "INSERT") X(Instead, "INSTEAD") X(Intersect, "INTERSECT") X(Into, "INTO") X(Is, "IS") X(Isnull, "ISNULL") \
  X(Join, "JOIN") X(Key, "KEY") X(Last, "LAST") X(Left, "LEFT") X(Like, "LIKE") X(Limit, "LIMIT") X(Match, "MATCH") \
  X(Materialized, "MATERIALIZED") X(Natural, "NATURAL") X(No, "NO") X(Not, "NOT") X(Nothing, "NOTHING") X(Notnull, "NOTNULL") \
  X(Null, "NULL") X(Nulls, "NULLS") X(Of, "OF") X(Offset, "OFFSET") X(On, "ON") X(Or, "OR") X(Order, "ORDER") X(Others, "OTHERS") \
  X(Outer, "OUTER") X(Over, "OVER") X(Partition, "PARTITION") X(Plan, "PLAN") X(Pragma, "PRAGMA") X(Preceding, "PRECEDING") \
  X(Primary, "PRIMARY") X(Query, "QUERY") X(Raise, "RAISE") X(Range, "RANGE") X(Recursive, "RECURSIVE") X(References, "REFERENCES") \
  X(Regexp, "REGEXP") X(Reindex, "REINDEX") X(Release, "RELEASE") X(Rename, "RENAME") X(Replace, "REPLACE") X(Restrict, "RESTRICT") \
  X(Returning, "RETURNING") X(Right, "RIGHT") X(Rollback, "ROLLBACK") X(Row, "ROW") X(Rows, "ROWS") X(Savepoint, "SAVEPOINT") \
  X(Select, "SELECT") X(Set, "SET") X(Table, "TABLE") X(Temp, "TEMP") X(Temporary, "TEMPORARY") X(Then, "THEN") X(Ties, "TIES") X(To, "TO") \
  X(Transaction, "TRANSACTION") X(Trigger, "TRIGGER") X(Unbounded, "UNBOUNDED") X(Union, "UNION") X(Unique, "UNIQUE") X(Update, "UPDATE") \
  X(Using, "USING") X(Vacuum, "VACUUM") X(Values, "VALUES") X(View, "VIEW") X(Virtual, "VIRTUAL") X(When, "WHEN") X(Where, "WHERE") \
  X(Window, "WINDOW") X(With, "WITH") X(Without, "WITHOUT")
// clang-format on

enum class Keyword : std::uint8_t {
  None,  // not a keyword
#define TRUSTSQL_KEYWORD_NAME(name, text) name,
  TRUSTSQL_KEYWORDS(TRUSTSQL_KEYWORD_NAME)
#undef TRUSTSQL_KEYWORD_NAME
};
inline constexpr std::size_t keyword_count = 147;

// The keyword that `word` spells, in any letter case; None if it is not a keyword.
Keyword find_keyword(std::string_view word);

// In capitals, as SQLite's documentation writes it; empty for None.
std::string_view keyword_text(Keyword keyword);

}  // namespace trustsql
