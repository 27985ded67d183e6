// Compares the registration tables, what SQLite has registered, and the table trustsql_functions.

#include "ext/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "base/text.hpp"
#include "ext/adaptor/wrong_place.hpp"
#include "sql/parser.hpp"
#include "trustsql/trustsql.h"
#include "unit/db/support.hpp"
#include "unit/ext/support.hpp"

namespace trustsql::ext {
namespace {

using testing_support::Database;

// Name, arity and type ('s', 'w', 'a') of the functions of a connection; modules with arity -2.
std::set<std::string> registered(Database& db) {
  std::set<std::string> names;
  for (const auto& row : db.rows("SELECT name || '/' || narg FROM pragma_function_list")) names.insert(row.at(0));
  for (const auto& row : db.rows("SELECT name || '/table' FROM pragma_module_list")) names.insert(row.at(0));
  return names;
}

std::set<std::string> expected(EntryPoint entry_point) {
  std::set<std::string> names;
  for (const auto* spec : functions_of(entry_point)) {
    const std::string name(spec->name);
    // What says that the function is called in the wrong place.
    if (is_wrong_place(*spec, name, false)) names.insert(name + "/-1");
    if (is_wrong_place(*spec, name, true)) names.insert(name + "/table");
    if (spec->kind == FunctionKind::table) {
      names.insert(name + "/table");
    } else {
      for (int n = spec->min_arguments; n <= spec->max_arguments; ++n) names.insert(name + "/" + std::to_string(n));
    }
  }
  return names;
}

TEST(Registry, WhatIsRegisteredIsWhatTheTablesSay) {
  const std::pair<EntryPoint, decltype(&sqlite3_trustsql_init)> entries[] = {
      {EntryPoint::full, sqlite3_trustsql_init},
      {EntryPoint::offline, sqlite3_trustsql_offline_init},
      {EntryPoint::pure, sqlite3_trustsql_pure_init},
  };
  for (const auto& [entry_point, init] : entries) {
    Database plain;
    auto before = registered(plain);
    Database db;
    db.load(init);
    std::set<std::string> added;
    for (const auto& name : registered(db))
      if (!before.contains(name)) added.insert(name);
    EXPECT_EQ(added, expected(entry_point));
    std::set<std::string> listed;
    for (const auto& row : db.rows("SELECT name FROM trustsql_functions")) listed.insert(row.at(0));
    std::set<std::string> described;
    for (const auto* spec : functions_of(entry_point)) described.insert(std::string(spec->name));
    EXPECT_EQ(listed, described);
  }
}

TEST(Registry, EveryRowIsComplete) {
  for (const auto* spec : functions_of(EntryPoint::full)) {
    SCOPED_TRACE(spec->name);
    EXPECT_TRUE(spec->signature.starts_with(spec->name));
    EXPECT_FALSE(spec->summary.empty());
    EXPECT_TRUE(spec->summary.ends_with(".")) << "a sentence";
    EXPECT_FALSE(spec->example.empty());
    EXPECT_EQ(spec->kind == FunctionKind::table, !spec->columns.empty());
    for (int i = 0; i < spec->max_arguments; ++i) EXPECT_FALSE(argument_name(*spec, i).empty()) << "argument " << i;
    EXPECT_TRUE(argument_name(*spec, spec->max_arguments).empty())
        << "the signature has more arguments than the function";
    EXPECT_EQ(spec->options.empty(), spec->signature.find("opts") == std::string_view::npos);
  }
}

// The oldest SQLite that the extension supports reads the examples too.
TEST(Registry, ExamplesNeedNoNewSyntax) {
  for (const auto* spec : functions_of(EntryPoint::full)) {
    const auto statement = spec->example.substr(0, spec->example.find("-- "));
    const auto tokens = significant_tokens(statement);
    const bool several = std::ranges::count(tokens, TokenKind::semicolon, &Token::kind) > 1;
    if (several || !tokens.front().is(Keyword::Select)) continue;
    const auto parsed = parse_query(statement, {.version = 3037000});
    EXPECT_TRUE(parsed.ok()) << statement << ": " << (parsed.ok() ? "" : parsed.error().message);
  }
}

// "SELECT f(...); -- result": the example runs, and gives the result where one is stated. Examples that name tables
// find them in the database created here; files are written into a temporary folder.
TEST(Registry, EveryExampleRunsAndGivesWhatItSays) {
  const test::TempDir folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const auto* spec : functions_of(EntryPoint::full)) {
    SCOPED_TRACE(spec->example);
    Database db(testing_support::example_database());
    db.load(sqlite3_trustsql_init);
    const auto comment = spec->example.find("-- ");
    const auto rows = db.rows(std::string(spec->example.substr(0, comment)));
    if (comment == std::string_view::npos) continue;
    std::vector<std::string> lines;
    for (const auto& row : rows) lines.push_back(join(row, " | "));
    EXPECT_EQ(join(lines, "; "), trim(spec->example.substr(comment + 3)));
  }
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace trustsql::ext
