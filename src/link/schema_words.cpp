#include "link/schema_words.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace trustsql::link {

namespace {

constexpr std::pair<std::string_view, std::string_view> abbreviations[] = {
    {"abbr", "abbreviation"},
    {"abbrev", "abbreviation"},
    {"acc", "account"},
    {"acct", "account"},
    {"addr", "address"},
    {"admin", "administrator"},
    {"alt", "altitude"},
    {"amt", "amount"},
    {"app", "application"},
    {"appt", "appointment"},
    {"apt", "apartment"},
    {"attr", "attribute"},
    {"auth", "author"},
    {"avail", "available"},
    {"avg", "average"},
    {"bal", "balance"},
    {"bday", "birthday"},
    {"bldg", "building"},
    {"cat", "category"},
    {"catg", "category"},
    {"cd", "code"},
    {"cert", "certificate"},
    {"cfg", "configuration"},
    {"cnt", "count"},
    {"cntry", "country"},
    {"co", "company"},
    {"comm", "commission"},
    {"conf", "conference"},
    {"coord", "coordinate"},
    {"corp", "corporation"},
    {"ctry", "country"},
    {"cty", "city"},
    {"cur", "currency"},
    {"curr", "currency"},
    {"cust", "customer"},
    {"db", "database"},
    {"dept", "department"},
    {"desc", "description"},
    {"dest", "destination"},
    {"dir", "director"},
    {"disp", "disposition"},
    {"dist", "district"},
    {"div", "division"},
    {"dlv", "delivery"},
    {"dlvr", "delivery"},
    {"dob", "date of birth"},
    {"doc", "document"},
    {"dod", "date of death"},
    {"dt", "date"},
    {"dur", "duration"},
    {"edu", "education"},
    {"elev", "elevation"},
    {"emp", "employee"},
    {"env", "environment"},
    {"eval", "evaluation"},
    {"exp", "experience"},
    {"ext", "extension"},
    {"fname", "first name"},
    {"freq", "frequency"},
    {"gov", "government"},
    {"govt", "government"},
    {"gps", "position"},
    {"grp", "group"},
    {"hdr", "header"},
    {"hosp", "hospital"},
    {"hq", "headquarters"},
    {"hr", "hour"},
    {"hrs", "hours"},
    {"id", "identifier"},
    {"ids", "identifier"},
    {"img", "image"},
    {"info", "information"},
    {"init", "initial"},
    {"instr", "instructor"},
    {"inv", "invoice"},
    {"itm", "item"},
    {"lang", "language"},
    {"lat", "latitude"},
    {"len", "length"},
    {"lib", "library"},
    {"lname", "last name"},
    {"lng", "longitude"},
    {"loc", "location"},
    {"lon", "longitude"},
    {"long", "longitude"},
    {"lvl", "level"},
    {"maint", "maintenance"},
    {"manuf", "manufacturer"},
    {"max", "maximum"},
    {"mfr", "manufacturer"},
    {"mgr", "manager"},
    {"min", "minimum"},
    {"misc", "miscellaneous"},
    {"mod", "modification"},
    {"msg", "message"},
    {"mth", "month"},
    {"nbr", "number"},
    {"nm", "name"},
    {"no", "number"},
    {"num", "number"},
    {"nums", "numbers"},
    {"obj", "object"},
    {"occ", "occupation"},
    {"ord", "order"},
    {"org", "organization"},
    {"orig", "origin"},
    {"param", "parameter"},
    {"pct", "percent"},
    {"perf", "performance"},
    {"pg", "page"},
    {"pic", "picture"},
    {"pkg", "package"},
    {"pmt", "payment"},
    {"pop", "population"},
    {"pos", "position"},
    {"prc", "price"},
    {"prev", "previous"},
    {"prod", "product"},
    {"prof", "professor"},
    {"prov", "province"},
    {"pts", "points"},
    {"pub", "publication"},
    {"purch", "purchase"},
    {"pymt", "payment"},
    {"qty", "quantity"},
    {"qual", "qualification"},
    {"rec", "record"},
    {"ref", "reference"},
    {"reg", "registration"},
    {"rel", "relation"},
    {"req", "request"},
    {"res", "result"},
    {"rev", "revenue"},
    {"sal", "salary"},
    {"sched", "schedule"},
    {"sem", "semester"},
    {"seq", "sequence"},
    {"spec", "specification"},
    {"sr", "senior"},
    {"src", "source"},
    {"st", "street"},
    {"stat", "statistic"},
    {"stats", "statistics"},
    {"std", "standard"},
    {"sts", "status"},
    {"stu", "student"},
    {"subj", "subject"},
    {"svc", "service"},
    {"tech", "technology"},
    {"tel", "telephone"},
    {"temp", "temperature"},
    {"tot", "total"},
    {"tran", "transaction"},
    {"trans", "transaction"},
    {"txn", "transaction"},
    {"txt", "text"},
    {"typ", "type"},
    {"univ", "university"},
    {"usr", "user"},
    {"val", "value"},
    {"veh", "vehicle"},
    {"ver", "version"},
    {"vol", "volume"},
    {"wgt", "weight"},
    {"wt", "weight"},
    {"ytd", "year"},
    {"yr", "year"},
    {"yrs", "years"},
};

// Groups of lemmas that are synonyms in schemas and in questions about them; '_' joins the words of a name.
constexpr std::string_view groups[] = {
    "id identifier code number key no ref reference",
    "name title label caption",
    "forename first_name given_name fname name",
    "surname last_name family_name lname name",
    "birthday birthdate birth born dob age old young",
    "age old young year birthday",
    "death die dead dod",
    "sex gender male female man woman",
    "url website site link homepage web page webpage internet",
    "email mail e_mail",
    "phone telephone tel fax mobile contact",
    "address street location city zip postcode",
    "latitude longitude coordinate position location geographic",
    "altitude elevation height",
    "location place city country region where venue",
    "country nation nationality citizenship",
    "zip postcode postal_code zip_code",
    "price cost amount fee charge expensive cheap rate",
    "salary wage pay income earnings earn",
    "spend expense expenditure consumption cost payment",
    "revenue sale turnover income",
    "date day time when",
    "year season date annual",
    "month monthly date",
    "start begin open onset first",
    "end finish close stop last",
    "duration length long time minute second hour",
    "count number total quantity amount many",
    "percentage percent rate ratio share proportion",
    "score point mark grade result rating",
    "rank ranking position place standing order",
    "win winner victory champion first",
    "lose loser loss defeat",
    "type kind category class classification genre",
    "status state condition",
    "description detail comment note text summary",
    "language tongue translation",
    "color colour",
    "height tall high",
    "weight heavy weigh",
    "size large big small",
    "employee staff worker personnel",
    "job occupation profession position",
    "manager boss supervisor head",
    "customer client buyer consumer",
    "company firm corporation business maker manufacturer organization",
    "person people individual",
    "student pupil enrollment",
    "teacher instructor professor faculty",
    "doctor physician",
    "diagnosis disease illness sick",
    "test examination exam assessment",
    "car automobile vehicle",
    "movie film",
    "author writer",
    "user member account",
    "game match",
    "town city village municipality",
    "administrator admin principal",
    "publish publication publisher issue release",
    "power ability skill",
};

constexpr std::string_view function_words =
    "a about above across after again against all along also am among an and any are around as at be because been "
    "before being below between both "
    "but by can could did do does doing down during each either else ever every few for from further had has have "
    "having he her here hers him his "
    "how however i if in into is it its itself just let may me might more most much must my neither nor not of off on "
    "once only onto or other our "
    "out "
    "over own per same shall she should so some such than that the their them then there these they this those through "
    "thus to too toward under "
    "until "
    "up upon us very via was we were what whatever when where whether which while who whom whose why will with within "
    "without would yes yet you your "
    "re ve ll d t";

constexpr std::string_view request_words =
    "list show give display find tell state name provide please identify indicate mention determine calculate compute "
    "return get name report "
    "describe "
    "many many number much total also respectively";

// Short words of names that are neither abbreviations nor in every dictionary.
constexpr std::string_view name_words =
    "id ids no api url uri ip gdp usa uk us vs key code name type date time year ref nr pk fk fips";

using WordSet = std::unordered_set<std::string_view>;

WordSet set_of(std::string_view words) {
  const auto parts = split(words, ' ');
  return {parts.begin(), parts.end()};
}

}  // namespace

std::string_view expansion(std::string_view word) {
  static const std::unordered_map<std::string_view, std::string_view> table(std::begin(abbreviations),
                                                                            std::end(abbreviations));
  const auto entry = table.find(word);
  return entry == table.end() ? std::string_view() : entry->second;
}

std::span<const std::uint8_t> schema_groups(std::string_view lemma) {
  static_assert(std::size(groups) < 256);
  static const auto table = [] {
    std::unordered_map<std::string_view, std::vector<std::uint8_t>> table_entries;
    for (std::size_t i = 0; i < std::size(groups); ++i)
      for (const auto word : split(groups[i], ' ')) table_entries[word].push_back(static_cast<std::uint8_t>(i));
    return table_entries;
  }();
  const auto entry = table.find(lemma);
  if (entry == table.end()) return {};
  return entry->second;
}

bool is_schema_word(std::string_view word) {
  static const WordSet words = set_of(name_words);
  return words.count(word) != 0 || (word.size() > 2 && !expansion(word).empty());
}

bool is_function_word(std::string_view word) {
  static const WordSet words = set_of(function_words);
  return words.count(word) != 0;
}

bool is_request_word(std::string_view word) {
  static const WordSet words = set_of(request_words);
  return words.count(word) != 0;
}

}  // namespace trustsql::link
