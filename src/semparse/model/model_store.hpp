// Model files on disk (their bytes: model_file.hpp).
#pragma once

#include <string>

#include "base/result.hpp"
#include "semparse/model/parser_model.hpp"

namespace trustsql::semparse {

// Whether a model may be written to `path`: its folder exists, and a file that is there is a model. Error (io): it may
// not.
Status check_model_path(const std::string& path);

// Writes `bytes`, of a model, to `path`; the file is complete at any time, and one that was there is replaced. Errors:
// those of check_model_path(), io.
Status save_model(const std::string& bytes, const std::string& path);

// Reads the model in the file `path`. Errors: io (it cannot be read), invalid_argument (it is no model, of another
// version, or damaged).
Result<ParserModel> load_model(const std::string& path);

}  // namespace trustsql::semparse
