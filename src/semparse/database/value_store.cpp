#include "semparse/database/value_store.hpp"

#include <utility>

#include "base/value.hpp"
#include "semparse/learning/model_bytes.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::string_view store_format = "trustsql values 1, " TRUSTSQL_VERSION "\n";
constexpr std::uint64_t check_seed = 0x76616c75;
constexpr std::size_t bytes_of_character = 4;

std::string space_of(const FileState& state) { return "values of " + state.path; }

// What an entry begins with: it fits only what has the same.
std::string heading_of(const FileState& state, const ValueStore::Column& column) {
  PartWriter heading;
  heading.bytes(store_format);
  heading.part(state.sign);
  heading.part(column.table);
  heading.part(column.name);
  heading.varint(static_cast<std::uint64_t>(column.max_values));
  heading.varint(static_cast<std::uint64_t>(column.max_value_bytes));
  return heading.take();
}

std::string column_key_of(const ValueStore::Column& column) {
  PartWriter key;
  key.part(column.table);
  key.part(column.name);
  return key.take();
}

// `result`, its error with the setting that names the file.
template <class T>
T with_setting(T result) {
  if (result.ok()) return result;
  return std::move(result).error().with_prefix("setting 'nl2sql_value_index'");
}

}  // namespace

Result<std::shared_ptr<ValueStore>> ValueStore::open(const std::string& path) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto file, with_setting(SideStore::open(path, SideStore::Mode::read_write)));
  return std::shared_ptr<ValueStore>(new ValueStore(std::move(file)));
}

Status ValueStore::begin(const FileState& state) {
  const std::vector<std::string> key = {"state"};
  const std::vector<std::string> now = {std::string(store_format) + state.sign};
  TRUSTSQL_ASSIGN_OR_RETURN(const auto kept, with_setting(file_->get(space_of(state), key)));
  if (kept.front() == now.front()) return ok_status();
  TRUSTSQL_RETURN_IF_ERROR(with_setting(file_->clear(space_of(state))));
  return with_setting(file_->put(space_of(state), key, now));
}

Result<std::optional<std::vector<std::string>>> ValueStore::get(const FileState& state, const Column& column) {
  const std::optional<std::vector<std::string>> none;
  const std::vector<std::string> key = {column_key_of(column)};
  TRUSTSQL_ASSIGN_OR_RETURN(const auto kept, with_setting(file_->get(space_of(state), key)));
  if (!kept.front()) return none;
  const std::string_view entry = *kept.front();
  constexpr std::size_t check_bytes = 8;
  if (entry.size() < check_bytes) return none;
  const auto body = entry.substr(0, entry.size() - check_bytes);
  if (PartReader(entry.substr(body.size())).fixed64() != hash_bytes(body, check_seed)) return none;
  PartReader reader(body);
  if (!reader.skip(heading_of(state, column))) return none;
  const auto count = reader.count(1);
  if (count > static_cast<std::size_t>(column.max_values)) return none;
  std::vector<std::string> texts;
  texts.reserve(count);
  for (std::size_t i = 0; i < count && reader.ok(); ++i) {
    texts.emplace_back(reader.part());
    if (texts.back().size() > bytes_of_character * static_cast<std::size_t>(column.max_value_bytes)) return none;
  }
  return reader.at_end() ? std::optional(std::move(texts)) : none;
}

Status ValueStore::put(const FileState& state, const Column& column, const std::vector<std::string>& texts) {
  PartWriter entry;
  entry.bytes(heading_of(state, column));
  entry.varint(texts.size());
  for (const auto& text : texts) entry.part(text);
  auto bytes = entry.take();
  PartWriter check;
  check.fixed64(hash_bytes(bytes, check_seed));
  bytes += check.take();
  const std::vector<std::string> key = {column_key_of(column)};
  const std::vector<std::string> value = {std::move(bytes)};
  return with_setting(file_->put(space_of(state), key, value));
}

}  // namespace trustsql::semparse
