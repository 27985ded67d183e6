// The index of values: what it costs to build it for a database, and to look for near values in it.
//
//   trustsql_bench_values DATABASE FILE [TEXT ...]     FILE: as nl2sql_value_index names it; - for none
//
// It reads the database as a first question does, and prints the processor time of that, how much of it the word table
// took, and the most memory the process had. Then it looks for each TEXT, 1,000 times, and prints the time of a search
// and what was found. A second run has the values from FILE.
#include <sqlite3.h>
#include <sys/resource.h>

#include <cstdio>
#include <ctime>
#include <memory>

#include "base/text.hpp"
#include "db/sources/host_database.hpp"
#include "semparse/database/near_values.hpp"
#include "semparse/parser.hpp"

namespace {

using namespace trustsql;
using namespace trustsql::semparse;
// Processor time: what the machine does besides does not count.
double processor_ms() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

long peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

std::string_view how_text(Nearness how) {
  switch (how) {
    case Nearness::part: return "part";
    case Nearness::spelling: return "spelling";
    case Nearness::beginning: return "beginning";
    case Nearness::part_spelling: return "part, spelling";
  }
  return "";
}

int run(int count, char** arguments) {
  const auto settings = *Settings::create([](std::string_view) { return std::optional<std::string>(); });
  sqlite3* host = nullptr;
  sqlite3_open(":memory:", &host);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> closed(host, sqlite3_close);
  HostDatabase opener(host);
  const auto fail = [](const Error& error) {
    std::fprintf(stderr, "%s\n", error.message.c_str());
    return 1;
  };
  const auto source = opener.open_file(arguments[1], settings);
  if (!source.ok()) return fail(source.error());
  const auto catalog = (*source)->catalog();
  if (!catalog.ok()) return fail(catalog.error());
  const auto sandbox = (*source)->lease();
  if (!sandbox.ok()) return fail(sandbox.error());
  std::printf("before: %ld MB\n", peak_memory_mb());
  std::shared_ptr<ValueStore> store;
  if (std::string_view(arguments[2]) != "-") {
    auto opened = ValueStore::open(arguments[2]);
    if (!opened.ok()) return fail(opened.error());
    store = *opened;
  }
  const auto read = ReadTransaction::begin(**sandbox);
  if (!read.ok()) return fail(read.error());
  auto begun = processor_ms();
  const auto knowledge = Knowledge::build(**catalog, **sandbox, Knowledge::max_reading_time, store.get());
  if (!knowledge.ok()) return fail(knowledge.error());
  const auto& values = (*knowledge)->values;
  std::printf("read in %.0f ms, at most %ld MB\n", processor_ms() - begun, peak_memory_mb());
  begun = processor_ms();
  WordTable::Builder builder;
  for (semparse::ColumnId id = 0; id < static_cast<semparse::ColumnId>((*knowledge)->domain.columns().size()); ++id) {
    const auto [first, last] = values.cells_of(id);
    for (auto cell = first; cell < last; ++cell) builder.add(cell, id, value_words(values.cell(cell).text));
  }
  const auto words = std::move(builder).finish();
  std::printf("the word table alone: %.0f ms, %zu words\n", processor_ms() - begun, words.size());
  for (int i = 3; i < count; ++i) {
    constexpr int times = 1000;
    begun = processor_ms();
    std::size_t found = 0;
    for (int j = 0; j < times; ++j) found += find_near(values, arguments[i]).size();
    std::printf("%s: %.3f ms\n", arguments[i], (processor_ms() - begun) / times);
    if (found == 0) continue;
    for (const auto& near : find_near(values, arguments[i])) {
      const auto& column = (*knowledge)->domain.column(near.cell.column);
      std::printf("  %s of %s.%s (%s)\n", quote_for_message(near.cell.text).c_str(),
                  (*knowledge)->domain.table(column.table).name.c_str(), column.name.c_str(),
                  std::string(how_text(near.how)).c_str());
    }
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: %s DATABASE FILE [TEXT ...]\n", arguments[0]);
    return 1;
  }
  return run(count, arguments);
}
