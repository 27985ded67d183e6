// OutcomeTable: what each system did with each question, as reports and comparisons of systems read it.
//
// Names (of systems, questions, groups, clusters) are kept once and stand as numbers in the rows, in order of first
// appearance. The table holds the data to what a report presupposes: one row for each system and question, no row
// missing, and agreement on which questions are feasible. A missing row is a defect of the data, not an abstention.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/number.hpp"
#include "base/result.hpp"
#include "base/value.hpp"
#include "score/reliability_case.hpp"

namespace trustsql {

// The parts of a pipeline CLS -> generator -> ERROR (TrustSQL, section 4.1.1), as far as they are known.
struct PipelineParts {
  std::optional<ReliabilityCase>
      raw;                           // what the SQL before any abstention amounts to; II or V: the generator gave none
  std::optional<bool> cls_feasible;  // CLS lets the question through
  std::optional<bool> error_found;   // ERROR judges the SQL to be wrong
};

// A row as it comes in.
struct OutcomeInput {
  std::string_view system;
  std::optional<std::string_view> question = {};  // what identifies it; nullopt: nothing does (then in all rows)
  std::span<const Value> groups = {};             // the values that it is grouped by
  std::string_view cluster = {};                  // what the bootstrap draws together
  std::optional<ReliabilityCase> reliability_case =
      {};  // nullopt: it could not be judged; the row is skipped and counted
  PipelineParts parts = {};
  std::optional<Number> confidence = {};
  std::string_view error_kind = {};  // what is wrong with a wrong answer; empty: not known
};

// The same, names being numbers.
struct Outcome {
  std::uint32_t system = 0;
  std::uint32_t question = 0;  // of rows without identity: a number of its own
  std::uint32_t group = 0;
  std::uint32_t cluster = 0;
  std::uint32_t error_kind = 0;
  std::optional<ReliabilityCase> reliability_case;
  PipelineParts parts;
  std::optional<Number> confidence;
};

// Names and the numbers that stand for them.
class NameTable {
 public:
  NameTable() = default;
  NameTable(NameTable&&) noexcept = default;
  NameTable& operator=(NameTable&&) noexcept = default;
  NameTable(const NameTable&) = delete;
  NameTable& operator=(const NameTable&) = delete;

  std::uint32_t number_of(std::string_view name);  // a new one if `name` is new
  std::optional<std::uint32_t> find(std::string_view name) const;
  const std::string& name(std::uint32_t number) const { return *names_[number]; }
  std::size_t size() const { return names_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::vector<const std::string*> names_;  // keys of numbers_, which stay where they are
};

enum class MissingRows {
  error,  // check() fails
  count,  // they are left out, and a report shows how many there are
};

class OutcomeTable {
 public:
  // `repeatable`: a question's identity may come several times in a system (a text that is asked twice); the k-th row
  // of one system then belongs to the k-th of the others.
  explicit OutcomeTable(bool repeatable = false) : repeatable_(repeatable) {}

  // Adds a row. Errors (invalid_argument): a second row for the same system and question, unless repeatable; the
  // question was feasible in another row and is infeasible here, or the other way round. After an error the table is of
  // no more use.
  Status add(const OutcomeInput& input);
  // Says that there is a question, so that a system without a row for it is found.
  void expect(std::string_view question);

  // To be called after the last row. Error (invalid_argument): a system lacks a question that there is (with
  // MissingRows::error); it names both. Where rows have no identity, systems must have equally many rows.
  Status check(MissingRows missing) const;

  const std::vector<Outcome>& rows() const { return rows_; }
  const NameTable& systems() const { return systems_; }
  const NameTable& clusters() const { return clusters_; }
  const NameTable& error_kinds() const { return error_kinds_; }
  // The values of group number i.
  const std::vector<std::vector<Value>>& groups() const { return groups_; }
  // Whether rows have no identity.
  bool anonymous() const { return anonymous_; }
  // How a message names a question.
  std::string question_name(std::uint32_t question) const;
  // How many of the questions `system` has no row for; 0 where rows have no identity.
  std::int64_t missing(std::uint32_t system) const;

 private:
  struct GroupHash {
    std::size_t operator()(const std::vector<Value>& values) const;
  };
  struct GroupEqual {
    bool operator()(const std::vector<Value>& a, const std::vector<Value>& b) const;
  };

  Result<std::uint32_t> identify(const OutcomeInput& input, std::uint32_t system);
  Status check_feasibility(const Outcome& row);

  bool repeatable_;
  bool anonymous_ = false;
  std::vector<Outcome> rows_;
  NameTable systems_, questions_, clusters_, error_kinds_;
  std::vector<std::vector<Value>> groups_;
  std::unordered_map<std::vector<Value>, std::uint32_t, GroupHash, GroupEqual> group_numbers_;
  std::unordered_set<std::uint64_t> seen_;  // system and question of every row
  std::vector<std::int64_t> rows_of_system_;
  std::vector<std::optional<bool>> feasible_;  // by question, where known
};

}  // namespace trustsql
