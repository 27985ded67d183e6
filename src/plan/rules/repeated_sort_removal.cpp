#include "plan/rules/repeated_sort_removal.hpp"

namespace trustsql::plan::rules {

namespace {

bool remove_repeated(Rel& rel, RuleContext&) {
  auto* outer = rel.as<Sort>();
  bool limited = false;
  const Rel* current = outer->input.get();
  while (true) {
    if (const auto* project = current->as<Project>()) {
      current = project->input.get();
    } else if (const auto* limit = current->as<Limit>()) {
      current = limit->input.get();
      limited = true;
    } else {
      break;
    }
  }
  const auto* inner = current->as<Sort>();
  if (inner == nullptr || !limited || inner->keys.size() != outer->keys.size()) return false;
  for (std::size_t i = 0; i < outer->keys.size(); ++i) {
    if (!(outer->keys[i] == inner->keys[i]) || is_volatile(outer->keys[i].expr)) return false;
  }
  replace_by_descendant(rel, *outer->input);
  return true;
}

}  // namespace

const Rule repeated_sort_removal{
    .name = "repeated_sort_removal",
    .kinds = rel_kinds<Sort>,
    .apply = remove_repeated,
    .example = repeated_sort_removal_example,
};

}  // namespace trustsql::plan::rules
