#include "script.hpp"

#include <sqlite3.h>

#include <map>
#include <sstream>

namespace test_runner {

namespace {

const std::map<std::string, int> result_codes = {
    {"ERROR", SQLITE_ERROR},       {"PERM", SQLITE_PERM},           {"ABORT", SQLITE_ABORT},
    {"BUSY", SQLITE_BUSY},         {"LOCKED", SQLITE_LOCKED},       {"NOMEM", SQLITE_NOMEM},
    {"READONLY", SQLITE_READONLY}, {"INTERRUPT", SQLITE_INTERRUPT}, {"IOERR", SQLITE_IOERR},
    {"CORRUPT", SQLITE_CORRUPT},   {"CANTOPEN", SQLITE_CANTOPEN},   {"SCHEMA", SQLITE_SCHEMA},
    {"TOOBIG", SQLITE_TOOBIG},     {"MISUSE", SQLITE_MISUSE},       {"CONSTRAINT", SQLITE_CONSTRAINT},
    {"AUTH", SQLITE_AUTH},         {"NOTADB", SQLITE_NOTADB},
};

const std::map<std::string, Kind> directives = {
    {"require", Kind::require}, {"env", Kind::env},     {"user", Kind::user},
    {"entry", Kind::entry},     {"close", Kind::close}, {"connection", Kind::connection},
};

class Parser {
 public:
  explicit Parser(const std::string& text) : in_(text) {}

  std::vector<Record> parse() {
    while (next_line()) {
      if (line_.empty() || line_.front() == '#') continue;
      parse_record();
    }
    if (!conditions_.empty()) fail("onlyif or skipif without a record after it");
    return std::move(records_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw SyntaxError("line " + std::to_string(number_) + ": " + message);
  }

  bool next_line() {
    if (!std::getline(in_, line_)) return false;
    ++number_;
    return true;
  }

  static std::vector<std::string> split(const std::string& line) {
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
  }

  void parse_record() {
    auto words = split(line_);
    if (words.empty()) fail("a line of blanks");
    const std::string keyword = words.front();
    words.erase(words.begin());
    if (keyword == "onlyif" || keyword == "skipif") {
      if (words.size() != 1) fail(keyword + " takes one condition");
      conditions_.push_back({words.front(), keyword == "skipif"});
      return;
    }
    Record record;
    record.line = number_;
    record.conditions = std::move(conditions_);
    conditions_.clear();
    if (const auto directive = directives.find(keyword); directive != directives.end()) {
      record.kind = directive->second;
      if (words.size() > 1 && record.kind != Kind::env) fail(keyword + " takes one argument");
      if (words.empty() && record.kind != Kind::close) fail(keyword + " takes an argument");
      if (record.kind == Kind::env)
        words = {line_.substr(line_.find_first_not_of(' ', 3))};  // the value may hold blanks
      record.arguments = std::move(words);
    } else if (keyword == "open") {
      record.kind = Kind::open;
      if (!words.empty() && words.front() == "error") {
        record.kind = Kind::open_error;
        words.erase(words.begin());
      }
      if (words.empty() || words.size() > 3) fail("open takes a name, and optionally a file and 'readonly'");
      record.arguments = std::move(words);
      if (record.kind == Kind::open_error) parse_patterns(record, next_line());
    } else if (keyword == "exec") {
      record.kind = Kind::exec;
      if (!words.empty()) fail("exec takes its script on the lines below");
      if (parse_body(record)) fail("exec has no expected output");
    } else if (keyword == "server") {
      record.kind = Kind::server;
      if (!words.empty()) fail("server takes its script on the lines below");
      if (parse_body(record)) fail("server has no expected output");
    } else if (keyword == "statement") {
      if (words.empty() || (words.front() != "ok" && words.front() != "error"))
        fail("statement is followed by ok or error");
      record.kind = words.front() == "ok" ? Kind::statement_ok : Kind::statement_error;
      words.erase(words.begin());
      parse_options(record, words);
      const bool separator = parse_body(record);
      if (record.kind == Kind::statement_error) {
        parse_patterns(record, separator);
      } else if (separator) {
        fail("statement ok has no expected output");
      }
    } else if (keyword == "query") {
      record.kind = Kind::query;
      parse_options(record, words);
      if (!parse_body(record)) fail("a query needs a line ---- and its expected rows below");
      parse_expected(record);
    } else {
      fail("unknown record '" + keyword + "'");
    }
    records_.push_back(std::move(record));
  }

  void parse_options(Record& record, const std::vector<std::string>& words) {
    for (const auto& word : words) {
      const auto equals = word.find('=');
      const std::string name = word.substr(0, equals);
      const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
      const bool is_query = record.kind == Kind::query;
      const bool is_error = record.kind == Kind::statement_error;
      if (word == "raw" && is_query) {
        record.raw = true;
      } else if (word == "header" && is_query) {
        record.header = true;
      } else if (word == "unordered" && is_query) {
        record.unordered = true;
      } else if (word == "oom" && !is_error) {
        record.out_of_memory = true;
      } else if (name == "approx" && is_query) {
        record.tolerance = to_number(value);
      } else if (name == "interrupt" && is_error) {
        record.interrupt_ms = static_cast<int>(to_number(value));
      } else if (name == "code" && is_error) {
        const auto code = result_codes.find(value);
        if (code == result_codes.end()) fail("unknown result code '" + value + "'");
        record.result_code = code->second;
      } else {
        fail("unknown option '" + word + "'");
      }
    }
  }

  double to_number(const std::string& text) const {
    try {
      const double number = std::stod(text);
      if (number > 0) return number;
    } catch (const std::exception&) {
    }
    fail("'" + text + "' is not a number above 0");
  }

  // Reads up to a blank line, the end or a line ----; true if it was a line ----.
  bool parse_body(Record& record) {
    while (next_line()) {
      if (line_ == "----" || line_.empty()) {
        if (record.body.empty()) fail("no lines below the head of the record");
        return line_ == "----";
      }
      record.body += line_ + "\n";
    }
    if (record.body.empty()) fail("no lines below the head of the record");
    return false;
  }

  void parse_expected(Record& record) {
    while (next_line()) {
      if (record.raw ? line_ == "----" : line_.empty()) return;
      record.expected.push_back(line_);
    }
    if (record.raw) fail("the expected text of a raw query ends with a line ----");
  }

  void parse_patterns(Record& record, bool separator) {
    if (!separator || line_ != "----") fail("an error needs a line ---- and below it what the message contains");
    parse_expected(record);
    if (record.expected.empty()) fail("an error needs at least one line that the message contains");
  }

  std::istringstream in_;
  std::string line_;
  int number_ = 0;
  std::vector<Condition> conditions_;
  std::vector<Record> records_;
};

}  // namespace

std::vector<Record> parse_script(const std::string& text) { return Parser(text).parse(); }

}  // namespace test_runner
