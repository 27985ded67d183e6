#include "ext/adaptor/function.hpp"

#include "base/text.hpp"

namespace trustsql::ext {

std::string_view kind_name(FunctionKind kind) {
  switch (kind) {
    case FunctionKind::scalar: return "scalar";
    case FunctionKind::aggregate: return "aggregate";
    case FunctionKind::window: return "window";
    case FunctionKind::table: return "table";
  }
  return "";
}

std::string argument_name(const FunctionSpec& spec, int index) {
  auto list = spec.signature;
  const auto open = list.find('(');
  if (open == std::string_view::npos) return {};
  list = list.substr(open + 1, list.rfind(')') - open - 1);
  int i = 0;
  for (auto part : split(list, ',')) {
    while (!part.empty() && (is_space(part.front()) || part.front() == '[')) part.remove_prefix(1);
    while (!part.empty() && (is_space(part.back()) || part.back() == ']' || part.back() == '[')) part.remove_suffix(1);
    if (i++ == index) return std::string(part);
  }
  return {};
}

void destroy_binding(void* binding) noexcept { std::unique_ptr<Binding>(static_cast<Binding*>(binding)).reset(); }

int sqlite_flags(const FunctionSpec& spec) {
  constexpr int pure = SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  return SQLITE_UTF8 | (spec.effect == Effect::none ? pure : SQLITE_DIRECTONLY);
}

}  // namespace trustsql::ext
