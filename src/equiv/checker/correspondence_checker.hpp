// The implementation of correspondence.hpp. Attributes of `from`, the second relation of a pair, are bound to
// expressions over those of `to`, the first, as leaves are found to correspond; columns of projections are defined by
// what they compute.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/function_ref.hpp"
#include "equiv/checker/blocks.hpp"
#include "equiv/checker/check_facts.hpp"
#include "equiv/checker/claims.hpp"
#include "equiv/checker/correspondence.hpp"

namespace trustsql::equiv::checker {

class CorrespondenceChecker {
 public:
  explicit CorrespondenceChecker(const Correspondence& claimed);
  std::optional<std::string> reject();

 private:
  std::optional<std::string> reject_within_steps();

  // The rows of a block: the conditions that are true of them, the leaves they consist of, and the matches they
  // must not have.
  struct Rows {
    Claims claims;
    std::vector<const plan::Rel*> leaves{};
    std::vector<Companion> antis{};
  };
  using Then = FunctionRef<bool(Rows&)>;
  using Columns = std::vector<plan::AttributeId>;

  // At destruction, restores what attributes stood for at construction.
  class Restore {
   public:
    explicit Restore(CorrespondenceChecker& checker, bool bindings = true)
        : checker_(checker), bindings_(bindings), defined_(checker.defined_) {
      if (bindings_) bound_ = checker.bound_;
    }
    Restore(const Restore&) = delete;
    Restore& operator=(const Restore&) = delete;
    ~Restore() {
      checker_.defined_ = std::move(defined_);
      if (bindings_) checker_.bound_ = std::move(bound_);
    }

   private:
    CorrespondenceChecker& checker_;
    bool bindings_;
    std::map<plan::AttributeId, plan::Expr> defined_;
    std::map<plan::AttributeId, plan::Expr> bound_;
  };

  // Everything that may be repeated costs a step. Once none is left, every question is answered with "no", and the
  // claim is rejected.
  bool spend() { return steps_left_ > 0 && --steps_left_ > 0; }

  // --- the claim
  std::optional<std::string> reject_emptiness();
  std::optional<std::string> reject_one_to_one();
  std::optional<std::string> reject_sets();
  bool orders_count() const;
  bool is_in_order(Rows& rows);

  // --- bags (correspondence_checker.cpp)
  bool bags(const plan::Rel& to, const plan::Rel& from, Then then);
  bool blocks(const JoinBlock& to, const JoinBlock& from, const JoinBlock* around, Then then);
  bool sums(const plan::Rel& to, const plan::Rel& from, Then then);
  bool same_rows(const JoinBlock& to, const JoinBlock& from);
  bool same_conditions(const JoinBlock& to, const JoinBlock& from, const JoinBlock* around, Then then);
  Rows rows_within(const JoinBlock* around, const std::vector<const plan::Rel*>& leaves, const JoinBlock& block);
  bool companions(const JoinBlock& block, const Companion& to, const Companion& from);
  bool bind_filled(Claims& claims, const plan::Rel& to, const plan::Rel& from);
  const plan::Rel* partner(const plan::Rel* from, const Certificate::Pairs& among,
                           const std::vector<const plan::Rel*>& candidates) const;

  // --- attributes
  plan::Expr expand(const plan::Expr& expr) const;
  plan::Expr expand(plan::AttributeId id) const { return expand(plan::column(id)); }
  void define(const JoinBlock& block);
  void bind(plan::AttributeId from, plan::Expr to) { bound_.insert_or_assign(from, std::move(to)); }
  void bind(const Columns& from, const Columns& to);
  plan::AttributeId column_of(const plan::Scan& scan, const plan::TableColumn& like);

  // --- rows and sets (row_sets.cpp)
  Rows rows_of(const std::vector<const plan::Rel*>& leaves, const JoinBlock& block);
  void add_leaf(Rows& rows, const plan::Rel& leaf);
  void add_facts_of_extra_columns(Rows& rows) const;
  void add_checks(Rows& rows, const plan::Scan& scan);
  void add_block(Rows& rows, const JoinBlock& block);
  bool add_parent(Rows& rows, const plan::Rel& leaf);
  bool is_impossible(Rows& rows);
  bool follows(Rows& rows, const JoinBlock& block);
  bool has_partner(Rows& rows, const Companion& companion);
  bool has_no_partner(const Rows& rows, const Companion& companion);
  bool is_same_companion(Claims& claims, const Companion& a, const Companion& b) const;
  bool sets(const plan::Rel& a, const Columns& a_columns, const plan::Rel& b, const Columns& b_columns, bool identical);
  bool contained(const plan::Rel& part, const Columns& part_columns, const plan::Rel& whole,
                 const Columns& whole_columns, bool identical);
  bool has_homomorphism(Rows& rows, const std::vector<JoinBlock>& patterns, const std::vector<plan::Expr>& on,
                        bool identical);
  using Candidates = std::vector<std::vector<plan::Expr>>;
  bool has_homomorphism(Rows& rows, const std::vector<JoinBlock>& patterns, const std::vector<plan::Expr>& on,
                        bool identical, Candidates& candidates);
  bool map_leaves(Rows& rows, const JoinBlock& pattern, const Certificate::Pairs& hints);
  plan::AttributeSet determined(Rows& rows, plan::AttributeSet by) const;
  bool is_determined(Rows& rows, const plan::Expr& expr, const plan::AttributeSet& by) const;

  // --- leaves (corresponding_leaves.cpp)
  bool leaf(const plan::Rel& to, const plan::Rel& from);
  bool same(const plan::Scan& to, const plan::Scan& from);
  bool same(const plan::Values& to, const plan::Values& from);
  bool same(const plan::TableFunction& to, const plan::TableFunction& from);
  bool same(const plan::Window& to, const plan::Window& from);
  bool same(const plan::Distinct& to, const plan::Distinct& from);
  bool same(const plan::SetOp& to, const plan::SetOp& from);
  bool same(const plan::Limit& to, const plan::Limit& from);
  bool same(const plan::Join& to, const plan::Join& from);
  bool same_call(Rows& rows, const plan::WindowCall& to, const plan::WindowCall& from);
  bool same_keys(Rows& rows, const std::vector<plan::SortKey>& to, const std::vector<plan::SortKey>& from);
  bool same_order(Rows& rows, const std::vector<plan::SortKey>& to, const std::vector<plan::SortKey>& from);
  bool same_filters(Rows& rows, const ast::Box<plan::Expr>& to, const ast::Box<plan::Expr>& from);

  // --- aggregates (corresponding_groups.cpp)
  bool same(const plan::Aggregate& to, const plan::Aggregate& from);
  class GroupBinder;
  bool same_groups(Rows& rows, const plan::Aggregate& to, const plan::Aggregate& from);
  bool same_groups_as_sets(const plan::Aggregate& to, const plan::Aggregate& from);
  bool same_call(Rows& rows, const plan::AggregateCall& to, const plan::AggregateCall& from);

  const Correspondence& claimed_;
  plan::Plan& plan_;
  AssumedColumns assumed_;
  std::map<plan::AttributeId, plan::Expr> bound_;
  std::map<plan::AttributeId, plan::Expr> defined_;
  std::map<std::pair<plan::AttributeId, int>, plan::AttributeId>
      extra_columns_;  // for columns of scans, by row and position
  CheckFacts checks_;
  const Certificate::Pairs* hints_;
  int depth_ = 0;
  int steps_left_ = 0;
};

}  // namespace trustsql::equiv::checker
