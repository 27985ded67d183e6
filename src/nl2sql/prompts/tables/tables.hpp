// The tables of prompts, one for each source file in this folder; src/nl2sql/prompts/prompt_library.cpp combines them.
#pragma once

#include <span>

#include "nl2sql/prompts/prompt_library.hpp"

namespace trustsql::nl2sql {

std::span<const PromptSpec> triage_prompts();
std::span<const PromptSpec> hallucinate_prompts();
std::span<const PromptSpec> rewrite_prompts();
std::span<const PromptSpec> generate_prompts();
std::span<const PromptSpec> dail_prompts();
std::span<const PromptSpec> c3_prompts();
std::span<const PromptSpec> din_sql_prompts();
std::span<const PromptSpec> mac_sql_prompts();
std::span<const PromptSpec> refine_prompts();
std::span<const PromptSpec> verify_prompts();
std::span<const PromptSpec> judge_prompts();

}  // namespace trustsql::nl2sql
