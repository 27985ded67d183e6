// trustsql_test_runner: runs one .test file (tests/sql/README.md).
//
//   trustsql_test_runner [--module trustsql.so] [--data folder] [--single-thread] file.test
//
// With --single-thread SQLite has no mutexes (SQLITE_CONFIG_SINGLETHREAD).
//
// Exit status: 0 all records passed, 1 some failed or the file is malformed, 77 skipped.
//
// Built twice from the same sources: with the loadable module (--module is required) and with the static library.

#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "memory.hpp"
#include "runner.hpp"

namespace test_runner {

namespace {

constexpr int exit_skipped = 77;

// A folder of its own below the folder for temporary files; it is removed with the object, whatever its permissions.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "trustsql-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    using std::filesystem::perms;
    for (auto i = std::filesystem::recursive_directory_iterator(path_, ignored);
         i != std::filesystem::recursive_directory_iterator(); i.increment(ignored)) {
      if (i->is_directory(ignored))
        std::filesystem::permissions(i->path(), perms::owner_all, std::filesystem::perm_options::add, ignored);
    }
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

int run_file(Paths paths, ExtensionSource source) {
  std::ifstream in(paths.script, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw std::runtime_error("cannot read " + paths.script.string());
  std::vector<Record> records;
  try {
    records = parse_script(text.str());
  } catch (const SyntaxError& error) {
    throw std::runtime_error(paths.script.string() + ": " + error.what());
  }
  const TemporaryFolder folder;
  paths.folder = folder.path();
  std::filesystem::current_path(folder.path());
  Runner runner(paths, std::move(source));
  try {
    runner.run(records);
  } catch (const Skip& skip) {
    std::printf("%s: skipped, %s\n", paths.script.c_str(), skip.reason.c_str());
    return exit_skipped;
  }
  runner.finish();
  std::filesystem::current_path("/");
  std::printf("%s: %d passed, %d failed\n", paths.script.c_str(), runner.passed(), runner.failed());
  return runner.failed() == 0 && runner.passed() > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int run(int count, char** arguments) {
  Paths paths;
  paths.source = TRUSTSQL_SOURCE_DIR;
  const char* data = std::getenv("TRUSTSQL_DATA");
  paths.data = data != nullptr ? std::filesystem::path(data) : paths.source.parent_path() / "shared" / "data";
  ExtensionSource source;
  for (int i = 1; i < count; ++i) {
    const bool has_value = i + 1 < count;
    if (std::strcmp(arguments[i], "--module") == 0 && has_value) {
      source.module_path = std::filesystem::absolute(arguments[++i]).string();
    } else if (std::strcmp(arguments[i], "--data") == 0 && has_value) {
      paths.data = std::filesystem::absolute(arguments[++i]);
    } else if (std::strcmp(arguments[i], "--single-thread") == 0) {
      if (sqlite3_config(SQLITE_CONFIG_SINGLETHREAD) != SQLITE_OK) throw std::runtime_error("SQLite needs threads");
    } else if (arguments[i][0] != '-' && paths.script.empty()) {
      paths.script = std::filesystem::absolute(arguments[i]);
    } else {
      throw std::runtime_error(std::string("unexpected argument ") + arguments[i]);
    }
  }
  if (paths.script.empty())
    throw std::runtime_error(
        "usage: trustsql_test_runner [--module trustsql.so] [--data folder] [--single-thread] file.test");
#ifdef TRUSTSQL_STATIC
  if (!source.module_path.empty())
    throw std::runtime_error("this runner has the extension linked in and takes no --module");
#else
  if (source.module_path.empty()) throw std::runtime_error("--module is missing");
#endif
  // SQLite does not do so itself if it was compiled with SQLITE_OMIT_AUTOINIT.
  if (sqlite3_initialize() != SQLITE_OK) throw std::runtime_error("SQLite cannot be initialised");
  return run_file(std::move(paths), std::move(source));
}

}  // namespace

}  // namespace test_runner

int main(int count, char** arguments) {
  try {
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // what was printed is not lost if a sanitizer ends the process
    test_runner::install_failing_allocator();
    return test_runner::run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}
