// Exceptions in every kind of callback that the adaptor gives to SQLite: the statement ends with a clear error, nothing
// leaks, and the connection works on.
#include <gtest/gtest.h>

#include <new>
#include <optional>
#include <stdexcept>

#include "ext/adaptor/aggregate.hpp"
#include "ext/adaptor/scalar.hpp"
#include "ext/adaptor/table.hpp"
#include "unit/db/support.hpp"
#include "unit/ext/support.hpp"

namespace trustsql::ext {
namespace {

using testing_support::Database;

enum class Place {
  scalar,
  aggregate_constructor,
  step,
  inverse,
  value,
  table,
  first_rows,
  next_rows,
  write,
  create,
  columns,
  rows
};
enum class Thrown { exception, no_memory, foreign };

// What is thrown, and where; set by a test.
struct Injection {
  Place place;
  Thrown thrown;
};
std::optional<Injection> injection;

// Objects of the functions below that live.
int live_objects = 0;
struct Counted {
  Counted() { ++live_objects; }
  Counted(const Counted&) { ++live_objects; }
  ~Counted() { --live_objects; }
};

void pass(Place place) {
  if (!injection || injection->place != place) return;
  switch (injection->thrown) {
    case Thrown::exception: throw std::runtime_error("so it is");
    case Thrown::no_memory: throw std::bad_alloc();
    case Thrown::foreign: throw 7;
  }
}

Result<std::int64_t> twice(std::int64_t number) {
  pass(Place::scalar);
  return 2 * number;
}

class Total {
 public:
  Total() { pass(Place::aggregate_constructor); }
  void step(std::int64_t number) {
    pass(Place::step);
    total_ += number;
  }
  void inverse(std::int64_t number) {
    pass(Place::inverse);
    total_ -= number;
  }
  std::int64_t value() {
    pass(Place::value);
    return total_;
  }

 private:
  Counted counted_;
  std::int64_t total_ = 0;
};

ResultSet numbers(std::int64_t first, std::int64_t last) {
  ResultSet rows({"number"});
  for (auto number = first; number <= last; ++number) rows.append(ValueView::of_integer(number));
  return rows;
}

Result<ResultSet> listed(std::int64_t count) {
  pass(Place::table);
  return numbers(1, count);
}

class Stream final : public RowStream {
 public:
  explicit Stream(std::int64_t count) : count_(count) {}
  Result<ResultSet> next() override {
    pass(given_ == 0 ? Place::first_rows : Place::next_rows);
    if (given_ == count_) return ResultSet({"number"});
    ++given_;
    return numbers(given_, given_);
  }

 private:
  Counted counted_;
  std::int64_t count_;
  std::int64_t given_ = 0;
};

Result<std::unique_ptr<RowStream>> streamed(std::int64_t count) {
  return std::unique_ptr<RowStream>(std::make_unique<Stream>(count));
}

Result<ResultSet> kept() { return numbers(1, 2); }

Status keep(Session&, const RowChange&) {
  pass(Place::write);
  return ok_status();
}

class Created final : public CreatedTable {
 public:
  const std::vector<std::string>& columns() const override {
    pass(Place::columns);
    return columns_;
  }
  Result<ResultSet> rows(Session&) const override {
    pass(Place::rows);
    return numbers(1, 3);
  }

 private:
  Counted counted_;
  std::vector<std::string> columns_ = {"number"};
};

Result<std::shared_ptr<CreatedTable>> make_created(Session&, std::span<const std::string>) {
  pass(Place::create);
  return std::shared_ptr<CreatedTable>(std::make_shared<Created>());
}

constexpr FunctionDoc doc(std::string_view name, std::string_view signature, std::string_view columns = {}) {
  return {.name = name, .signature = signature, .summary = {}, .example = {}, .columns = columns};
}

constexpr FunctionSpec functions[] = {
    scalar<twice>(doc("twice", "twice(number)")),
    aggregate<Total>(doc("total_of", "total_of(number)")),
    table<listed>(doc("listed", "listed(count)", "number")),
    table<streamed>(doc("streamed", "streamed(count)", "number")),
    table<kept, keep>(doc("kept", "kept", "number")),
    created_table<make_created>(doc("created", "created(text)", "its own"), 1, 1),
};

// What is run with an injection; without one it works.
struct Trial {
  Place place;
  const char* function;
  const char* sql;
};
constexpr const char* window =
    "SELECT max(s) FROM (SELECT total_of(value) OVER (ORDER BY value ROWS 1 PRECEDING) AS s "
    "FROM json_each('[1,2,3]'))";
constexpr Trial trials[] = {
    {Place::scalar, "twice", "SELECT twice(4)"},
    {Place::aggregate_constructor, "total_of", "SELECT total_of(value) FROM json_each('[1,2,3]')"},
    {Place::aggregate_constructor, "total_of", "SELECT total_of(value) FROM json_each('[]')"},
    {Place::step, "total_of", "SELECT total_of(value) FROM json_each('[1,2,3]')"},
    {Place::value, "total_of", "SELECT total_of(value) FROM json_each('[1,2,3]') GROUP BY value % 2"},
    {Place::step, "total_of", window},
    {Place::inverse, "total_of", window},
    {Place::value, "total_of", window},
    {Place::table, "listed", "SELECT sum(number) FROM listed(3)"},
    {Place::table, "listed", "SELECT sum(number) FROM json_each('[1,2]') AS j, listed(j.value)"},
    {Place::first_rows, "streamed", "SELECT sum(number) FROM streamed(3)"},
    {Place::next_rows, "streamed", "SELECT sum(number) FROM streamed(3)"},
    {Place::write, "kept", "UPDATE kept SET number = number + 1"},
    {Place::write, "kept", "DELETE FROM kept"},
    {Place::write, "kept", "INSERT INTO kept VALUES (1)"},
    {Place::create, "created", "CREATE VIRTUAL TABLE temp.another USING created('x')"},
    {Place::columns, "created", "CREATE VIRTUAL TABLE temp.another USING created('x')"},
    {Place::rows, "created", "SELECT sum(number) FROM temp.made"},
};

std::string text_of(Thrown thrown) {
  switch (thrown) {
    case Thrown::exception: return "internal error: so it is";
    case Thrown::no_memory: return "out of memory";
    case Thrown::foreign: return "internal error";
  }
  return {};
}

// The message that the host gets. While SQLite prepares a statement, it replaces that of exhausted memory by its own.
std::string message_of(const char* function, Place place, Thrown thrown) {
  const bool preparing = place == Place::create || place == Place::columns;
  if (preparing && thrown == Thrown::no_memory) return text_of(thrown);
  return std::string(function) + ": " + text_of(thrown);
}

void run_trial(const Trial& trial, Thrown thrown) {
  SCOPED_TRACE(std::string(trial.sql) + ": " + text_of(thrown));
  {
    Database database;
    const auto session = std::make_shared<Session>(database.handle(), EntryPoint::full, test::default_settings());
    for (const auto& spec : functions)
      ASSERT_EQ(spec.register_function(database.handle(), spec, session), SQLITE_OK) << spec.name;
    database.rows("CREATE VIRTUAL TABLE temp.made USING created('x')");
    injection = Injection{trial.place, thrown};
    EXPECT_EQ(database.error(trial.sql), message_of(trial.function, trial.place, thrown));
    const int code = sqlite3_errcode(database.handle());
    EXPECT_EQ(code, thrown == Thrown::no_memory ? SQLITE_NOMEM : SQLITE_ERROR);
    injection.reset();
    EXPECT_EQ(live_objects, 1);  // temp.made
    EXPECT_EQ(database.value("SELECT twice(4)"), "8");
    EXPECT_EQ(database.error(trial.sql), "");
  }
  EXPECT_EQ(live_objects, 0);
}

TEST(Exceptions, EndTheStatementWithTheirText) {
  for (const auto& trial : trials)
    for (const auto thrown : {Thrown::exception, Thrown::no_memory, Thrown::foreign}) run_trial(trial, thrown);
}

// SQLite connects to a created table again after the schema has changed.
TEST(Exceptions, ConnectingAgainFailsOnlyOnce) {
  Database database;
  const auto session = std::make_shared<Session>(database.handle(), EntryPoint::full, test::default_settings());
  for (const auto& spec : functions)
    ASSERT_EQ(spec.register_function(database.handle(), spec, session), SQLITE_OK) << spec.name;
  database.rows("CREATE VIRTUAL TABLE temp.made USING created('x')");
  for (const auto thrown : {Thrown::exception, Thrown::no_memory, Thrown::foreign}) {
    database.rows("BEGIN; CREATE TEMP TABLE t(a); ROLLBACK");
    injection = Injection{Place::columns, thrown};
    const auto error = database.error("SELECT sum(number) FROM temp.made");
    injection.reset();
    EXPECT_EQ(error, message_of("created", Place::columns, thrown));
    EXPECT_EQ(database.value("SELECT sum(number) FROM temp.made"), "6");
  }
}

}  // namespace
}  // namespace trustsql::ext
