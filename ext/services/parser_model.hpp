// The model of the embedded parser that a connection uses: the one in this library, or the file that the setting
// nl2sql_model names.
#pragma once

#include <memory>

#include "ext/services/session.hpp"
#include "semparse/model/parser_model.hpp"

namespace trustsql::ext {

// Read once, and again when the setting or the file has changed. Null if the library's own model cannot be read.
// Errors: those of semparse::load_model(), with the setting's name.
Result<std::shared_ptr<const semparse::ParserModel>> parser_model_of(Session& session);

}  // namespace trustsql::ext
