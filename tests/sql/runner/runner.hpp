// Runs the records of one .test file.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "connection.hpp"
#include "script.hpp"
#include "server.hpp"

namespace test_runner {

struct Paths {
  std::filesystem::path script;
  std::filesystem::path data;    // development data; need not exist
  std::filesystem::path source;  // the root of the source tree
  std::filesystem::path folder;  // temporary, empty; the working folder
};

// Thrown if the condition of a `require` does not hold.
struct Skip {
  std::string reason;
};

class Runner {
 public:
  Runner(Paths paths, ExtensionSource source);

  // Runs all records, printing each failure; throws Skip.
  void run(const std::vector<Record>& records);
  // Closes all connections and checks that the extension left nothing behind in the process.
  void finish();

  int passed() const { return passed_; }
  int failed() const { return failed_; }

 private:
  bool holds(const std::string& condition) const;
  std::string substitute(std::string text) const;
  void fail(const Record& record, const std::string& message);

  void run_record(const Record& record);
  void run_exec(const Record& record);
  void run_server(const Record& record);
  void run_user(const Record& record);
  void run_open(const Record& record);
  void run_statement(const Record& record);
  void run_close(const Record& record, const std::string& name);
  void run_out_of_memory(const Record& record, const std::string& sql, const std::vector<std::string>& rows);

  Connection& current();
  // The rows as lines.
  std::vector<std::string> execute(const Record& record, const std::string& sql);
  void compare_rows(const Record& record, std::vector<std::string> actual);
  void compare_message(const Record& record, const std::string& message);

  Paths paths_;
  ExtensionSource source_;
  std::unique_ptr<ServerProcess> server_;
  std::map<std::string, std::unique_ptr<Connection>> connections_;
  std::string current_ = "main";
  std::string entry_ = "full";
  int passed_ = 0;
  int failed_ = 0;
  bool record_failed_ = false;
  std::size_t open_files_ = 0;  // before the first connection
};

}  // namespace test_runner
