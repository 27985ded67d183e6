// nl2sql_answer: the answer to a question as a virtual table.
//
//   CREATE VIRTUAL TABLE temp.t USING nl2sql_answer('Which singers are French?');
//   SELECT * FROM t;
//
// The model is asked once, when the table is created; the SQL is kept with the connection, and each scan of the table
// runs it again in the sandbox. SQLite may reconnect virtual tables at any time (after a ROLLBACK, VACUUM, another
// connection's DDL). Reconnecting does not ask the model but needs the kept SQL, so the table must be in temp, where no
// other and no later connection sees it (https://sqlite.org/vtab.html#the_xconnect_method).

#include <map>
#include <set>

#include "base/text.hpp"
#include "db/sqlite/connection.hpp"
#include "ext/adaptor/value_access.hpp"
#include "ext/functions/nl2sql/nl2sql_pipeline.hpp"
#include "ext/registry.hpp"

namespace trustsql::ext {

namespace {

struct Answer {
  std::string sql;
  std::vector<std::string> columns;
  Options options;  // these name the database
};

// The answers of a connection, by the name of their table.
struct Answers {
  std::map<std::string, Answer, std::less<>> tables;
};

struct AnswerTable : sqlite3_vtab {
  const Binding* binding = nullptr;
  std::string name;
  Answer answer;
};

struct AnswerCursor : sqlite3_vtab_cursor {
  ResultSet rows;
  std::size_t row = 0;
};

// The value of an argument of CREATE VIRTUAL TABLE, which SQLite passes as it was written.
std::string unquoted(std::string_view text) {
  text = trim(text);
  if (text.size() < 2 || (text.front() != '\'' && text.front() != '"') || text.back() != text.front())
    return std::string(text);
  const char quote = text.front();
  std::string value;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    value += text[i];
    if (text[i] == quote) ++i;  // doubled
  }
  return value;
}

// A CREATE TABLE statement with the names of a result's columns; duplicate names are numbered.
std::string declaration(const std::vector<std::string>& columns) {
  std::set<std::string> used;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string base = columns[i].empty() ? "column" + std::to_string(i + 1) : columns[i];
    std::string name = base;
    for (int number = 1; !used.insert(to_lower_ascii(name)).second; ++number)
      name = base + ":" + std::to_string(number);
    names.push_back(quote_identifier(name));
  }
  return "CREATE TABLE x(" + join(names, ", ") + ")";
}

Result<Answer> answer_to(Session& session, const std::string& question, const std::string& options_text) {
  Answer answer;
  answer.options = Options(nl2sql_options);
  if (!options_text.empty()) {
    TRUSTSQL_ASSIGN_OR_RETURN(answer.options, Options::parse(options_text, nl2sql_options));
  }
  const auto scope = std::make_shared<StatementScope>();
  TRUSTSQL_ASSIGN_OR_RETURN(const auto attempt, ask_question(session, scope, question, answer.options));
  if (!attempt.sql) {
    std::string message = "there is no answer: " + reason_of(attempt);
    if (!attempt.suggestion.empty()) message += "; " + attempt.suggestion;
    return query_failed(std::move(message));
  }
  if (!attempt.result)
    return query_failed("the query fails: " + attempt.error + ": " + quote_for_message(*attempt.sql));
  answer.sql = *attempt.sql;
  answer.columns = attempt.result->column_names();
  return answer;
}

Result<std::unique_ptr<AnswerTable>> declare(sqlite3* db, const Binding& binding, const char* name,
                                             const Answer& answer) {
  TRUSTSQL_RETURN_IF_ERROR(declare_table(db, declaration(answer.columns)));
  sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
  auto table = std::make_unique<AnswerTable>();
  table->binding = &binding;
  table->name = name;
  table->answer = answer;
  return table;
}

int create(sqlite3* db, void* pointer, int count, const char* const* arguments, sqlite3_vtab** table_slot,
           char** message) noexcept {
  const auto& binding = *static_cast<const Binding*>(pointer);
  return guarded_code(message, binding, [&]() -> Status {
    if (!equals_ignore_case(arguments[1], "temp"))
      return invalid_argument("the table must be created in temp: CREATE VIRTUAL TABLE temp." +
                              std::string(arguments[2]) + " USING " + std::string(binding.spec.signature));
    if (count < 4 || count > 5) return invalid_argument("use it as " + std::string(binding.spec.signature));
    TRUSTSQL_ASSIGN_OR_RETURN(auto answer, answer_to(*binding.session, unquoted(arguments[3]),
                                                     count > 4 ? unquoted(arguments[4]) : std::string()));
    TRUSTSQL_ASSIGN_OR_RETURN(auto table, declare(db, binding, arguments[2], answer));
    binding.session->objects().shared<Answers>().tables.insert_or_assign(to_lower_ascii(arguments[2]),
                                                                         std::move(answer));
    *table_slot = table.release();
    return ok_status();
  });
}

int connect(sqlite3* db, void* pointer, int, const char* const* arguments, sqlite3_vtab** table_slot,
            char** message) noexcept {
  const auto& binding = *static_cast<const Binding*>(pointer);
  return guarded_code(message, binding, [&]() -> Status {
    const auto& answers = binding.session->objects().shared<Answers>().tables;
    const auto entry = answers.find(to_lower_ascii(arguments[2]));
    if (entry == answers.end()) return query_failed("the answer is no longer known; create the table again");
    TRUSTSQL_ASSIGN_OR_RETURN(auto table, declare(db, binding, arguments[2], entry->second));
    *table_slot = table.release();
    return ok_status();
  });
}

int disconnect(sqlite3_vtab* table) noexcept {
  std::unique_ptr<AnswerTable>(static_cast<AnswerTable*>(table)).reset();
  return SQLITE_OK;
}

// SQLite keeps the table if this fails, so the object is destroyed last
// (https://sqlite.org/vtab.html#the_xdestroy_method).
int destroy(sqlite3_vtab* base) noexcept {
  auto* table = static_cast<AnswerTable*>(base);
  const int code = guarded_code(&table->zErrMsg, *table->binding, [&] {
    table->binding->session->objects().shared<Answers>().tables.erase(to_lower_ascii(table->name));
  });
  return code == SQLITE_OK ? disconnect(table) : code;
}

int best_index(sqlite3_vtab*, sqlite3_index_info* info) noexcept {
  info->estimatedCost = 1e6;
  info->estimatedRows = 1000;
  return SQLITE_OK;
}

int open(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) noexcept {
  return guarded_code(&table->zErrMsg, *static_cast<AnswerTable*>(table)->binding,
                      [&] { *cursor = std::make_unique<AnswerCursor>().release(); });
}

int close(sqlite3_vtab_cursor* cursor) noexcept {
  std::unique_ptr<AnswerCursor>(static_cast<AnswerCursor*>(cursor)).reset();
  return SQLITE_OK;
}

Result<ResultSet> rows_of(const AnswerTable& table) {
  auto& session = *table.binding->session;
  const auto scope = std::make_shared<StatementScope>();
  TRUSTSQL_ASSIGN_OR_RETURN(const auto source, source_of(session, scope, table.answer.options));
  TRUSTSQL_ASSIGN_OR_RETURN(const auto sandbox, source->lease());
  sandbox->set_stop([&] { return session.database().interrupted(); });
  TRUSTSQL_ASSIGN_OR_RETURN(auto rows, sandbox->run(table.answer.sql));
  if (rows.column_count() != table.answer.columns.size())
    return query_failed("the query now has other columns; create the table again");
  return rows;
}

int filter(sqlite3_vtab_cursor* base, int, const char*, int, sqlite3_value**) noexcept {
  auto& cursor = *static_cast<AnswerCursor*>(base);
  auto& table = *static_cast<AnswerTable*>(base->pVtab);
  return guarded_code(&table.zErrMsg, *table.binding, [&]() -> Status {
    cursor.row = 0;
    TRUSTSQL_ASSIGN_OR_RETURN(cursor.rows, rows_of(table));
    return ok_status();
  });
}

int next(sqlite3_vtab_cursor* cursor) noexcept {
  ++static_cast<AnswerCursor*>(cursor)->row;
  return SQLITE_OK;
}

int eof(sqlite3_vtab_cursor* base) noexcept {
  const auto& cursor = *static_cast<AnswerCursor*>(base);
  return cursor.row >= cursor.rows.row_count() ? 1 : 0;
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int index) noexcept {
  const auto& cursor = *static_cast<AnswerCursor*>(base);
  const auto& spec = static_cast<AnswerTable*>(base->pVtab)->binding->spec;
  set_result(context, spec, cursor.rows.at(cursor.row, static_cast<std::size_t>(index)));
  return SQLITE_OK;
}

int rowid(sqlite3_vtab_cursor* base, sqlite3_int64* rowid) noexcept {
  *rowid = static_cast<sqlite3_int64>(static_cast<AnswerCursor*>(base)->row) + 1;
  return SQLITE_OK;
}

constexpr sqlite3_module module = [] {
  sqlite3_module m{};
  m.xCreate = create;
  m.xConnect = connect;
  m.xBestIndex = best_index;
  m.xDisconnect = disconnect;
  m.xDestroy = destroy;
  m.xOpen = open;
  m.xClose = close;
  m.xFilter = filter;
  m.xNext = next;
  m.xEof = eof;
  m.xColumn = column;
  m.xRowid = rowid;
  return m;
}();

int register_answer(sqlite3* db, const FunctionSpec& spec, const std::shared_ptr<Session>& session) {
  auto binding = std::make_unique<Binding>(Binding{spec, session});
  const std::string name(spec.name);
  return sqlite3_create_module_v2(db, name.c_str(), &module, binding.release(), destroy_binding);
}

}  // namespace

std::span<const FunctionSpec> nl2sql_answer_functions() {
  static constexpr FunctionDoc doc = {
      .name = "nl2sql_answer",
      .signature = "nl2sql_answer(question [, opts])",
      .summary =
          "A virtual table with the columns and rows of the answer: CREATE VIRTUAL TABLE temp.t USING "
          "nl2sql_answer('...'). The model is asked once, when the table is created; if it abstains, creating the "
          "table fails. The query is run again, in the sandbox, whenever the table is read. The table must be in temp.",
      .example = "SELECT count(*) FROM pragma_module_list WHERE name = 'nl2sql_answer'; -- 1",
      .columns = "the answer's own",
      .options = nl2sql_options,
      .entry_point = EntryPoint::full,
      .effect = Effect::state};
  static constexpr FunctionSpec functions[] = {{doc, FunctionKind::table, 1, 2, register_answer}};
  return functions;
}

}  // namespace trustsql::ext
