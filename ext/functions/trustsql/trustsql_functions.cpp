// The trustsql_ family: the extension itself, its functions and its settings.

#include <nlohmann/json.hpp>

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/adaptor/table.hpp"
#include "ext/build_info.hpp"
#include "ext/registry.hpp"
#include "ext/services/loaded_session.hpp"
#include "link/lexicon/lexicon.hpp"

namespace trustsql::ext {

namespace {

std::string version() { return TRUSTSQL_VERSION; }

std::string debug() {
  JsonWriter info;
  info.begin_object();
  info.key("version").value(TRUSTSQL_VERSION);
  info.key("commit").value(build_commit());
  info.key("build_type").value(build_type());
  info.key("compiler").value(__VERSION__);
  info.key("static").value(build_is_static());
  info.key("sqlite").value(sqlite3_libversion());
  info.key("sqlite_source").value(sqlite3_sourceid());
  info.key("sqlite_header").value(SQLITE_VERSION);
  info.key("sqlite_threadsafe").value(sqlite3_threadsafe());
  info.key("lexicon_words").value(link::lexicon::word_count());  // 0: built without WordNet
  info.key("nlohmann_json")
      .value(std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." + std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
             std::to_string(NLOHMANN_JSON_VERSION_PATCH));
  return std::move(info.end_object()).text();
}

Result<Value> config_read(Session& session, const ConfigKey& key) {
  if (key.slot == nullptr) return session.settings().get(key.name);
  *key.slot = session.shared_from_this();
  return Value();
}

Result<Value> config_write(Session& session, std::string_view key, ValueView value) {
  TRUSTSQL_RETURN_IF_ERROR(session.settings().set(key, value));
  return session.settings().get(key);
}

Result<ResultSet> list_functions(Session& session) {
  ResultSet rows({"name", "kind", "signature", "summary", "example"});
  for (const auto* spec : functions_of(session.entry_point())) {
    for (const auto text : {spec->name, kind_name(spec->kind), spec->signature, spec->summary, spec->example})
      rows.append(ValueView::of_text(text));
  }
  return rows;
}

Result<ResultSet> list_settings(Session& session) {
  ResultSet rows({"key", "value", "default", "source", "description"});
  for (std::size_t i = 0; i < setting_specs().size(); ++i) {
    const auto& spec = setting_specs()[i];
    rows.append(ValueView::of_text(spec.key));
    rows.append(trustsql::view(session.settings().display(i)));
    rows.append(ValueView::of_text(spec.default_value()));
    rows.append(ValueView::of_text(source_name(session.settings().source(i))));
    rows.append(ValueView::of_text(spec.description));
  }
  return rows;
}

}  // namespace

std::span<const FunctionSpec> trustsql_functions() {
  static constexpr FunctionSpec functions[] = {
      scalar<version>({.name = "trustsql_version",
                       .signature = "trustsql_version()",
                       .summary = "The version of this extension.",
                       .example = "SELECT trustsql_version(); -- " TRUSTSQL_VERSION}),
      scalar<debug>({.name = "trustsql_debug",
                     .signature = "trustsql_debug()",
                     .summary = "How this extension was built, as JSON: version, commit, compiler, the versions of its "
                                "libraries, the number of words in its lexicon (0: built without WordNet).",
                     .example = "SELECT json_extract(trustsql_debug(), '$.version'); -- " TRUSTSQL_VERSION}),
      scalar<config_read>({.name = "trustsql_config",
                           .signature = "trustsql_config(key)",
                           .summary = "The value of a setting of this connection; a secret is masked, also in a URL.",
                           .example = "SELECT trustsql_config('timeout_ms'); -- 10000",
                           .effect = Effect::state}),
      scalar<config_write>({.name = "trustsql_config",
                            .signature = "trustsql_config(key, value)",
                            .summary = "Sets a setting of this connection and returns its new value; NULL resets it.",
                            .example = "SELECT trustsql_config('timeout_ms', 2000); -- 2000",
                            .effect = Effect::state}),
      table<list_functions>(
          {.name = "trustsql_functions",
           .signature = "trustsql_functions",
           .summary = "The functions that this connection has.",
           .example = "SELECT kind FROM trustsql_functions WHERE name = 'trustsql_version'; -- scalar",
           .columns = "name TEXT, kind TEXT, signature TEXT, summary TEXT, example TEXT"}),
      table<list_settings>(
          {.name = "trustsql_settings",
           .signature = "trustsql_settings",
           .summary =
               "The settings of this connection: their values (secrets masked), defaults and where each comes from.",
           .example = "SELECT \"default\" FROM trustsql_settings WHERE key = 'max_rows'; -- 2000000",
           .columns = "key TEXT, value, \"default\" TEXT, source TEXT, description TEXT",
           .effect = Effect::state}),
  };
  return functions;
}

}  // namespace trustsql::ext
