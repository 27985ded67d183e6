#include "nl2sql/prompts/prompt_library.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/text.hpp"
#include "nl2sql/prompts/tables/tables.hpp"

namespace trustsql::nl2sql {

namespace {

constexpr std::span<const PromptSpec> (*tables[])() = {
    hallucinate_prompts, triage_prompts,  rewrite_prompts, generate_prompts, dail_prompts, c3_prompts,
    din_sql_prompts,     mac_sql_prompts, refine_prompts,  verify_prompts,   judge_prompts};

// A built-in prompt after parsing. A test checks that all of them can be parsed.
struct BuiltIn {
  PromptSpec spec;
  PromptShape shape;
  PromptTemplate parsed;
};

Result<BuiltIn> make(const PromptSpec& spec) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto shape, PromptShape::parse(spec.values));
  TRUSTSQL_ASSIGN_OR_RETURN(auto parsed, PromptTemplate::parse(spec.text, shape));
  return BuiltIn{spec, std::move(shape), std::move(parsed)};
}

// Sorted by name. A prompt that cannot be parsed is left out and is therefore unknown.
const std::vector<BuiltIn>& built_in() {
  static const std::vector<BuiltIn> all = [] {
    std::vector<BuiltIn> prompts;
    for (const auto& spec : prompt_specs()) {
      auto parsed = make(spec);
      assert(parsed.ok());
      if (parsed.ok()) prompts.push_back(std::move(parsed).value());
    }
    return prompts;
  }();
  return all;
}

Result<const BuiltIn*> find(std::string_view name) {
  const auto& all = built_in();
  const auto match = std::lower_bound(all.begin(), all.end(), name,
                                      [](const BuiltIn& b, std::string_view n) { return b.spec.name < n; });
  if (match != all.end() && match->spec.name == name) return &*match;
  std::vector<std::string_view> names;
  for (const auto& prompt : all) names.push_back(prompt.spec.name);
  return invalid_argument("there is no prompt " + quote_for_message(name) + "; there are " + join(names, ", "));
}

}  // namespace

std::span<const PromptSpec> prompt_specs() {
  static const std::vector<PromptSpec> all = [] {
    std::vector<PromptSpec> specs;
    for (const auto& table : tables) {
      const auto rows = table();
      specs.insert(specs.end(), rows.begin(), rows.end());
    }
    std::sort(specs.begin(), specs.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return specs;
  }();
  return all;
}

Result<std::vector<llm::Message>> PromptLibrary::render(std::string_view name, const PromptValues& values) const {
  const auto with_name = [&](Result<std::vector<llm::Message>> rendered) -> Result<std::vector<llm::Message>> {
    if (!rendered.ok()) return std::move(rendered).error().with_prefix("prompt " + std::string(name));
    return rendered;
  };
  if (const auto replaced = replaced_.find(name); replaced != replaced_.end())
    return with_name(replaced->second.parsed.render(values));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto* prompt, find(name));
  return with_name(prompt->parsed.render(values));
}

Result<std::string_view> PromptLibrary::text(std::string_view name) const {
  if (const auto replaced = replaced_.find(name); replaced != replaced_.end())
    return std::string_view(replaced->second.text);
  TRUSTSQL_ASSIGN_OR_RETURN(const auto* prompt, find(name));
  return prompt->spec.text;
}

Status PromptLibrary::replace(std::string_view name, std::string_view text) {
  TRUSTSQL_ASSIGN_OR_RETURN(const auto* prompt, find(name));
  auto parsed = PromptTemplate::parse(text, prompt->shape);
  if (!parsed.ok()) return std::move(parsed).error().with_prefix("prompt " + std::string(name));
  replaced_.insert_or_assign(std::string(name), Replacement{std::string(text), std::move(parsed).value()});
  return ok_status();
}

Status PromptLibrary::restore(std::string_view name) {
  TRUSTSQL_RETURN_IF_ERROR(find(name));
  if (const auto replaced = replaced_.find(name); replaced != replaced_.end()) replaced_.erase(replaced);
  return ok_status();
}

}  // namespace trustsql::nl2sql
