#include "ext/services/parser_model.hpp"

#include <filesystem>

#include "semparse/model/model_store.hpp"
#include "semparse/parser.hpp"

namespace trustsql::ext {

namespace {

// The last model that was read from a file.
struct LoadedParserModel {
  std::string path;
  std::filesystem::file_time_type written;
  std::uintmax_t size = 0;
  std::shared_ptr<const semparse::ParserModel> model;
};

}  // namespace

Result<std::shared_ptr<const semparse::ParserModel>> parser_model_of(Session& session) {
  const auto& path = session.settings().text(Setting::nl2sql_model);
  if (path.empty()) return semparse::shipped_model();
  std::error_code error;
  const auto written = std::filesystem::last_write_time(path, error);
  const auto size = std::filesystem::file_size(path, error);
  auto& loaded = session.objects().shared<LoadedParserModel>();
  if (!error && loaded.model && loaded.path == path && loaded.written == written && loaded.size == size)
    return loaded.model;
  auto model = semparse::load_model(path);
  if (!model.ok()) return std::move(model).error().with_prefix("setting 'nl2sql_model'");
  loaded = {path, written, size, std::make_shared<const semparse::ParserModel>(*std::move(model))};
  return loaded.model;
}

}  // namespace trustsql::ext
