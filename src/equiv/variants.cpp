#include "equiv/variants.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_set>

#include "base/random.hpp"
#include "base/text.hpp"
#include "sql/parser.hpp"
#include "sql/printer.hpp"

namespace trustsql::equiv {

namespace {

constexpr std::size_t most_candidates_of_kind = 50;
constexpr std::size_t most_scanned = 1000;       // rows of a table in which values are looked for
constexpr std::size_t most_column_values = 5;    // of a column
constexpr std::size_t longest_value_text = 200;  // bytes

struct VariantCandidate {
  std::string_view kind;
  std::string sql;
};

// Checks the kinds that were asked for against a table of kinds.
template <class Kinds>
Status check_kinds(const std::vector<std::string>& wanted, const Kinds& kinds) {
  std::vector<std::string_view> known;
  for (const auto& kind : kinds) known.push_back(kind.name);
  for (const auto& kind : wanted) {
    if (std::ranges::find(known, kind) == known.end())
      return invalid_argument("unknown kind " + quote_for_message(kind) + "; the kinds are " +
                              ::trustsql::join(known, ", "));
  }
  return ok_status();
}

bool is_wanted(const std::vector<std::string>& wanted, std::string_view kind) {
  return wanted.empty() || std::ranges::find(wanted, kind) != wanted.end();
}

// The candidates in the order in which they are tried: shuffled, or one of each kind, then a second one of each.
void put_in_turn(std::vector<VariantCandidate>& candidates, const VariantOptions& options) {
  if (options.shuffled_by) {
    Random random(*options.shuffled_by);
    for (std::size_t i = candidates.size(); i > 1; --i) std::swap(candidates[i - 1], candidates[random.below(i)]);
    return;
  }
  std::map<std::string_view, std::size_t> turns;
  std::vector<std::pair<std::size_t, VariantCandidate>> by_turn;
  for (auto& candidate : candidates) by_turn.emplace_back(turns[candidate.kind]++, std::move(candidate));
  std::ranges::stable_sort(by_turn, {}, [](const auto& entry) { return entry.first; });
  candidates.clear();
  for (auto& [turn, candidate] : by_turn) candidates.push_back(std::move(candidate));
}

Result<std::vector<Variant>> confirmed(QueryComparer& comparer, std::string_view sql,
                                       std::vector<VariantCandidate> candidates, Verdict wanted,
                                       const VariantOptions& options, const ResolveOptions& dialect,
                                       std::chrono::steady_clock::time_point deadline) {
  put_in_turn(candidates, options);
  std::vector<Variant> variants;
  for (auto& candidate : candidates) {
    if (variants.size() >= options.most) break;
    if (options.comparison.stop && options.comparison.stop()) return Error{ErrorCode::interrupted, "interrupted"};
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) break;
    auto comparison_options = options.comparison;
    comparison_options.timeout = std::min(comparison_options.timeout, left);
    TRUSTSQL_ASSIGN_OR_RETURN(auto comparison, comparer.compare(sql, candidate.sql, comparison_options, dialect));
    if (comparison.reason == UnknownReason::invalid_query) continue;
    if (comparison.verdict != wanted && !options.unconfirmed) continue;
    variants.push_back({candidate.kind, std::move(candidate.sql), std::move(comparison)});
  }
  return variants;
}

// The literal for a value; nullopt for NULL, blobs and negative numbers, which are none.
std::optional<ast::Literal> literal_of(ValueView value) {
  switch (value.type) {
    case ValueType::integer:
      if (value.integer < 0) return std::nullopt;
      return ast::Literal{ast::Literal::Kind::integer, std::to_string(value.integer)};
    case ValueType::real:
      if (!(value.real >= 0)) return std::nullopt;
      return ast::Literal{ast::Literal::Kind::real, format_real(value.real)};
    case ValueType::text:
      if (value.bytes.size() > longest_value_text) return std::nullopt;
      return ast::Literal{ast::Literal::Kind::string, std::string(value.bytes)};
    default: return std::nullopt;
  }
}

// Reads a few values of columns, each column once.
class FirstValues {
 public:
  FirstValues(SandboxSource& source, std::function<bool()> stop) : source_(source), stop_(std::move(stop)) {}

  std::vector<ast::Literal> operator()(const ::trustsql::Table& table, std::size_t column) {
    const auto [known, is_new] = values_.try_emplace({&table, column});
    if (is_new && !table.is_internal()) known->second = read(table, column);
    return known->second;
  }

 private:
  std::vector<ast::Literal> read(const ::trustsql::Table& table, std::size_t column) {
    if (!sandbox_) {
      auto lease = source_.lease();
      if (!lease.ok()) return {};
      sandbox_ = *std::move(lease);
      sandbox_->set_stop(stop_);
    }
    const std::string name = quote_identifier(table.columns[column].name);
    const auto rows = sandbox_->run("SELECT DISTINCT " + name + " FROM (SELECT " + name + " FROM " +
                                    quote_identifier(table.schema) + "." + quote_identifier(table.name) + " LIMIT " +
                                    std::to_string(most_scanned) + ") LIMIT " + std::to_string(most_column_values));
    std::vector<ast::Literal> values;
    for (std::size_t row = 0; rows.ok() && row < rows->row_count(); ++row) {
      if (auto literal = literal_of(rows->at(row, 0))) values.push_back(*std::move(literal));
    }
    return values;
  }

  SandboxSource& source_;
  std::function<bool()> stop_;
  SandboxLease sandbox_;
  std::map<std::pair<const ::trustsql::Table*, std::size_t>, std::vector<ast::Literal>> values_;
};

}  // namespace

MutantContext::Values values_in(SandboxSource& source, std::function<bool()> stop) {
  const auto values = std::make_shared<FirstValues>(source, std::move(stop));
  return [values](const ::trustsql::Table& table, std::size_t column) { return (*values)(table, column); };
}

Result<std::vector<Variant>> confirmed_paraphrases(QueryComparer& comparer, std::string_view sql,
                                                   const VariantOptions& options, const ResolveOptions& dialect) {
  TRUSTSQL_RETURN_IF_ERROR(check_kinds(options.kinds, paraphrase_kinds()));
  const auto deadline = std::chrono::steady_clock::now() + options.budget;
  std::vector<const ParaphraseKind*> kinds;
  for (const auto& kind : paraphrase_kinds()) {
    if (is_wanted(options.kinds, kind.name)) kinds.push_back(&kind);
  }
  const ParaphraseOptions rewriting{.kinds = kinds, .most_of_kind = most_candidates_of_kind, .stop = [&] {
                                      return std::chrono::steady_clock::now() >= deadline ||
                                             (options.comparison.stop && options.comparison.stop());
                                    }};
  TRUSTSQL_ASSIGN_OR_RETURN(auto paraphrases, paraphrases_of(sql, *comparer.catalog(), dialect, rewriting));
  std::vector<VariantCandidate> candidates;
  for (auto& paraphrase : paraphrases) candidates.push_back({paraphrase.kind->name, std::move(paraphrase.sql)});
  return confirmed(comparer, sql, std::move(candidates), Verdict::proved, options, dialect, deadline);
}

Result<std::vector<Variant>> confirmed_mutants(QueryComparer& comparer, std::string_view sql,
                                               const VariantOptions& options, const ResolveOptions& dialect,
                                               const MutantContext::Values& values) {
  TRUSTSQL_RETURN_IF_ERROR(check_kinds(options.kinds, mutant_kinds()));
  const auto deadline = std::chrono::steady_clock::now() + options.budget;
  TRUSTSQL_ASSIGN_OR_RETURN(auto query, parse_query(sql, dialect.grammar()));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto names, resolve(query, *comparer.catalog(), dialect));
  const MutantContext context{.resolution = &names, .catalog = comparer.catalog().get(), .values = values};
  std::vector<VariantCandidate> candidates;
  std::unordered_set<std::string> seen = {print_query(query)};
  for (const auto& mutant : mutants_of(query, context, most_candidates_of_kind)) {
    if (!is_wanted(options.kinds, name(mutant.kind))) continue;
    if (auto text = print_query(mutant.query); seen.insert(text).second)
      candidates.push_back({name(mutant.kind), std::move(text)});
  }
  return confirmed(comparer, sql, std::move(candidates), Verdict::refuted, options, dialect, deadline);
}

}  // namespace trustsql::equiv
