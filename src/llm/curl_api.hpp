// libcurl, loaded by dlopen() when the first request is made.
//
// The module is not linked against libcurl: loading it and its dependencies takes 26 ms, which every user of the
// extension would pay, and it must not happen at all without network access. Hence this table of its functions, each
// with the type that libcurl's header declares. (https://curl.se/libcurl/c/)
#pragma once

#include <curl/curl.h>

#include "base/result.hpp"

namespace trustsql::llm {

struct CurlApi {
  decltype(&curl_version_info) version_info = nullptr;
  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;
  decltype(&curl_multi_init) multi_init = nullptr;
  decltype(&curl_multi_cleanup) multi_cleanup = nullptr;
  decltype(&curl_multi_setopt) multi_setopt = nullptr;
  decltype(&curl_multi_add_handle) multi_add_handle = nullptr;
  decltype(&curl_multi_remove_handle) multi_remove_handle = nullptr;
  decltype(&curl_multi_perform) multi_perform = nullptr;
  decltype(&curl_multi_poll) multi_poll = nullptr;      // since 7.66.0
  decltype(&curl_multi_wakeup) multi_wakeup = nullptr;  // since 7.68.0
  decltype(&curl_multi_info_read) multi_info_read = nullptr;
  decltype(&curl_multi_strerror) multi_strerror = nullptr;

  // The library, loaded and initialised by the first call, and never unloaded. Thread-safe. Error (io): libcurl is not
  // installed, or too old; the message says what to install.
  static Result<const CurlApi*> get();
};

}  // namespace trustsql::llm
