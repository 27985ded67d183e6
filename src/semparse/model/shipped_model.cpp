// The model that this library carries: the bytes of weights/parser.model, which the assembler puts into the read-only
// data. docs/results.md says how it was trained, and with which command.

#include <string_view>

#include "semparse/model/model_file.hpp"
#include "semparse/parser.hpp"

asm(".section .rodata\n"
    ".balign 8\n"
    ".hidden trustsql_parser_model\n"
    ".hidden trustsql_parser_model_end\n"
    ".globl trustsql_parser_model\n"
    ".globl trustsql_parser_model_end\n"
    "trustsql_parser_model:\n"
    ".incbin \"" TRUSTSQL_PARSER_MODEL
    "\"\n"
    "trustsql_parser_model_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" {
extern const char trustsql_parser_model[] __attribute__((visibility("hidden")));
extern const char trustsql_parser_model_end[] __attribute__((visibility("hidden")));
}

namespace trustsql::semparse {

std::shared_ptr<const ParserModel> shipped_model() {
  static const std::shared_ptr<const ParserModel> model = [] {
    const auto size = static_cast<std::size_t>(trustsql_parser_model_end - trustsql_parser_model);
    auto read = read_model({trustsql_parser_model, size});
    return read.ok() ? std::make_shared<const ParserModel>(std::move(read).value()) : nullptr;
  }();
  return model;
}

}  // namespace trustsql::semparse
