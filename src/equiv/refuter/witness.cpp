#include "equiv/refuter/witness.hpp"

#include <algorithm>
#include <numeric>

#include "equiv/refuter/row_checks.hpp"

namespace trustsql::equiv {

using namespace plan;

namespace {

constexpr int max_evaluations = 600;    // of conditions, for one witness
constexpr std::size_t fresh_tries = 3;  // for a class without constants of its own

bool is_numeric_kind(ColumnKind kind) {
  return kind == ColumnKind::integer || kind == ColumnKind::real || kind == ColumnKind::number;
}

class Solver {
 public:
  Solver(const Sketch& sketch, const DataModel& model, const ValuePools& pools, const WitnessRequest& request,
         const std::vector<bool>& parts)
      : sketch_(sketch), model_(model), pools_(pools), request_(request), parts_(parts) {}

  std::optional<Witness> solve() {
    make_classes();
    values_.resize(classes_.size());
    if (!assign(0)) return std::nullopt;
    Witness witness(sketch_.variables.size());
    for (std::size_t v = 0; v < witness.size(); ++v) witness[v] = value_of(static_cast<int>(v));
    return witness;
  }

 private:
  struct Class {
    std::vector<int> variables;
    std::vector<int> atoms;  // that can be evaluated once this class has a value
    bool constrained = false;
    bool kept = false;
  };

  int root(int v) const {
    while (parents_[static_cast<std::size_t>(v)] != v) v = parents_[static_cast<std::size_t>(v)];
    return v;
  }

  void make_classes() {
    parents_.resize(sketch_.variables.size());
    std::iota(parents_.begin(), parents_.end(), 0);
    for (std::size_t i = 0; i < sketch_.equalities.size(); ++i) {
      const auto& equality = sketch_.equalities[i];
      if (static_cast<int>(i) == request_.broken_equality || !parts_[static_cast<std::size_t>(equality.part)]) continue;
      parents_[static_cast<std::size_t>(root(equality.left))] = root(equality.right);
    }
    class_of_.assign(sketch_.variables.size(), -1);
    // Variables with conditions first, so that the free ones can avoid their values.
    for (std::size_t v = 0; v < sketch_.variables.size(); ++v) {
      const auto class_root = static_cast<std::size_t>(root(static_cast<int>(v)));
      if (class_of_[class_root] < 0) {
        class_of_[class_root] = static_cast<int>(classes_.size());
        classes_.emplace_back();
      }
      class_of_[v] = class_of_[class_root];
      auto& own = classes_[static_cast<std::size_t>(class_of_[v])];
      own.variables.push_back(static_cast<int>(v));
      if (v < request_.kept.size() && request_.kept[v]) own.kept = true;
    }
    for (std::size_t i = 0; i < sketch_.atoms.size(); ++i) {
      const auto& atom = sketch_.atoms[i];
      if (!parts_[static_cast<std::size_t>(atom.part)]) continue;
      int last = 0;
      for (const int variable : atom.variables) {
        const int own = class_of_[static_cast<std::size_t>(variable)];
        classes_[static_cast<std::size_t>(own)].constrained = true;
        last = std::max(last, own);
      }
      classes_[static_cast<std::size_t>(last)].atoms.push_back(static_cast<int>(i));
    }
  }

  ColumnKind kind_of_variable(int v) const {
    const auto& variable = sketch_.variables[static_cast<std::size_t>(v)];
    return model_.tables[variable.table].columns[variable.column].kind;
  }
  Value value_of(int v) const {
    return fitted(values_[static_cast<std::size_t>(class_of_[static_cast<std::size_t>(v)])], kind_of_variable(v));
  }

  // The variable that determines the class's values: one of a numeric column, if there is one.
  int leader(const Class& own) const {
    for (const int v : own.variables) {
      if (is_numeric_kind(kind_of_variable(v))) return v;
    }
    return own.variables.front();
  }

  std::vector<Value> candidates(std::size_t index) const {
    const Class& own_class = classes_[index];
    const int first = leader(own_class);
    const auto& variable = sketch_.variables[static_cast<std::size_t>(first)];
    if (own_class.kept) return {(*request_.base)[static_cast<std::size_t>(first)]};
    const auto& column_values = pools_.of(variable.table, variable.column);
    std::vector<Value> list;
    // Different classes and different degrees of freshness start at different positions.
    const std::size_t start = request_.alike ? request_.freshness : request_.freshness * (classes_.size() + 1) + index;
    const auto add_fresh = [&](std::size_t tries) {
      for (std::size_t i = 0; i < tries; ++i) list.push_back(pools_.fresh(variable.table, variable.column, start + i));
    };
    if (!own_class.constrained) {
      add_fresh(1);
      if (breaks(index)) add_fresh(fresh_tries + 1);
      return list;
    }
    list = column_values.hinted;
    // Where a condition must not hold, values that just miss it are the most informative.
    if (request_.freshness > 0 && !list.empty() && !is_in_broken_atom(index)) {
      std::vector<Value> shifted;
      for (const auto& value : column_values.hinted) {
        const auto by = static_cast<std::int64_t>(request_.freshness) + 1;
        if (const auto* integer = std::get_if<std::int64_t>(&value);
            integer != nullptr && std::abs(*integer) < (std::int64_t{1} << 60)) {
          shifted.emplace_back(*integer + by);
          shifted.emplace_back(*integer - by);
        } else if (const auto* real = std::get_if<double>(&value)) {
          shifted.emplace_back(*real + static_cast<double>(by));
          shifted.emplace_back(*real - static_cast<double>(by));
        } else if (const auto* text = std::get_if<std::string>(&value);
                   text != nullptr && !column_values.are_documents) {
          shifted.emplace_back(*text + std::to_string(by));
        }
      }
      list.insert(list.begin(), shifted.begin(), shifted.end());
    }
    add_fresh(fresh_tries);
    return list;
  }

  bool is_in_broken_atom(std::size_t index) const {
    if (request_.broken_atom < 0) return false;
    const auto& variables = sketch_.atoms[static_cast<std::size_t>(request_.broken_atom)].variables;
    return std::ranges::any_of(
        variables, [&](int v) { return class_of_[static_cast<std::size_t>(v)] == static_cast<int>(index); });
  }

  // Whether the class is a side of the equality to be broken.
  bool breaks(std::size_t index) const {
    if (request_.broken_equality < 0) return false;
    const auto& equality = sketch_.equalities[static_cast<std::size_t>(request_.broken_equality)];
    return class_of_[static_cast<std::size_t>(equality.left)] == static_cast<int>(index) ||
           class_of_[static_cast<std::size_t>(equality.right)] == static_cast<int>(index);
  }

  // Whether the columns of the class may hold the value that it has now.
  bool is_allowed(std::size_t index) const {
    return std::ranges::all_of(classes_[index].variables, [&](int v) {
      const auto& variable = sketch_.variables[static_cast<std::size_t>(v)];
      return pools_.checks().allow(variable.table, variable.column, value_of(v));
    });
  }

  bool assign(std::size_t index) {
    if (index == classes_.size()) return true;
    for (const auto& candidate : candidates(index)) {
      values_[index] = candidate;
      if (!is_allowed(index)) continue;
      if (holds(index) && assign(index + 1)) return true;
      if (steps_ > max_evaluations) return false;
    }
    return false;
  }

  bool holds(std::size_t index) {
    for (const int i : classes_[index].atoms) {
      if (++steps_ > max_evaluations) return false;
      const auto& atom = sketch_.atoms[static_cast<std::size_t>(i)];
      const auto* choice = request_.choice >= 0 ? &sketch_.choices[static_cast<std::size_t>(request_.choice)] : nullptr;
      const auto truth = truth_of_atom(choice != nullptr && choice->atom == i ? choice->expr : atom.expr);
      if (truth && (*truth == Truth::yes) == (i == request_.broken_atom)) return false;
    }
    if (breaks(index)) {
      const auto& equality = sketch_.equalities[static_cast<std::size_t>(request_.broken_equality)];
      const int left = class_of_[static_cast<std::size_t>(equality.left)];
      const int right = class_of_[static_cast<std::size_t>(equality.right)];
      if (left != right && std::max(left, right) == static_cast<int>(index) &&
          equal(view(value_of(equality.left)), view(value_of(equality.right))))
        return false;
    }
    return true;
  }

  // nullopt if the truth value cannot be computed here.
  std::optional<Truth> truth_of_atom(const Expr& expr) const {
    Expr value;
    return truth_with_values(expr, [&](AttributeId id) -> const Expr* {
      const int variable = sketch_.variable_of(id);
      if (variable < 0) return nullptr;
      value = literal(value_of(variable));
      return &value;
    });
  }

  const Sketch& sketch_;
  const DataModel& model_;
  const ValuePools& pools_;
  const WitnessRequest& request_;
  const std::vector<bool>& parts_;
  std::vector<int> parents_;
  std::vector<int> class_of_;  // by variable
  std::vector<Class> classes_;
  std::vector<Value> values_;  // by class
  int steps_ = 0;
};

}  // namespace

std::vector<bool> WitnessMaker::usual_parts() const {
  std::vector<bool> usual(sketch_.parts.size());
  for (std::size_t p = 0; p < usual.size(); ++p) {
    const auto& part = sketch_.parts[p];
    usual[p] =
        part.kind != Sketch::Part::Kind::unwanted && (part.parent < 0 || usual[static_cast<std::size_t>(part.parent)]);
  }
  return usual;
}

std::vector<bool> WitnessMaker::parts_with(std::size_t part, bool included) const {
  auto parts = usual_parts();
  if (parts[part] == included) return parts;
  parts[part] = included;
  if (included) {
    for (int outer = sketch_.parts[part].parent; outer >= 0;
         outer = sketch_.parts[static_cast<std::size_t>(outer)].parent)
      parts[static_cast<std::size_t>(outer)] = true;
  }
  for (std::size_t p = part + 1; p < parts.size(); ++p) {
    const auto& inner = sketch_.parts[p];
    const bool stands = parts[static_cast<std::size_t>(inner.parent)];
    parts[p] =
        stands && (parts[p] || (inner.kind != Sketch::Part::Kind::unwanted && inner.parent >= static_cast<int>(part)));
  }
  return parts;
}

std::optional<Witness> WitnessMaker::make(const WitnessRequest& request) const {
  if (!request.parts.empty()) return Solver(sketch_, model_, pools_, request, request.parts).solve();
  const auto parts = usual_parts();
  return Solver(sketch_, model_, pools_, request, parts).solve();
}

void WitnessMaker::close(std::vector<bool>& kept) const {
  const auto parts = usual_parts();
  for (bool changed = true; changed;) {
    changed = false;
    const auto mark = [&](int v) {
      if (kept[static_cast<std::size_t>(v)]) return;
      kept[static_cast<std::size_t>(v)] = true;
      changed = true;
    };
    for (const auto& equality : sketch_.equalities) {
      if (!parts[static_cast<std::size_t>(equality.part)]) continue;
      if (kept[static_cast<std::size_t>(equality.left)]) mark(equality.right);
      if (kept[static_cast<std::size_t>(equality.right)]) mark(equality.left);
    }
    for (const auto& row : sketch_.rows) {
      const auto& table = model_.tables[row.table];
      const bool is_one_row = std::ranges::any_of(table.keys, [&](const std::vector<int>& key) {
        return std::ranges::all_of(key, [&](int place) {
          return kept[static_cast<std::size_t>(row.first_variable) + static_cast<std::size_t>(place)];
        });
      });
      if (!is_one_row) continue;
      for (std::size_t c = 0; c < table.columns.size(); ++c) mark(row.first_variable + static_cast<int>(c));
    }
  }
}

}  // namespace trustsql::equiv
