// Filling: a skeleton's slots are filled one by one, each with what the question names and what fits the slots before.
//
// A Draft is a tree under construction. Filling::literal_steps() and later_steps() list the decisions that it needs,
// options() the best ways to take one, choices() and features() all of them for training. Decoding follows the best few
// options (candidates.hpp), training the one that the query of an example took (training.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "semparse/learning/linear_model.hpp"
#include "semparse/question/answer_list.hpp"
#include "semparse/question/question_view.hpp"
#include "semparse/tree/skeleton.hpp"
#include "semparse/tree/tree.hpp"

namespace trustsql::semparse {

// What a literal of the question is used for.
enum class LiteralUse : std::uint8_t {
  unused,
  where,
  having,
  limit,
  other,     // a condition of the second query of a set operation
  subquery,  // a condition inside the subquery
};

// How a condition compares a column with a literal; the last four are LIKE.
enum class LiteralOperator : std::uint8_t {
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  between,
  contains,
  starts_with,
  ends_with,
  lacks,
};

enum class StepKind : std::uint8_t {
  literal_use,
  literal_column,
  literal_operator,
  select_columns,  // a run of plain columns
  select_column,   // of an aggregate
  select_rows,     // the table whose rows are counted, or whose columns are all selected
  group,
  having_column,
  having_rows,
  order_column,
  order_rows,
  subquery_edge,    // the join edge that NOT IN or IN follows
  subquery_column,  // what is compared with an aggregate of itself
  null_column,
  further_table,  // a table that is joined for its own sake, or none
  other_table,    // the same in the second query
};

struct Step {
  StepKind kind;
  std::size_t index = 0;  // of the literal, or of the part of the select list
};

// One way to take a step. Which members count depends on the step.
struct Option {
  int choice = 0;                   // a column, table, edge, LiteralUse or LiteralOperator
  std::vector<ColumnId> columns{};  // select_columns
  float score = 0;                  // the logarithm of its probability
};

struct Draft {
  const Skeleton* skeleton = nullptr;
  std::vector<LiteralUse> uses{};               // for each literal
  std::vector<ColumnId> literal_columns{};      // for each literal
  std::vector<LiteralOperator> operators{};     // for each literal
  std::vector<std::vector<ColumnId>> select{};  // for each part of the skeleton: its columns
  std::vector<TableId> rows{};                  // for each part: the table that is counted
  ColumnId group = nothing;
  bool counts_groups = false;  // the number of groups is asked for
  Term having{};
  Term order{};
  ColumnId outer_column = nothing;  // of the subquery's condition
  ColumnId inner_column = nothing;
  ColumnId null_column = nothing;
  TableId further = nothing;
  TableId other_further = nothing;
  std::vector<TableId> used{};  // tables so far, sorted
  float score = 0;              // of all steps: the logarithm of their probability
  float weakest = 0;            // of the least probable step
};

class Filling {
 public:
  // All must outlive this object.
  Filling(const QuestionView& view, const LinearModel& model);

  Draft start(const Skeleton& skeleton) const;
  // The steps after the uses of literals depend on these: they are asked for again when all are decided.
  std::vector<Step> literal_steps() const;
  std::vector<Step> later_steps(const Draft& draft) const;

  // The best `limit` options, the most likely first; empty if there is none.
  std::vector<Option> options(const Step& step, const Draft& draft, std::size_t limit);
  void take(const Step& step, const Option& option, Draft& draft) const;

  // Whether the uses of literals are what the skeleton needs.
  bool consistent(const Draft& draft) const;
  // Lets a draft whose steps are all taken count its groups, if the question asks for their number.
  void count_groups(Draft& draft) const;
  // The tree of such a draft.
  Tree tree_of(const Draft& draft) const;

  // For training: all choices of a step that chooses one of several, and the features of each.
  std::vector<int> choices(const Step& step, const Draft& draft) const;
  Features features(const Step& step, const Draft& draft, int choice) const;

  const QuestionView& view() const { return view_; }

 private:
  // What a draft has chosen so far, as far as later choices stand in relation to it.
  struct Chosen {
    std::vector<const std::vector<int>*> distances{};  // from the tables that are used
    std::vector<ColumnId> select{};                    // all columns of the select list
    TableId selected_table = nothing;                  // of the first of these
    bool selected_is_id = false;
    bool selected_is_display = false;
    TableId counted = nothing;
    bool groups = false;  // there is a group, and more than one item is selected
  };
  // How a choice stands to it.
  struct Relation {
    int nearest = 8;  // joins to the next table that is used; 8: none is
    bool is_column = false;
    bool named = false;
    bool in_select = false;
    bool same_table = false;  // as the first selected column
    bool key = false;
    bool counted = false;
    unsigned bits() const;  // below relation_count, but for is_column
    static constexpr std::size_t count = 1024;
  };
  Chosen chosen_of(const Draft& draft) const;
  Relation relation_of(const Chosen& chosen, TableId table, ColumnId column) const;
  static void relation_features(std::uint64_t role, StepKind step, const Chosen& chosen, const Relation& relation,
                                Features& features);

  // The scores of `choices`, in their order.
  std::vector<float> scores(const Step& step, const Draft& draft, const std::vector<int>& choices);
  std::vector<float>& base_scores(std::uint64_t role, bool table);
  // A key of all that the options of a step depend on; nullopt if it is not worth remembering them.
  std::optional<std::uint64_t> state_key(const Step& step, const Draft& draft) const;
  std::vector<Option> find_options(const Step& step, const Draft& draft, std::size_t limit);
  void literal_features(const Step& step, const Draft& draft, int choice, Features& features) const;
  std::vector<Option> select_sets(const Step& step, const Draft& draft, std::size_t limit);
  bool named_apart(const std::vector<ColumnId>& columns) const;
  std::vector<ColumnId> listed_columns(const std::vector<int>& columns, const std::vector<float>& scores) const;
  bool is_list(const std::vector<ColumnId>& columns) const;
  void complete_names(std::vector<Option>& sets) const;
  void complete_roles(std::vector<Option>& sets) const;
  // The column that names the rows that the question asks for; nothing if it asks for none, or they have no name.
  ColumnId name_of_asked_rows() const;
  std::uint64_t role(const Step& step, const Draft& draft) const;
  Condition condition_of(const Draft& draft, std::size_t literal, Term term) const;
  static Block named_row(const ValueMention& mention, ColumnId column);
  bool are_alternatives(WordSpan first, WordSpan second) const;
  void join_alternatives(const Draft& draft, Block& block) const;
  ColumnId counted_group(const Draft& draft) const;
  bool is_other_edge(std::size_t edge) const;
  void compare_years(Condition& condition) const;
  void compare_dates(Condition& condition) const;
  void use_table(Draft& draft, TableId table) const;

  const QuestionView& view_;
  const LinearModel& model_;
  const std::vector<std::size_t> asked_joins_;
  const ColumnId asked_name_;
  const std::optional<AnswerList> list_;
  std::vector<std::vector<bool>> other_dates_{};  // for each literal: dates_of_something_else()
  // What does not depend on the draft is computed once: scores of columns or tables, by role (NaN: not known), and
  // sums of the features of a literal and a column, by the literal and its operator.
  std::unordered_map<std::uint64_t, std::vector<float>> base_scores_{};
  std::unordered_map<std::uint64_t, std::vector<float>> literal_scores_{};
  std::unordered_map<std::uint64_t, std::vector<Option>> known_options_{};  // by state_key()
};

// The comparison in SQL that an operator stands for.
Comparison comparison_of(LiteralOperator op);

}  // namespace trustsql::semparse
