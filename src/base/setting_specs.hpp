// The table of settings: the default, range and documentation of each are stated here and nowhere else.
//
// A struct of limits takes its defaults from it: int max_vdbe_ops = default_integer(Setting::max_vdbe_ops).
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/settings.hpp"

namespace trustsql {

namespace setting_rows {

inline constexpr std::int64_t kibi = 1024;
inline constexpr std::int64_t mebi = kibi * kibi;
inline constexpr std::int64_t gibi = mebi * kibi;
inline constexpr std::int64_t day_ms = 24 * 3600 * 1000;
inline constexpr std::int64_t maximum = std::int64_t{1} << 40;

constexpr SettingSpec integer(Setting setting, std::string_view key, std::int64_t default_value,
                              std::string_view description, std::int64_t min, std::int64_t max) {
  return {.setting = setting,
          .key = key,
          .type = SettingType::integer,
          .description = description,
          .default_integer = default_value,
          .min = min,
          .max = max};
}
constexpr SettingSpec text(Setting setting, std::string_view key, std::string_view description,
                           std::string_view default_value = {}) {
  return {.setting = setting,
          .key = key,
          .type = SettingType::text,
          .description = description,
          .default_text = default_value};
}
// `choices`: the allowed texts, separated by '|'.
constexpr SettingSpec choice(Setting setting, std::string_view key, std::string_view default_value,
                             std::string_view description, std::string_view choices) {
  auto spec = text(setting, key, description, default_value);
  spec.choices = choices;
  return spec;
}
constexpr SettingSpec url(Setting setting, std::string_view key, std::string_view description) {
  auto spec = text(setting, key, description);
  spec.url = true;
  return spec;
}
constexpr SettingSpec secret(Setting setting, std::string_view key, std::string_view description,
                             std::string_view url_keys = {}) {
  auto spec = text(setting, key, description);
  spec.secret = true;
  spec.url_keys = url_keys;
  return spec;
}

// In the order of enum Setting.
inline constexpr SettingSpec table[] = {
    integer(Setting::timeout_ms, "timeout_ms", 10'000, "milliseconds that one query may run in the sandbox", 1, day_ms),
    integer(Setting::max_rows, "max_rows", 2'000'000, "rows that one query in the sandbox may return", 1, maximum),
    integer(Setting::max_bytes, "max_bytes", 512 * mebi, "bytes that the rows of one query in the sandbox may take",
            kibi, 64 * gibi),
    integer(Setting::max_length, "max_length", 16 * mebi, "bytes of the longest text, blob or SQL text in the sandbox",
            kibi, gibi),
    integer(Setting::max_expression_depth, "max_expression_depth", 1'000,
            "depth of the deepest expression in the sandbox", 10, 1000),
    integer(Setting::max_compound_select, "max_compound_select", 100,
            "SELECTs that one compound query in the sandbox may have", 1, 500),
    integer(Setting::max_vdbe_ops, "max_vdbe_ops", 100'000,
            "instructions of the longest program that the sandbox prepares", 100, 250'000'000),
    integer(Setting::max_steps, "max_steps", 0,
            "instructions of its virtual machine that SQLite may execute for one query in the sandbox; 0 means any "
            "number. Unlike a time, it stops the same queries on every machine",
            0, maximum),
    integer(Setting::snapshot_max_bytes, "snapshot_max_bytes", 256 * mebi,
            "bytes of the largest database that is copied because it cannot be opened a second time (in memory, or "
            "inside a write transaction)",
            kibi, 64 * gibi),
    integer(Setting::execution_cache_bytes, "execution_cache_bytes", 64 * mebi,
            "bytes of query results that are kept for reuse within a statement; 0 keeps none", 0, 64 * gibi),
    integer(Setting::match_max_steps, "match_max_steps", 1'000'000,
            "column assignments that the search for a matching permutation tries before it gives up", 1, maximum),
    integer(Setting::equivalence_timeout_ms, "equivalence_timeout_ms", 5'000,
            "milliseconds that sql_equivalent, sql_compare and sql_counterexample may spend on a pair of queries "
            "before they say unknown",
            1, day_ms),
    integer(Setting::threads, "threads", 0,
            "threads that aggregates and table-valued functions use; 0 means one per processor", 0, 256),

    url(Setting::llm_url, "llm_url",
        "base URL of an OpenAI-compatible server for language models, such as http://127.0.0.1:11434/v1; empty: no "
        "server is called"),
    secret(Setting::llm_api_key, "llm_api_key",
           "API key for the server that llm_url names when the key is set (scheme, host and port); set it again after "
           "changing the server; if it is empty and the server is https://api.openai.com, the environment variable "
           "OPENAI_API_KEY is used",
           "llm_url"),
    text(Setting::llm_model, "llm_model", "name of the language model"),
    text(Setting::llm_model_triage, "llm_model_triage",
         "name of the model that says whether a question can be answered; empty: llm_model"),
    text(Setting::llm_model_rewrite, "llm_model_rewrite",
         "name of the model that rewrites questions; empty: llm_model"),
    text(Setting::llm_model_schema, "llm_model_schema",
         "name of the model that hallucinates a schema from a question; empty: llm_model"),
    text(Setting::llm_model_generate, "llm_model_generate", "name of the model that writes SQL; empty: llm_model"),
    text(Setting::llm_model_refine, "llm_model_refine", "name of the model that fixes SQL; empty: llm_model"),
    text(Setting::llm_model_verify, "llm_model_verify",
         "name of the model that looks for errors in SQL; empty: llm_model"),
    url(Setting::embed_url, "embed_url",
        "base URL of an OpenAI-compatible server for embeddings; empty: llm_url if embed_model is set, otherwise no "
        "server is called"),
    secret(Setting::embed_api_key, "embed_api_key",
           "API key for the server that embed_url (or llm_url, if that is empty) names when the key is set; empty: "
           "llm_api_key, if it belongs to the same server",
           "embed_url|llm_url"),
    text(Setting::embed_model, "embed_model", "name of the model for embeddings"),
    secret(Setting::llm_headers, "llm_headers",
           "additional HTTP headers for the server that llm_url names when they are set, as a JSON object from name to "
           "value",
           "llm_url"),
    secret(Setting::llm_proxy, "llm_proxy",
           "URL of a proxy for hosts other than this machine; empty: none, whatever the environment says"),
    text(Setting::llm_ca_file, "llm_ca_file",
         "PEM file with the certificates of the trusted authorities; empty: the system's"),
    integer(Setting::llm_allow_http, "llm_allow_http", 0,
            "1: http without TLS is allowed for hosts other than this machine", 0, 1),
    choice(Setting::llm_send_rows, "llm_send_rows", "loopback",
           "whether prompts may contain values from the database: loopback (only if the server is on this machine), "
           "always or never",
           "loopback|always|never"),
    choice(Setting::llm_send_examples, "llm_send_examples", "as_rows",
           "whether examples (trustsql_examples), whose questions and SQL contain values, may be sent to servers of "
           "language models and embeddings: as_rows (as llm_send_rows decides for each server), always or never",
           "as_rows|always|never"),
    integer(Setting::llm_connect_timeout_ms, "llm_connect_timeout_ms", 10'000,
            "milliseconds to wait for a connection to a server", 1, day_ms),
    integer(Setting::llm_timeout_ms, "llm_timeout_ms", 120'000, "milliseconds that one attempt at a request may take",
            1, day_ms),
    integer(Setting::llm_stall_timeout_ms, "llm_stall_timeout_ms", 30'000,
            "milliseconds without a byte after which a response that has begun is abandoned", 1, day_ms),
    integer(Setting::llm_retries, "llm_retries", 4, "how often a request is retried after a transient failure", 0, 100),
    integer(Setting::llm_retry_wait_ms, "llm_retry_wait_ms", 60'000,
            "longest wait before a request is retried, in milliseconds; if the server asks for a longer one "
            "(Retry-After), the request is not retried",
            0, day_ms),
    integer(Setting::llm_max_response_bytes, "llm_max_response_bytes", 16 * mebi,
            "bytes of the longest response that a server may send", kibi, gibi),
    integer(Setting::llm_call_requests, "llm_call_requests", 0,
            "requests that one function call may send, including retries; 0: unlimited", 0, maximum),
    integer(Setting::llm_call_tokens, "llm_call_tokens", 0,
            "tokens after which a function call sends no further request; 0: unlimited", 0, maximum),
    integer(Setting::llm_connection_requests, "llm_connection_requests", 0,
            "requests that this connection may send; 0: unlimited", 0, maximum),
    integer(Setting::llm_connection_tokens, "llm_connection_tokens", 0,
            "tokens after which this connection sends no further request; 0: unlimited", 0, maximum),
    integer(Setting::llm_max_tokens, "llm_max_tokens", 0,
            "tokens of the longest reply to request; 0: the server decides", 0, 1 << 30),
    integer(Setting::llm_seed, "llm_seed", -1, "seed that is sent with requests; -1: none", -1, std::int64_t{1} << 53),
    integer(Setting::llm_concurrency, "llm_concurrency", 16, "requests that may be in flight at the same time", 1,
            1024),
    text(Setting::cache_path, "cache_path",
         "SQLite file in which the responses of servers are cached; empty: no cache"),
    choice(Setting::cache_mode, "cache_mode", "readwrite",
           "how the file cache_path is used: readwrite asks servers for what is missing and adds it; replay asks no "
           "server, and what is missing is an error; off ignores the file",
           "off|readwrite|replay"),

    text(Setting::nl2sql_method, "nl2sql_method",
         "method that nl2sql uses if its options name none, by its name in the papers", "DART->RUNS"),
    text(Setting::nl2sql_risk, "nl2sql_risk",
         "share of wrong answers, between 0 and 1, that EMBEDDED keeps below with probability 0.9 on databases like "
         "those "
         "of its calibration; empty: not asked for"),
    text(Setting::nl2sql_penalty, "nl2sql_penalty",
         "penalty c, a number or N, for which EMBEDDED answers with the largest RS(c) on its calibration; empty: the "
         "threshold of its confidence is 10/11"),
    text(Setting::nl2sql_model, "nl2sql_model",
         "file of the embedded parser's model, as nl2sql_train writes it; empty: the one in this library"),
    text(Setting::nl2sql_value_index, "nl2sql_value_index",
         "where the values are kept that EMBEDDED has read from a database: memory, or a separate SQLite file, so that "
         "another process need not read them again; a database in WAL mode or in memory is always read",
         "memory"),
    text(Setting::link_index, "link_index",
         "where the vectors of schema elements are stored: a separate SQLite file, or 'table:main' (or another schema "
         "of this connection) for a table trustsql_vectors; empty: nowhere"),
    text(Setting::glove_path, "glove_path",
         "text file with word vectors in the GloVe format, used to choose rows for a prompt; empty: the built-in "
         "vectors"),
};

// Whether there is a row for each setting, in their order, and each default is one that the setting accepts.
constexpr bool is_complete() {
  std::size_t size = 0;
  for (const auto& spec : table) {
    if (static_cast<std::size_t>(spec.setting) != size++) return false;
    if (spec.type == SettingType::integer && (spec.default_integer < spec.min || spec.default_integer > spec.max))
      return false;
  }
  return size == setting_count;
}
static_assert(is_complete());

}  // namespace setting_rows

// The default of a setting that is an integer. In a constant expression, another setting, or one whose default is no
// `T`, does not compile.
template <class T = std::int64_t>
constexpr T default_integer(Setting setting) {
  const auto& spec = setting_rows::table[static_cast<std::size_t>(setting)];
  if (spec.type != SettingType::integer || !std::in_range<T>(spec.default_integer)) std::abort();
  return static_cast<T>(spec.default_integer);
}

}  // namespace trustsql
