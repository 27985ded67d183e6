#include "llm/curl_api.hpp"

#include <dlfcn.h>

#include <string>

namespace trustsql::llm {

namespace {

// The names of Debian's libcurl4 and of its GnuTLS variant; both have the same functions.
constexpr const char* library_names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

Result<CurlApi> load() {
  void* library = nullptr;
  std::string reason;
  for (const char* name : library_names) {
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) break;
    const char* message = dlerror();  // NOLINT(concurrency-mt-unsafe): thread-local in glibc
    if (reason.empty() && message != nullptr) reason = message;
  }
  if (library == nullptr) {
    return io_error("libcurl, which is needed to reach servers, cannot be loaded: " + reason +
                    " (on Debian: apt install libcurl4)");
  }

  CurlApi api;
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (function == nullptr) missing = name;
  };
  find(api.version_info, "curl_version_info");
  find(api.global_init, "curl_global_init");
  find(api.easy_init, "curl_easy_init");
  find(api.easy_cleanup, "curl_easy_cleanup");
  find(api.easy_setopt, "curl_easy_setopt");
  find(api.easy_getinfo, "curl_easy_getinfo");
  find(api.easy_strerror, "curl_easy_strerror");
  find(api.slist_append, "curl_slist_append");
  find(api.slist_free_all, "curl_slist_free_all");
  find(api.multi_init, "curl_multi_init");
  find(api.multi_cleanup, "curl_multi_cleanup");
  find(api.multi_setopt, "curl_multi_setopt");
  find(api.multi_add_handle, "curl_multi_add_handle");
  find(api.multi_remove_handle, "curl_multi_remove_handle");
  find(api.multi_perform, "curl_multi_perform");
  find(api.multi_poll, "curl_multi_poll");
  find(api.multi_wakeup, "curl_multi_wakeup");
  find(api.multi_info_read, "curl_multi_info_read");
  find(api.multi_strerror, "curl_multi_strerror");
  if (missing != nullptr) return io_error(std::string("libcurl is older than 7.68; it lacks ") + missing);
  if (const CURLcode code = api.global_init(CURL_GLOBAL_DEFAULT); code != CURLE_OK)
    return io_error(std::string("libcurl cannot be initialised: ") + api.easy_strerror(code));
  return api;
}

}  // namespace

Result<const CurlApi*> CurlApi::get() {
  static const Result<CurlApi> loaded = load();
  if (!loaded.ok()) return loaded.error();
  return &loaded.value();
}

}  // namespace trustsql::llm
