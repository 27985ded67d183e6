// What a question says of the rows of a table that refers to itself: "the manager of Cora Lind".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semparse/question/roles.hpp"

namespace trustsql::semparse {

// How a word names a role.
enum class Naming : std::uint8_t {
  noun,     // "the manager of"
  verb,     // "manages"
  verb_to,  // "reports to"
  inverse,  // "the subordinates of": names the row that refers to the role
};

struct RoleName {
  WordSpan span{};
  Naming naming = Naming::noun;
};

// A table that refers to itself: what the question says of the row that is referred to, and of the one that refers.
class SelfReference {
 public:
  // `edge` is a reference of a table to itself; `view` must outlive this.
  SelfReference(const QuestionView& view, std::size_t edge);

  // Where the question names the role.
  const std::vector<RoleName>& names() const { return names_; }
  TableId own_table() const { return domain_.column(domain_.edges()[edge_].child).table; }

  // Adds the edge and what speaks of its rows, if the question needs the role. `others` are the names of the table's
  // other roles, whose values these are. False if the question leaves open whose a value is.
  bool add_to(AskedRoles& roles, const std::vector<RoleName>& others);

 private:
  // Whether the name of another role stands nearer in front of the words than those of this one.
  bool is_behind_another(WordSpan words, const std::vector<RoleName>& others) const;

  std::string_view at(std::size_t i) const { return i < words_.size() ? words_[i].lower : std::string_view(); }

  bool is_of_table(const ValueMention& value) const;

  // How word `i` names the role, if it does.
  std::optional<Naming> naming_at(std::size_t i) const;

  bool is_verb(std::size_t i) const;
  bool says_child(const Word& word) const;
  // "Teaches", of a teacher.
  bool is_agent_of(const Word& word) const;

  // Where the question names the role, other than by a value, as part of another name, or by what it is called in the
  // table: "manager id".
  void find_names();

  // "No manager", "sales managers", "manager" where it is a value, or what another table or column is called.
  bool is_other_name(const RoleName& name) const;

  // "Employees who are managers": all rows that play the role, and no second row.
  bool is_predicate(const RoleName& name) const;

  // "Have Ada as their manager".
  bool is_given_as(const RoleName& name) const;

  // Whether a value there belongs to the row that is referred to; nullopt if that is open.
  std::optional<bool> speaks_of_role(WordSpan value) const;

  // "The mother and the father of Mia": the value is that of all names before it.
  bool is_of(const RoleName& name, WordSpan value) const;

  // Whether word `i` is part of a value or a number.
  bool is_literal(std::size_t i) const;

  // Whether no "and" or "or" stands between the name and the value.
  bool same_clause(const RoleName& name, WordSpan value) const;

  // Whether the question speaks of rows that refer to others without a value: "each employee and their manager".
  bool speaks_of_both() const;

  // A noun names its rows; a verb those that are asked for, if the question has no other name for them.
  void add_names(AskedRoles& found) const;

  const QuestionView& view_;
  const Domain& domain_;
  const std::vector<Word>& words_;
  std::size_t edge_;
  TableId role_ = nothing;
  std::vector<std::string> role_words_{};
  std::vector<RoleName> names_{};
  bool role_is_given_ = false;  // by a value
  bool own_is_given_ = false;
};

}  // namespace trustsql::semparse
