#include "nl2sql/method.hpp"

#include <charconv>
#include <cmath>

#include "base/text.hpp"
#include "nl2sql/stages/parse_stage.hpp"

namespace trustsql::nl2sql {

namespace {

constexpr std::string_view grammar =
    "a method is [CLS->]BASE[+RW][+CAP][+ER][+SC][+CRUSH][+EMBEDDED][->GROUND][->ERROR][->RUNS], or with CLS_M-> and "
    "->ERROR_M, which nl2sql_train trains, in their places, where BASE is "
    "EMBEDDED, EMBEDDED[MAXENT], EMBEDDED[MAXPROB], EMBEDDED[FEATMD], EMBEDDED[FEATRMD], SQLPROMPT, "
    "SQLPROMPT[DEMO], "
    "SQLPROMPT[VOTING], DIN-SQL, "
    "MAC-SQL, DAIL, C3, DART, DART[C3] or ABSTAIN-ALL; numbers may follow it, as in "
    "DART(S=0,K=5,N=15,M=15,R=3,n=5,T=1)";

// DART-SQL, section 4.1.
constexpr int consistency_samples = 5;
constexpr double consistency_temperature = 1;

void set_voting(Method& method, int samples, VoteRule rule) {
  method.samples = samples;
  method.temperature = consistency_temperature;
  method.rule = rule;
}

void set_refinement(Method& method) {
  method.refine = true;
  method.forbid = true;
}

struct Base {
  std::string_view name;
  void (*set)(Method& method);
};

void set_sqlprompt(Method& method) {
  // TrustSQL, Appendix D.1: in one domain, 8 retrieved examples; across domains, 8 fixed examples from each of 5
  // databases.
  method.generator = GeneratorKind::sqlprompt;
  method.demonstrations = 8;
  method.other_databases = 5;
  method.other_examples = 8;
}
void set_dail(Method& method) {
  method.generator = GeneratorKind::dail;
  method.demonstrations = 9;
}
void set_c3(Method& method) {
  method.generator = GeneratorKind::c3;
  set_voting(method, 20, {.by = VoteBy::execution, .quorum = Quorum::majority});
}
void set_modules(Method& method) {
  method.rewrite = true;
  method.context_rows = true;
  set_refinement(method);
}

void set_embedded(Method& method) {
  method.generator = GeneratorKind::embedded;
  method.must_run = true;
  method.signals = {Signal::reading};
  method.threshold = default_parse_threshold;
}
template <semparse::UnifiedScore score>
void set_unified(Method& method) {
  set_embedded(method);
  method.threshold.reset();
  method.score = score;
}

// Longer names come before their prefixes.
constexpr Base bases[] = {
    {"SQLPROMPT", set_sqlprompt},
    {"DIN-SQL", [](Method& method) { method.generator = GeneratorKind::din_sql; }},
    {"MAC-SQL", [](Method& method) { method.generator = GeneratorKind::mac_sql; }},
    {"DAIL-SQL", set_dail},
    {"DAIL", set_dail},
    {"DART[C3]",
     [](Method& method) {
       set_c3(method);
       set_modules(method);
     }},
    {"DART-SQL",
     [](Method& method) {
       set_dail(method);
       set_modules(method);
     }},
    {"DART",
     [](Method& method) {
       set_dail(method);
       set_modules(method);
     }},
    {"C3", set_c3},
    {"EMBEDDED[MAXENT]", set_unified<semparse::UnifiedScore::max_entropy>},
    {"EMBEDDED[MAXPROB]", set_unified<semparse::UnifiedScore::max_probability>},
    {"EMBEDDED[FEATMD]", set_unified<semparse::UnifiedScore::feature_distance>},
    {"EMBEDDED[FEATRMD]", set_unified<semparse::UnifiedScore::relative_feature_distance>},
    {"EMBEDDED", set_embedded},
    {"ABSTAIN-ALL", [](Method& method) { method.generator = GeneratorKind::abstain_all; }},
};

struct MethodPart {
  std::string_view text;
  void (*set)(Method& method);
};

constexpr MethodPart parts[] = {
    {"[DEMO]", [](Method& method) { method.infeasible_examples = true; }},
    {"[VOTING]",
     [](Method& method) { set_voting(method, 5, {.by = VoteBy::text, .quorum = Quorum::unanimous, .raw = true}); }},
    {"+RW", [](Method& method) { method.rewrite = true; }},
    {"+CAP", [](Method& method) { method.context_rows = true; }},
    {"+ER", set_refinement},
    {"+SC",
     [](Method& method) {
       set_voting(method, consistency_samples, {.by = VoteBy::execution, .quorum = Quorum::majority});
     }},
    {"+CRUSH", [](Method& method) { method.link = true; }},
    {"+EMBEDDED", [](Method& method) { method.second_reading = true; }},
    {"->GROUND", [](Method& method) { method.ground = true; }},
    {"->ERROR_M", [](Method& method) { method.detect = true; }},
    {"->ERROR_P", [](Method& method) { method.verify = true; }},
    {"->ERROR", [](Method& method) { method.verify = true; }},
    {"->RUNS",
     [](Method& method) {
       method.must_run = true;
       method.unknown_functions = UnknownFunctions::abstain;
     }},
};

// Reads a name piece by piece.
class Reader {
 public:
  explicit Reader(std::string_view text) {
    for (const char c : text) {
      if (!is_space(c)) text_ += c;
    }
    rest_ = text_;
  }
  Reader(const Reader&) = delete;

  bool take(std::string_view word) {
    if (rest_.size() < word.size() || !equals_ignore_case(rest_.substr(0, word.size()), word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::optional<double> take_number() {
    double number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return number;
  }
  // Takes one letter. Case matters: n and N differ.
  char take_letter() {
    if (rest_.empty()) return '\0';
    const char letter = rest_.front();
    rest_.remove_prefix(1);
    return letter;
  }
  std::string_view rest() const { return rest_; }
  // Continues at an earlier rest().
  void go_back(std::string_view rest) { rest_ = rest; }

 private:
  std::string text_;
  std::string_view rest_;
};

Error not_understood(std::string_view name, std::string_view rest) {
  std::string message = "there is no method " + quote_for_message(name);
  if (rest.size() < name.size())
    message += rest.empty() ? " (it ends too early)" : " (from " + quote_for_message(rest, 40) + " on)";
  return invalid_argument(message + ": " + std::string(grammar));
}

// Reads one number, "S=0".
bool read_number(Reader& reader, Method& method) {
  const char key = reader.take_letter();
  if (!reader.take("=")) return false;
  const auto number = reader.take_number();
  if (!number || !(*number >= 0 && *number <= 10'000)) return false;
  if (key == 'T') {
    if (*number > 2) return false;
    method.temperature = *number;
    return true;
  }
  if (*number != std::floor(*number)) return false;
  const int count = static_cast<int>(*number);
  switch (key) {
    case 'S': method.demonstrations = count; break;
    case 'K': method.rewrite_rows = count; break;
    case 'N': method.content_rows = count; break;
    case 'M': method.result_rows = count; break;
    case 'R': method.rounds = count; break;
    case 'n':
      if (count < 1 || count > 128) return false;
      method.samples = count;
      break;
    default: return false;
  }
  if (key == 'S' && count == 0) method.other_databases = 0;
  return true;
}

// Reads "S=0,n=5)", after the opening parenthesis. If a number is wrong, the reader stays in front of it.
bool read_numbers(Reader& reader, Method& method) {
  do {
    const std::string_view before = reader.rest();
    if (!read_number(reader, method)) {
      reader.go_back(before);
      return false;
    }
  } while (reader.take(","));
  return reader.take(")");
}

}  // namespace

Result<Method> parse_method(std::string_view name) {
  Method method;
  method.name = trim(name);
  Reader reader(name);
  method.classify = reader.take("CLS_M->");
  method.triage = !method.classify && (reader.take("CLS_P->") || reader.take("CLS->"));
  const Base* base = nullptr;
  for (const auto& candidate : bases) {
    if (base == nullptr && reader.take(candidate.name)) base = &candidate;
  }
  if (base == nullptr) return not_understood(method.name, reader.rest());
  base->set(method);
  for (bool progress = true; progress && !reader.rest().empty();) {
    progress = false;
    for (const auto& part : parts) {
      if (!reader.take(part.text)) continue;
      part.set(method);
      progress = true;
      break;
    }
    if (!progress && reader.take("(")) {
      if (!read_numbers(reader, method)) return not_understood(method.name, reader.rest());
      progress = true;
    }
  }
  if (!reader.rest().empty()) return not_understood(method.name, reader.rest());
  TRUSTSQL_RETURN_IF_ERROR(check_method(method));
  return method;
}

Status check_method(const Method& method) {
  if (method.infeasible_examples && method.generator != GeneratorKind::sqlprompt)
    return invalid_argument("[DEMO] needs the demonstrations of SQLPROMPT: method " + quote_for_message(method.name));
  const bool has_parts = method.triage || method.link || method.rewrite || method.context_rows || method.refine ||
                         method.verify || method.samples > 1 || method.second_reading;
  if (method.verify && method.detect)
    return invalid_argument("ERROR and ERROR_M exclude each other: method " + quote_for_message(method.name));
  if (!method.answers() && (has_parts || method.ground || method.classify || method.detect))
    return invalid_argument("ABSTAIN-ALL answers nothing and cannot be combined with other parts: method " +
                            quote_for_message(method.name));
  if (!method.asks_model() && has_parts)
    return invalid_argument("EMBEDDED asks no language model and cannot be combined with parts that do: method " +
                            quote_for_message(method.name));
  return ok_status();
}

void set_samples(Method& method, int samples) {
  if (method.samples == 1 && samples > 1) method.temperature = consistency_temperature;
  method.samples = samples;
}

}  // namespace trustsql::nl2sql
