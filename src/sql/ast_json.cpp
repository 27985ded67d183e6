#include "sql/ast_json.hpp"

#include <nlohmann/json.hpp>

#include "base/json_release.hpp"
#include "base/text.hpp"
#include "base/type_traits.hpp"
#include "sql/ast_types.hpp"
#include "sql/printer.hpp"

namespace trustsql {

namespace {

using Json = nlohmann::ordered_json;

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
Json value_of(const T& value);

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

void add_quote(Json& object, std::string_view field, const ast::Name& name) {
  if (name.quote != ast::Quote::none)
    object[std::string(field) + "_quote"] = quotes[static_cast<std::size_t>(name.quote)];
}

template <class T>
void add_field(Json& object, std::string_view field, const T& value) {
  if (is_absent(value)) return;
  object[std::string(field)] = value_of(value);
  if constexpr (std::is_same_v<T, ast::Name>) add_quote(object, field, value);
  if constexpr (std::is_same_v<T, ast::Box<ast::Name>> || std::is_same_v<T, std::optional<ast::Name>>)
    add_quote(object, field, *value);
}

template <class T>
Json value_of(const T& value) {
  if constexpr (std::is_same_v<T, ast::Expr>) {
    return std::visit([](const auto& node) { return value_of(node); }, value.node);
  } else if constexpr (std::is_same_v<T, ast::Literal>) {
    Json object = Json::object();
    object["type"] = "Literal";
    object["kind"] = enumerator(value.kind);
    if (value.kind == ast::Literal::Kind::blob) {
      object["text"] = format_value(ValueView::of_blob(value.text));
    } else if (!value.text.empty() || value.kind == ast::Literal::Kind::string) {
      object["text"] = value.text;
    }
    return object;
  } else if constexpr (ast::Node<T>) {
    Json object = Json::object();
    std::apply(
        [&](const auto&... field) {
          // The object is a vector, which would copy and destroy its elements as it grows; their destructor allocates.
          object.template get_ref<Json::object_t&>().reserve(1 + 2 * sizeof...(field));
          object["type"] = node_type<T>;
          (add_field(object, field.name, value.*field.part), ...);
        },
        T::fields());
    return object;
  } else if constexpr (std::is_same_v<T, ast::Name>) {
    return value.text;
  } else if constexpr (std::is_enum_v<T>) {
    return enumerator(value);
  } else if constexpr (is_instance_of<T, std::variant>) {
    return std::visit([](const auto& held) { return value_of(held); }, value);
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (is_instance_of<T, std::vector>) {
    Json list = Json::array();
    for (const auto& element : value) list.push_back(value_of(element));
    return list;
  } else {
    return value_of(*value);
  }
}

}  // namespace

Result<std::string> to_json(const ast::Query& query) {
  try {
    Json json = value_of(query);
    const JsonRelease release(json);
    return json.dump();
  } catch (const Json::type_error&) {
    return invalid_argument("the query contains text that is not valid UTF-8");
  }
}

}  // namespace trustsql
