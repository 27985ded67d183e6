#include "equiv/prover/search_state.hpp"

#include <algorithm>

#include "db/catalog/catalog.hpp"

namespace trustsql::equiv {

using namespace plan;

SearchState::SearchState(Plan& plan, const Assume& assume, const std::vector<Assumption>& denied, Budget& budget,
                         Terms::SameSubquery same_subquery)
    : plan_(plan),
      assume_(assume),
      denied_(denied),
      budget_(budget),
      bindings_(budget),
      terms_(same_subquery),
      assume_integer_([this](AttributeId id) { return rely_on_integers(id); }) {}

void SearchState::define_columns(const FlatBlock& block) {
  for (const auto& [id, expr] : block.columns) bindings_.define(id, *expr);
}

void SearchState::close_columns(const Columns& columns) {
  for (const auto id : columns) {
    if (bindings_.is_defined(id)) bindings_.bind(id, id);
  }
}

void SearchState::equate(const Columns& a, const Columns& b) {
  close_columns(a);
  for (std::size_t i = 0; i < a.size(); ++i) bindings_.bind(b[i], a[i]);
}

AttributeId SearchState::column_of(const Scan& scan, const TableColumn& like) {
  for (const auto& column : scan.columns) {
    if (column.position == like.position) return column.id;
  }
  for (const auto& extra : extra_columns_) {
    if (extra.row == scan.row && extra.position == like.position) return extra.id;
  }
  const auto id = plan_.add_attribute_like(like.id);
  extra_columns_.push_back({scan.row, like.position, id});
  return id;
}

const std::vector<TableCheck>& SearchState::checks_of(const trustsql::Table& table) {
  if (const auto known = checks_.find(&table); known != checks_.end()) return known->second.all();
  auto assume = Assume::nothing();
  assume.declared_types = assume_.declared_types;
  constexpr int steps_between_looks = 100;  // of the normaliser
  return checks_.try_emplace(&table, table, assume, [this] { return !budget_.spend(steps_between_looks); })
      .first->second.all();
}

bool SearchState::may_rely_on(const Assumption& assumption) const {
  return std::find(denied_.begin(), denied_.end(), assumption) == denied_.end();
}

bool SearchState::rely_on(Assumption assumption) {
  if (!may_rely_on(assumption)) return false;
  if (std::find(assumptions_.begin(), assumptions_.end(), assumption) == assumptions_.end())
    assumptions_.push_back(std::move(assumption));
  return true;
}

bool SearchState::rely_on_not_null(AttributeId id) {
  const auto& attribute = plan_.attributes[id];
  if (!assume_.primary_key_not_null || attribute.table == nullptr) return false;
  return rely_on({Assumption::Kind::primary_key_not_null, attribute.table->name, {std::string(attribute.name)}, {}});
}

bool SearchState::rely_on_integers(AttributeId id) {
  const auto& attribute = plan_.attributes[id];
  if (!assume_.declared_types || attribute.table == nullptr || attribute.position < 0 ||
      attribute.storage != Affinity::integer)
    return false;
  return rely_on({Assumption::Kind::declared_type, attribute.table->name, {std::string(attribute.name)}, {}});
}

void SearchState::certify_since(std::size_t begin) {
  constexpr std::size_t max_groups = 1000;
  const auto& pairs = certificate_.pairs;
  if (pairs.size() == begin || certificate_.groups.size() == max_groups) return;
  certificate_.groups.emplace_back(pairs.begin() + static_cast<std::ptrdiff_t>(begin), pairs.end());
}

void SearchState::go_back(const Mark& mark) {
  bindings_.undo(mark.bindings);
  steps_.resize(mark.steps);
  auto& pairs = certificate_.pairs;
  pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(mark.pairs), pairs.end());
}

}  // namespace trustsql::equiv
