#include "score/reliability/outcome_table.hpp"

#include "base/text.hpp"

namespace trustsql {

namespace {

// Separates a repeated question from its count; the mark and what follows are not shown.
constexpr char repeat_mark = '\x1f';

std::uint64_t key_of(std::uint32_t system, std::uint32_t question) { return std::uint64_t{system} << 32 | question; }

std::string quoted_system(const std::string& name) {
  return name.empty() ? "the system" : "system " + quote_for_message(name, 60);
}

}  // namespace

std::uint32_t NameTable::number_of(std::string_view name) {
  if (const auto entry = numbers_.find(name); entry != numbers_.end()) return entry->second;
  const auto number = static_cast<std::uint32_t>(names_.size());
  const auto inserted = numbers_.emplace(std::string(name), number).first;
  names_.push_back(&inserted->first);
  return number;
}

std::optional<std::uint32_t> NameTable::find(std::string_view name) const {
  const auto entry = numbers_.find(name);
  if (entry == numbers_.end()) return std::nullopt;
  return entry->second;
}

std::size_t OutcomeTable::GroupHash::operator()(const std::vector<Value>& values) const {
  std::uint64_t seed = values.size();
  for (const auto& value : values) seed = hash(view(value), seed);
  return static_cast<std::size_t>(seed);
}

bool OutcomeTable::GroupEqual::operator()(const std::vector<Value>& a, const std::vector<Value>& b) const {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!equal(view(a[i]), view(b[i]))) return false;
  return true;
}

std::string OutcomeTable::question_name(std::uint32_t question) const {
  if (anonymous_) return "row " + std::to_string(question + 1);
  const std::string_view name = questions_.name(question);
  return "question " + quote_for_message(name.substr(0, name.find(repeat_mark)), 60);
}

Result<std::uint32_t> OutcomeTable::identify(const OutcomeInput& input, std::uint32_t system) {
  if (!input.question) {
    anonymous_ = true;
    return static_cast<std::uint32_t>(rows_.size());
  }
  auto question = questions_.number_of(*input.question);
  for (int count = 2; !seen_.insert(key_of(system, question)).second; ++count) {
    if (!repeatable_) {
      return invalid_argument(quoted_system(systems_.name(system)) + " has two rows for " + question_name(question) +
                              "; a system needs one row for each question");
    }
    question = questions_.number_of(std::string(*input.question) + repeat_mark + std::to_string(count));
  }
  return question;
}

Status OutcomeTable::check_feasibility(const Outcome& row) {
  if (feasible_.size() <= row.question) feasible_.resize(std::size_t{row.question} + 1);
  if (!row.reliability_case) return ok_status();
  auto& known_feasible = feasible_[row.question];
  const bool feasible = is_feasible(*row.reliability_case);
  if (known_feasible && *known_feasible != feasible) {
    return invalid_argument(question_name(row.question) + " is feasible in one row and infeasible in another (" +
                            quoted_system(systems_.name(row.system)) + " has case " +
                            std::string(case_name(*row.reliability_case)) + ")");
  }
  known_feasible = feasible;
  return ok_status();
}

Status OutcomeTable::add(const OutcomeInput& input) {
  if (rows_.size() >= UINT32_MAX) return limit_exceeded("the source has more than 4294967295 rows");
  Outcome row;
  row.system = systems_.number_of(input.system);
  TRUSTSQL_ASSIGN_OR_RETURN(row.question, identify(input, row.system));
  std::vector<Value> groups(input.groups.begin(), input.groups.end());
  const auto [group, is_new] =
      group_numbers_.try_emplace(std::move(groups), static_cast<std::uint32_t>(groups_.size()));
  if (is_new) groups_.push_back(group->first);
  row.group = group->second;
  row.cluster = clusters_.number_of(input.cluster);
  row.error_kind = error_kinds_.number_of(input.error_kind);
  row.reliability_case = input.reliability_case;
  row.parts = input.parts;
  row.confidence = input.confidence;
  row.obstacle = input.obstacle;
  TRUSTSQL_RETURN_IF_ERROR(check_feasibility(row));
  rows_of_system_.resize(systems_.size());
  ++rows_of_system_[row.system];
  rows_.push_back(row);
  return ok_status();
}

void OutcomeTable::expect(std::string_view question) { questions_.number_of(question); }

std::int64_t OutcomeTable::missing(std::uint32_t system) const {
  if (anonymous_) return 0;
  return static_cast<std::int64_t>(questions_.size()) - rows_of_system_[system];
}

Status OutcomeTable::check(MissingRows policy) const {
  if (policy == MissingRows::count) return ok_status();
  for (std::uint32_t system = 0; system < systems_.size(); ++system) {
    if (anonymous_ && rows_of_system_[system] != rows_of_system_[0]) {
      return invalid_argument(quoted_system(systems_.name(system)) + " has " + std::to_string(rows_of_system_[system]) +
                              (rows_of_system_[system] == 1 ? " row and " : " rows and ") +
                              quoted_system(systems_.name(0)) + " has " + std::to_string(rows_of_system_[0]) +
                              "; a missing row is not an abstention (a column 'id' would tell which is missing; "
                              "{\"missing\":\"count\"} continues without it)");
    }
    if (missing(system) == 0) continue;
    for (std::uint32_t question = 0; question < questions_.size(); ++question) {
      if (seen_.contains(key_of(system, question))) continue;
      return invalid_argument(quoted_system(systems_.name(system)) + " has no row for " +
                              std::to_string(missing(system)) + " of " + std::to_string(questions_.size()) +
                              " questions, the first is " + question_name(question) +
                              "; a missing row is not an abstention ({\"missing\":\"count\"} continues without it)");
    }
  }
  return ok_status();
}

}  // namespace trustsql
