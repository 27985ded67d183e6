#include "sql/ast_json.hpp"

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "base/type_traits.hpp"
#include "sql/ast_types.hpp"
#include "sql/printer.hpp"

namespace trustsql {

namespace {

// The names of enumerators, in their order.
constexpr std::string_view literal_kinds[] = {"null", "integer",      "real",         "string",
                                              "blob", "current_date", "current_time", "current_timestamp"};
constexpr std::string_view quotes[] = {"none", "double_quotes", "backticks", "brackets", "single_quotes"};
constexpr std::string_view frame_units[] = {"rows", "range", "groups"};
constexpr std::string_view frame_excludes[] = {"no_others", "current_row", "group", "ties"};
constexpr std::string_view bound_kinds[] = {"unbounded_preceding", "preceding", "current_row", "following",
                                            "unbounded_following"};
constexpr std::string_view nulls_orders[] = {"unstated", "first", "last"};
constexpr std::string_view join_types[] = {"comma", "inner", "cross", "left", "right", "full"};
constexpr std::string_view materialized[] = {"unstated", "yes", "no"};

template <class Enum>
std::string_view enumerator(Enum value) {
  const auto index = static_cast<std::size_t>(value);
  if constexpr (std::is_same_v<Enum, ast::Literal::Kind>)
    return literal_kinds[index];
  else if constexpr (std::is_same_v<Enum, ast::FrameUnit>)
    return frame_units[index];
  else if constexpr (std::is_same_v<Enum, ast::FrameExclude>)
    return frame_excludes[index];
  else if constexpr (std::is_same_v<Enum, ast::FrameBound::Kind>)
    return bound_kinds[index];
  else if constexpr (std::is_same_v<Enum, ast::NullsOrder>)
    return nulls_orders[index];
  else if constexpr (std::is_same_v<Enum, ast::JoinType>)
    return join_types[index];
  else if constexpr (std::is_same_v<Enum, ast::Materialized>)
    return materialized[index];
  else
    return operator_text(value);
}

template <class T>
bool is_absent(const T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return !value;
  else if constexpr (std::is_same_v<T, ast::NullsOrder> || std::is_same_v<T, ast::Materialized>)
    return value == T::unstated;
  else if constexpr (is_instance_of<T, std::variant>)
    return false;
  else if constexpr (requires { value.empty(); } && !std::is_same_v<T, std::string>)
    return value.empty();
  else if constexpr (Nullable<T>)
    return !value;
  else
    return false;
}

class AstWriter {
 public:
  template <class T>
  void write(const T& value) {
    if constexpr (std::is_same_v<T, ast::Expr>) {
      std::visit([&](const auto& node) { write(node); }, value.node);
    } else if constexpr (std::is_same_v<T, ast::Literal>) {
      write_literal(value);
    } else if constexpr (ast::Node<T>) {
      json_.begin_object().key("type").value(node_type<T>);
      T::with_fields([&](const auto&... field) { (write_field(field.name, value.*field.part), ...); });
      json_.end_object();
    } else if constexpr (std::is_same_v<T, ast::Name>) {
      write(value.text);
    } else if constexpr (std::is_enum_v<T>) {
      json_.value(enumerator(value));
    } else if constexpr (is_instance_of<T, std::variant>) {
      std::visit([&](const auto& held) { write(held); }, value);
    } else if constexpr (std::is_same_v<T, bool>) {
      json_.value(value);
    } else if constexpr (std::is_same_v<T, std::string>) {
      is_valid_ &= is_valid_utf8(value);
      json_.value(value);
    } else if constexpr (is_instance_of<T, std::vector>) {
      json_.begin_array();
      for (const auto& element : value) write(element);
      json_.end_array();
    } else {
      write(*value);
    }
  }

  // Error: invalid_argument (a text of the query is not valid UTF-8).
  Result<std::string> text() && {
    if (!is_valid_) return invalid_argument("the query contains text that is not valid UTF-8");
    return std::move(json_).text();
  }

 private:
  void write_literal(const ast::Literal& literal) {
    json_.begin_object().key("type").value("Literal").key("kind").value(enumerator(literal.kind));
    if (literal.kind == ast::Literal::Kind::blob) {
      json_.key("text").value(format_value(ValueView::of_blob(literal.text)));
    } else if (!literal.text.empty() || literal.kind == ast::Literal::Kind::string) {
      json_.key("text");
      write(literal.text);
    }
    json_.end_object();
  }

  void write_quote(std::string_view field, const ast::Name& name) {
    if (name.quote != ast::Quote::none)
      json_.key(std::string(field) + "_quote").value(quotes[static_cast<std::size_t>(name.quote)]);
  }

  template <class T>
  void write_field(std::string_view field, const T& value) {
    if (is_absent(value)) return;
    json_.key(field);
    write(value);
    if constexpr (std::is_same_v<T, ast::Name>) write_quote(field, value);
    if constexpr (std::is_same_v<T, ast::Box<ast::Name>> || std::is_same_v<T, std::optional<ast::Name>>)
      write_quote(field, *value);
  }

  JsonWriter json_;
  bool is_valid_ = true;
};

}  // namespace

Result<std::string> to_json(const ast::Query& query) {
  AstWriter writer;
  writer.write(query);
  return std::move(writer).text();
}

}  // namespace trustsql
