#include "base/settings.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/text.hpp"

namespace trustsql {

namespace {

constexpr std::int64_t kibi = 1024;
constexpr std::int64_t mebi = kibi * kibi;
constexpr std::int64_t gibi = mebi * kibi;

constexpr std::int64_t day_ms = 24 * 3600 * 1000;
constexpr std::int64_t maximum = std::int64_t{1} << 40;

constexpr SettingSpec text(std::string_view key, std::string_view description, std::string_view default_value = {}) {
  return {key, SettingType::text, default_value, description};
}
constexpr SettingSpec secret(std::string_view key, std::string_view description, std::string_view url_keys = {}) {
  return {.key = key,
          .type = SettingType::text,
          .default_value = {},
          .description = description,
          .secret = true,
          .url_keys = url_keys};
}
constexpr SettingSpec url(std::string_view key, std::string_view description) {
  return {.key = key, .type = SettingType::text, .default_value = {}, .description = description, .url = true};
}

constexpr std::string_view mask = "********";

// `url` with its user name and password, the values of its query except api-version, and its fragment masked.
// Everything up to the last @ before the query may be a password, whatever it looks like: the URL need not be valid.
std::string masked_url(std::string_view url) {
  const auto scheme = url.find("://");
  std::string shown(url.substr(0, scheme == std::string_view::npos ? 0 : scheme + 3));
  std::string_view rest = url.substr(shown.size());
  const auto query = rest.find_first_of("?#");
  std::string_view authority_and_path = rest.substr(0, query);
  if (const auto at = authority_and_path.rfind('@'); at != std::string_view::npos) {
    shown += mask;
    authority_and_path.remove_prefix(at);
  }
  shown += authority_and_path;
  if (query == std::string_view::npos) return shown;
  shown += rest[query];
  std::vector<std::string> parameters;
  for (const auto parameter : split(rest.substr(query + 1), '&')) {
    const auto equals = parameter.find('=');
    const std::string name(equals == std::string_view::npos ? std::string_view() : parameter.substr(0, equals + 1));
    parameters.push_back(name == "api-version=" && parameter.find('#') == std::string_view::npos
                             ? std::string(parameter)
                             : name + (parameter.empty() ? "" : std::string(mask)));
  }
  return shown + join(parameters, "&");
}

// In the order of enum Setting.
constexpr std::array<SettingSpec, setting_count> specs = {{
    {"timeout_ms", SettingType::integer, "10000", "milliseconds that one query may run in the sandbox", 1, day_ms},
    {"max_rows", SettingType::integer, "2000000", "rows that one query in the sandbox may return", 1,
     std::int64_t{1} << 40},
    {"max_bytes", SettingType::integer, "536870912", "bytes that the rows of one query in the sandbox may take", kibi,
     64 * gibi},
    {"max_length", SettingType::integer, "16777216", "bytes of the longest text, blob or SQL text in the sandbox", kibi,
     gibi},
    {"max_expression_depth", SettingType::integer, "1000", "depth of the deepest expression in the sandbox", 10, 1000},
    {"max_compound_select", SettingType::integer, "100", "SELECTs that one compound query in the sandbox may have", 1,
     500},
    {"max_vdbe_ops", SettingType::integer, "100000", "instructions of the longest program that the sandbox prepares",
     100, 250000000},
    {"snapshot_max_bytes", SettingType::integer, "268435456",
     "bytes of the largest database that is copied because it cannot be opened a second time (in memory, or inside a "
     "write transaction)",
     kibi, 64 * gibi},
    {"execution_cache_bytes", SettingType::integer, "67108864",
     "bytes of query results that are kept for reuse within a statement; 0 keeps none", 0, 64 * gibi},
    {"match_max_steps", SettingType::integer, "1000000",
     "column assignments that the search for a matching permutation tries before it gives up", 1,
     std::int64_t{1} << 40},
    {"equivalence_timeout_ms", SettingType::integer, "5000",
     "milliseconds that sql_equivalent, sql_compare and sql_counterexample may spend on a pair of queries before they "
     "say unknown",
     1, day_ms},
    {"threads", SettingType::integer, "0",
     "threads that aggregates and table-valued functions use; 0 means one per processor", 0, 256},

    url("llm_url",
        "base URL of an OpenAI-compatible server for language models, such as http://127.0.0.1:11434/v1; empty: no "
        "server is called"),
    secret("llm_api_key",
           "API key for the server that llm_url names when the key is set (scheme, host and port); set it again after "
           "changing the server; if it is empty and the server is https://api.openai.com, the environment variable "
           "OPENAI_API_KEY is used",
           "llm_url"),
    text("llm_model", "name of the language model"),
    text("llm_model_triage", "name of the model that says whether a question can be answered; empty: llm_model"),
    text("llm_model_rewrite", "name of the model that rewrites questions; empty: llm_model"),
    text("llm_model_schema", "name of the model that hallucinates a schema from a question; empty: llm_model"),
    text("llm_model_generate", "name of the model that writes SQL; empty: llm_model"),
    text("llm_model_refine", "name of the model that fixes SQL; empty: llm_model"),
    text("llm_model_verify", "name of the model that looks for errors in SQL; empty: llm_model"),
    url("embed_url",
        "base URL of an OpenAI-compatible server for embeddings; empty: llm_url if embed_model is set, otherwise no "
        "server is called"),
    secret("embed_api_key",
           "API key for the server that embed_url (or llm_url, if that is empty) names when the key is set; empty: "
           "llm_api_key, if it belongs to the same server",
           "embed_url|llm_url"),
    text("embed_model", "name of the model for embeddings"),
    secret("llm_headers",
           "additional HTTP headers for the server that llm_url names when they are set, as a JSON object from name to "
           "value",
           "llm_url"),
    secret("llm_proxy", "URL of a proxy for hosts other than this machine; empty: none, whatever the environment says"),
    text("llm_ca_file", "PEM file with the certificates of the trusted authorities; empty: the system's"),
    {"llm_allow_http", SettingType::integer, "0", "1: http without TLS is allowed for hosts other than this machine", 0,
     1},
    {"llm_send_rows", SettingType::text, "loopback",
     "whether prompts may contain values from the database: loopback (only if the server is on this machine), always "
     "or never",
     0, 0, "loopback|always|never"},
    {"llm_send_examples", SettingType::text, "as_rows",
     "whether examples (trustsql_examples), whose questions and SQL contain values, may be sent to servers of language "
     "models and embeddings: as_rows (as llm_send_rows decides for each server), always or never",
     0, 0, "as_rows|always|never"},
    {"llm_connect_timeout_ms", SettingType::integer, "10000", "milliseconds to wait for a connection to a server", 1,
     day_ms},
    {"llm_timeout_ms", SettingType::integer, "120000", "milliseconds that one attempt at a request may take", 1,
     day_ms},
    {"llm_stall_timeout_ms", SettingType::integer, "30000",
     "milliseconds without a byte after which a response that has begun is abandoned", 1, day_ms},
    {"llm_retries", SettingType::integer, "4", "how often a request is retried after a transient failure", 0, 100},
    {"llm_retry_wait_ms", SettingType::integer, "60000",
     "longest wait before a request is retried, in milliseconds; if the server asks for a longer one (Retry-After), "
     "the request is not retried",
     0, day_ms},
    {"llm_max_response_bytes", SettingType::integer, "16777216", "bytes of the longest response that a server may send",
     kibi, gibi},
    {"llm_call_requests", SettingType::integer, "0",
     "requests that one function call may send, including retries; 0: unlimited", 0, maximum},
    {"llm_call_tokens", SettingType::integer, "0",
     "tokens after which a function call sends no further request; 0: unlimited", 0, maximum},
    {"llm_connection_requests", SettingType::integer, "0", "requests that this connection may send; 0: unlimited", 0,
     maximum},
    {"llm_connection_tokens", SettingType::integer, "0",
     "tokens after which this connection sends no further request; 0: unlimited", 0, maximum},
    {"llm_max_tokens", SettingType::integer, "0", "tokens of the longest reply to request; 0: the server decides", 0,
     1 << 30},
    {"llm_seed", SettingType::integer, "-1", "seed that is sent with requests; -1: none", -1, std::int64_t{1} << 53},
    {"llm_concurrency", SettingType::integer, "16", "requests that may be in flight at the same time", 1, 1024},
    text("cache_path", "SQLite file in which the responses of servers are cached; empty: no cache"),
    {"cache_mode", SettingType::text, "readwrite",
     "how the file cache_path is used: readwrite asks servers for what is missing and adds it; replay asks no server, "
     "and what is missing is an error; off ignores the file",
     0, 0, "off|readwrite|replay"},

    text("nl2sql_method", "method that nl2sql uses if its options name none, by its name in the papers", "DART->RUNS"),
    text("link_index",
         "where the vectors of schema elements are stored: a separate SQLite file, or 'table:main' (or another schema "
         "of this connection) for a table trustsql_vectors; empty: nowhere"),
    text("glove_path",
         "text file with word vectors in the GloVe format, used to choose rows for a prompt; empty: the built-in "
         "vectors"),
}};

std::string env_name(const SettingSpec& spec) {
  std::string name = "TRUSTSQL_";
  for (const char c : spec.key) name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

Result<std::int64_t> to_integer(const SettingSpec& spec, ValueView value) {
  std::optional<std::int64_t> parsed;
  if (value.type == ValueType::integer) parsed = value.integer;
  // Within the range of integers, before it becomes one.
  constexpr double end_of_integers = 9223372036854775808.0;
  if (value.type == ValueType::real && value.real >= -end_of_integers && value.real < end_of_integers &&
      value.real == std::trunc(value.real))
    parsed = static_cast<std::int64_t>(value.real);
  if (value.type == ValueType::text) {
    const auto text = trim(value.bytes);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) parsed = number;
  }
  if (!parsed || *parsed < spec.min || *parsed > spec.max) {
    return invalid_argument("setting '" + std::string(spec.key) + "' must be an integer from " +
                            std::to_string(spec.min) + " to " + std::to_string(spec.max) + ", not " +
                            quote_for_message(format_value(value)));
  }
  return *parsed;
}

Result<Value> to_setting(const SettingSpec& spec, ValueView value) {
  if (spec.type == SettingType::integer) {
    TRUSTSQL_ASSIGN_OR_RETURN(const std::int64_t number, to_integer(spec, value));
    return Value(number);
  }
  if (value.type != ValueType::text) return invalid_argument("setting '" + std::string(spec.key) + "' must be a text");
  // File paths and server names would end at a NUL.
  if (value.bytes.find('\0') != std::string_view::npos)
    return invalid_argument("setting '" + std::string(spec.key) + "' must be a text without a NUL character");
  if (!spec.choices.empty()) {
    const auto choices = split(spec.choices, '|');
    bool known = false;
    for (const auto choice : choices) known = known || choice == value.bytes;
    if (!known) {
      return invalid_argument("setting '" + std::string(spec.key) + "' must be one of " + join(choices, ", ") +
                              ", not " + (spec.secret ? std::string("this value") : quote_for_message(value.bytes)));
    }
  }
  return Value(std::string(value.bytes));
}

Result<std::size_t> find(std::string_view key) {
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (specs[i].key == key) return i;
  std::vector<std::string_view> keys;
  for (const auto& spec : specs) keys.push_back(spec.key);
  return invalid_argument("unknown setting " + quote_for_message(key) + "; known: " + join(keys, ", "));
}

}  // namespace

std::span<const SettingSpec> setting_specs() { return specs; }

std::string_view source_name(Settings::Source source) {
  switch (source) {
    case Settings::Source::default_value: return "default";
    case Settings::Source::env: return "env";
    case Settings::Source::set: return "set";
  }
  return "";
}

Result<Settings> Settings::create(const Environment& environment) {
  Settings settings;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    Entry& entry = settings.entries_[i];
    std::string text(specs[i].default_value);
    if (auto variable = environment(env_name(specs[i])); variable && !variable->empty()) {
      text = std::move(*variable);
      entry.source = Source::env;
    }
    auto value = to_setting(specs[i], ValueView::of_text(text));
    if (!value.ok()) return std::move(value).error().with_prefix("environment variable " + env_name(specs[i]));
    entry.value = std::move(value).value();
    entry.reset_value = entry.value;
    entry.reset_source = entry.source;
  }
  for (std::size_t i = 0; i < specs.size(); ++i)
    settings.entries_[i].url = settings.entries_[i].reset_url = settings.url_in_force(specs[i]);
  return settings;
}

std::optional<std::string> Settings::process_environment(std::string_view name) {
  const char* value =
      std::getenv(std::string(name).c_str());  // NOLINT(concurrency-mt-unsafe): nothing here calls setenv
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

std::int64_t Settings::integer(Setting setting) const {
  return *std::get_if<std::int64_t>(&entries_[static_cast<std::size_t>(setting)].value);
}

const std::string& Settings::text(Setting setting) const {
  return *std::get_if<std::string>(&entries_[static_cast<std::size_t>(setting)].value);
}

Result<Value> Settings::get(std::string_view key) const {
  TRUSTSQL_ASSIGN_OR_RETURN(const std::size_t index, find(key));
  return display(index);
}

Status Settings::set(std::string_view key, ValueView value) {
  TRUSTSQL_ASSIGN_OR_RETURN(const std::size_t index, find(key));
  Entry& entry = entries_[index];
  if (value.is_null()) {
    entry.value = entry.reset_value;
    entry.source = entry.reset_source;
    entry.url = entry.reset_url;
  } else {
    TRUSTSQL_ASSIGN_OR_RETURN(entry.value, to_setting(specs[index], value));
    entry.source = Source::set;
    entry.url = url_in_force(specs[index]);
  }
  for (std::size_t i = 0; i < specs.size(); ++i) {
    Entry& other = entries_[i];
    if (other.source == Source::set && other.url.empty()) other.url = url_in_force(specs[i]);
  }
  ++generation_;
  return ok_status();
}

// The first URL in the settings `url_keys` that is not empty.
std::string Settings::url_in_force(const SettingSpec& spec) const {
  if (spec.url_keys.empty()) return {};
  for (const auto key : split(spec.url_keys, '|')) {
    const auto index = find(key);
    if (const auto* url = std::get_if<std::string>(&entries_[index.value()].value); !url->empty()) return *url;
  }
  return {};
}

Value Settings::display(std::size_t index) const {
  const Value& value = entries_[index].value;
  if (specs[index].secret && view(value).bytes.size() > 0) return Value(std::string(mask));
  if (specs[index].url) return Value(masked_url(view(value).bytes));
  return value;
}

}  // namespace trustsql
