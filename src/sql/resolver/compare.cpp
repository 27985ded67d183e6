#include "base/text.hpp"
#include "sql/ast_walk.hpp"
#include "sql/folding.hpp"
#include "sql/resolver/name_resolver.hpp"

namespace trustsql::resolver {

namespace {

class Comparer {
 public:
  explicit Comparer(const ResolverContext& context) : context_(context) {}

  bool equal(const ast::Expr& a, const ast::Expr& b) const {
    const ast::Expr& left = under_alias(a);
    const ast::Expr& right = under_alias(b);
    const auto* left_ref = left.as<ast::ColumnRef>();
    const auto* right_ref = right.as<ast::ColumnRef>();
    if (left_ref != nullptr || right_ref != nullptr) return equal_names(left, right);
    const bool left_dropped = is_dropped(left, context_.options.version);
    if (left_dropped || is_dropped(right, context_.options.version))
      return left_dropped && is_dropped(right, context_.options.version) && folded_value(left) == folded_value(right);
    if (left.node.index() != right.node.index()) return false;
    return std::visit(
        [&](const auto& node) { return equal_nodes(node, std::get<std::decay_t<decltype(node)>>(right.node)); },
        left.node);
  }

  // The expression that an alias stands for; otherwise `expr` itself.
  const ast::Expr& under_alias(const ast::Expr& expr) const {
    const ast::Expr* original = &expr;
    while (const auto* binding = context_.tables.binding(*original)) {
      if (binding->kind != ColumnBinding::Kind::alias) break;
      const SelectWork* work = *context_.select_work_of.find(binding->select);
      original = work->items[static_cast<std::size_t>(binding->item)].expr;
    }
    return *original;
  }

 private:
  bool equal_names(const ast::Expr& a, const ast::Expr& b) const {
    const auto* left = context_.tables.binding(a);
    const auto* right = context_.tables.binding(b);
    if (left == nullptr || right == nullptr || left->kind != right->kind) return false;
    if (left->kind == ColumnBinding::Kind::string || left->kind == ColumnBinding::Kind::boolean) {
      const auto& text = a.as<ast::ColumnRef>()->column.text;
      const auto& other = b.as<ast::ColumnRef>()->column.text;
      return left->kind == ColumnBinding::Kind::string ? text == other : equals_ignore_case(text, other);
    }
    return left->column == right->column && left->more == right->more;
  }

  bool equal_nodes(const ast::Subquery&, const ast::Subquery&) const { return false; }
  bool equal_nodes(const ast::Exists&, const ast::Exists&) const { return false; }
  bool equal_nodes(const ast::Query&, const ast::Query&) const { return false; }
  bool equal_nodes(const ast::Expr& a, const ast::Expr& b) const { return equal(a, b); }
  template <ast::Node T>
  bool equal_nodes(const T& a, const T& b) const {
    return T::with_fields([&](const auto&... field) { return (... && equal_parts(a.*field.part, b.*field.part)); });
  }

  template <class T>
  bool equal_parts(const T& a, const T& b) const {
    if constexpr (ast::Node<T>) {
      return equal_nodes(a, b);
    } else {
      return a == b;
    }
  }
  template <class T>
  bool equal_parts(const ast::Box<T>& a, const ast::Box<T>& b) const {
    return a && b ? equal_parts(*a, *b) : !a && !b;
  }
  template <class T>
  bool equal_parts(const std::optional<T>& a, const std::optional<T>& b) const {
    return a && b ? equal_parts(*a, *b) : !a && !b;
  }
  template <class T>
  bool equal_parts(const std::vector<T>& a, const std::vector<T>& b) const {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!equal_parts(a[i], b[i])) return false;
    }
    return true;
  }
  template <class... T>
  bool equal_parts(const std::variant<T...>& a, const std::variant<T...>& b) const {
    if (a.index() != b.index()) return false;
    return std::visit([&](const auto& part) { return equal_parts(part, std::get<std::decay_t<decltype(part)>>(b)); },
                      a);
  }

  const ResolverContext& context_;
};

}  // namespace

Likeness compare(const ast::Expr& a, const ast::Expr& b, const ResolverContext& context) {
  const Comparer comparer(context);
  if (comparer.equal(a, b)) return Likeness::equal;
  const auto bare = [&](const ast::Expr& expr) -> const ast::Expr& { return skip_collate(comparer.under_alias(expr)); };
  const bool has_collate = &bare(a) != &comparer.under_alias(a) || &bare(b) != &comparer.under_alias(b);
  return has_collate && comparer.equal(bare(a), bare(b)) ? Likeness::differ_in_collation : Likeness::different;
}

}  // namespace trustsql::resolver
