// The settings of one connection: a fixed table of keys, each with a type, a range and a default.
//
// A value comes from (last wins) the default, the environment (TRUSTSQL_<KEY>, read once when the extension is loaded),
// or trustsql_config(key, value). To add a setting, add a value to the enum and a row to the table in
// setting_specs.hpp, in the same order.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/value.hpp"

namespace trustsql {

enum class Setting : std::size_t {
  timeout_ms,
  max_rows,
  max_bytes,
  max_length,
  max_expression_depth,
  max_compound_select,
  max_vdbe_ops,
  max_steps,
  snapshot_max_bytes,
  execution_cache_bytes,
  match_max_steps,
  equivalence_timeout_ms,
  threads,
  // Endpoints.
  llm_url,
  llm_api_key,
  llm_model,
  llm_model_triage,
  llm_model_rewrite,
  llm_model_schema,
  llm_model_generate,
  llm_model_refine,
  llm_model_verify,
  embed_url,
  embed_api_key,
  embed_model,
  llm_headers,
  llm_proxy,
  llm_ca_file,
  llm_allow_http,
  llm_send_rows,
  llm_send_examples,
  llm_connect_timeout_ms,
  llm_timeout_ms,
  llm_stall_timeout_ms,
  llm_retries,
  llm_retry_wait_ms,
  llm_max_response_bytes,
  llm_call_requests,
  llm_call_tokens,
  llm_connection_requests,
  llm_connection_tokens,
  llm_max_tokens,
  llm_seed,
  llm_concurrency,
  cache_path,
  cache_mode,
  // The pipeline.
  nl2sql_method,
  nl2sql_risk,
  nl2sql_penalty,
  nl2sql_model,
  nl2sql_value_index,
  link_index,
  glove_path,
  count_,
};
inline constexpr std::size_t setting_count = static_cast<std::size_t>(Setting::count_);

enum class SettingType { integer, text };

struct SettingSpec {
  Setting setting = Setting::count_;
  std::string_view key;
  SettingType type = SettingType::integer;
  std::string_view description;      // one sentence, with the unit
  std::int64_t default_integer = 0;  // for integers
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::string_view default_text = {};  // for texts
  std::string_view choices = {};       // the allowed ones, separated by '|'; empty: any
  bool secret = false;                 // shown masked, never stored or logged
  // For a secret that belongs to a server: the settings that may hold the URL of that server, separated by '|'; the
  // first that is not empty counts.
  std::string_view url_keys = {};
  bool url = false;  // shown with possible keys masked: user name, password, values of the query

  // The default as text.
  std::string default_value() const;
};

// The rows of setting_specs.hpp, in the order of enum Setting.
std::span<const SettingSpec> setting_specs();

class Settings {
 public:
  enum class Source { default_value, env, set };
  using Environment = std::function<std::optional<std::string>(std::string_view name)>;

  // Defaults, overlaid by what `environment` has under TRUSTSQL_<KEY>.
  // Error: a variable has a value that its setting does not accept; the message names the variable.
  static Result<Settings> create(const Environment& environment);
  // The environment of this process.
  static std::optional<std::string> process_environment(std::string_view name);

  // Preconditions: `setting` has that type.
  std::int64_t integer(Setting setting) const;
  const std::string& text(Setting setting) const;

  // By key, as trustsql_config does. Errors: an unknown key (the message lists the known ones), a value of the
  // wrong type or range. Setting NULL goes back to the environment's value or the default.
  Result<Value> get(std::string_view key) const;
  Status set(std::string_view key, ValueView value);

  // For a setting with url_keys, the URL that its value belongs to: the one in force when the value was set. A value
  // that was set before any URL belongs to the first URL that is set afterwards. A value from the environment belongs
  // to the URL in the environment; if there is none, to no URL (empty).
  const std::string& url_of(Setting setting) const { return entries_[static_cast<std::size_t>(setting)].url; }

  Source source(std::size_t index) const { return entries_[index].source; }
  // The value as trustsql_settings shows it: "********" for a secret that is set, and for the parts of a URL that may
  // be secret.
  Value display(std::size_t index) const;

  // Counts the changes; a value derived from settings is up to date as long as this number is the same.
  std::uint64_t generation() const { return generation_; }

 private:
  struct Entry {
    Value value;
    Source source = Source::default_value;
    std::string url = {};  // see url_of()
    Value reset_value;
    Source reset_source = Source::default_value;
    std::string reset_url = {};
  };
  std::string url_in_force(const SettingSpec& spec) const;

  std::array<Entry, setting_count> entries_;
  std::uint64_t generation_ = 0;
};

std::string_view source_name(Settings::Source source);

}  // namespace trustsql
