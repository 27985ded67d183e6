// OutcomeTable: what each system did with each question; the input of reports and comparisons of systems.
//
// Names (of systems, questions, groups, clusters) are stored once; rows refer to them by number, in order of first
// appearance. The table enforces the assumptions of a report: one row for each system and question, no row missing, and
// agreement on which questions are feasible. A missing row is a defect of the data, not an abstention.
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
#include "score/reliability/reliability_case.hpp"

namespace trustsql {

// The parts of a pipeline CLS -> generator -> ERROR (TrustSQL, section 4.1.1), as far as they are known.
struct PipelineParts {
  std::optional<ReliabilityCase> raw;  // case of the SQL before any abstention; II or V: the generator gave none
  std::optional<bool> cls_feasible;    // CLS lets the question through
  std::optional<bool> error_found;     // ERROR judges the SQL to be wrong
};

// A row as it is added.
// What keeps a prediction, which is wrong because it fails, from being judged by what it means.
enum class Obstacle : std::uint8_t {
  none,
  fence,  // it was run together with the Markdown fence around it
  limit,  // a limit of the sandbox ended it, such as timeout_ms
};

struct OutcomeInput {
  std::string_view system;
  std::optional<std::string_view> question = {};         // its identity; nullopt: none (then in every row)
  std::span<const Value> groups = {};                    // the values that the row is grouped by
  std::string_view cluster = {};                         // the rows of a cluster are drawn together
  std::optional<ReliabilityCase> reliability_case = {};  // nullopt: not judged; the row is skipped and counted
  PipelineParts parts = {};
  std::optional<Number> confidence = {};
  std::string_view error_kind = {};  // the kind of error of a wrong answer; empty: unknown
  Obstacle obstacle = Obstacle::none;
};

// The same with numbers in place of names.
struct Outcome {
  std::uint32_t system = 0;
  std::uint32_t question = 0;  // without identity: unique to the row
  std::uint32_t group = 0;
  std::uint32_t cluster = 0;
  std::uint32_t error_kind = 0;
  std::optional<ReliabilityCase> reliability_case;
  PipelineParts parts;
  std::optional<Number> confidence;
  Obstacle obstacle = Obstacle::none;
};

// Names and the numbers that stand for them.
class NameTable {
 public:
  NameTable() = default;
  NameTable(NameTable&&) noexcept = default;
  NameTable& operator=(NameTable&&) noexcept = default;
  NameTable(const NameTable&) = delete;
  NameTable& operator=(const NameTable&) = delete;

  std::uint32_t number_of(std::string_view name);  // assigns a new number to a new name
  std::optional<std::uint32_t> find(std::string_view name) const;
  const std::string& name(std::uint32_t number) const { return *names_[number]; }
  std::size_t size() const { return names_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::vector<const std::string*> names_;  // point to the keys of numbers_, which are stable
};

enum class MissingRows {
  error,  // check() fails
  count,  // they are left out and counted in the report
};

class OutcomeTable {
 public:
  // `repeatable`: a question's identity may occur several times within a system (a text that is asked twice); the k-th
  // occurrence in one system is then paired with the k-th in the others.
  explicit OutcomeTable(bool repeatable = false) : repeatable_(repeatable) {}

  // Adds a row. Errors (invalid_argument): a second row for the same system and question, unless repeatable; the
  // question was feasible in another row and is infeasible here, or vice versa. After an error the table must not be
  // used.
  Status add(const OutcomeInput& input);
  // Declares that a question exists, so that a system without a row for it is detected.
  void expect(std::string_view question);

  // To be called after the last row. Error (invalid_argument), with MissingRows::error: a system lacks a row for a
  // question; the message names both. If rows have no identity, all systems must have the same number of rows.
  Status check(MissingRows missing) const;

  const std::vector<Outcome>& rows() const { return rows_; }
  const NameTable& systems() const { return systems_; }
  const NameTable& clusters() const { return clusters_; }
  const NameTable& error_kinds() const { return error_kinds_; }
  // The values of group number i.
  const std::vector<std::vector<Value>>& groups() const { return groups_; }
  // Whether rows have no identity.
  bool anonymous() const { return anonymous_; }
  // The name of a question in messages.
  std::string question_name(std::uint32_t question) const;
  // The number of questions for which `system` has no row; 0 if rows have no identity.
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
  std::unordered_set<std::uint64_t> seen_;  // the pair of system and question of every row
  std::vector<std::int64_t> rows_of_system_;
  std::vector<std::optional<bool>> feasible_;  // by question, where known
};

}  // namespace trustsql
