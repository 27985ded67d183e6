#include "db/catalog/catalog.hpp"

#include "db/catalog/ddl_scan.hpp"
#include "db/sources/ddl_source.hpp"
#include "unit/db/support.hpp"

namespace trustsql {
namespace {

using test::Host;
using test::TempDir;
using test::TestConnection;

std::shared_ptr<const Catalog> catalog_of(std::string_view ddl) {
  auto source = open_ddl(ddl, test::default_settings());
  EXPECT_TRUE(source.ok()) << source.error().message;
  if (!source.ok()) return std::make_shared<const Catalog>();
  auto catalog = (*source)->catalog();
  EXPECT_TRUE(catalog.ok()) << catalog.error().message;
  return catalog.ok() ? *catalog : std::make_shared<const Catalog>();
}

std::string_view affinity_name(Affinity affinity) {
  switch (affinity) {
    case Affinity::none: return "NONE";
    case Affinity::blob: return "BLOB";
    case Affinity::text: return "TEXT";
    case Affinity::numeric: return "NUMERIC";
    case Affinity::integer: return "INTEGER";
    case Affinity::real: return "REAL";
  }
  return "";
}

// "name:type:AFFINITY:COLLATION" and flags, for each column.
std::string describe(const Column& column) {
  std::string text = column.name + ":" + column.declared_type + ":" + std::string(affinity_name(column.affinity)) +
                     ":" + column.collation;
  if (column.not_null) text += " not_null";
  if (column.is_rowid_alias) text += " rowid";
  if (column.primary_key_position > 0) text += " pk" + std::to_string(column.primary_key_position);
  if (column.enforced_type) text += " only_" + std::string(type_name(*column.enforced_type));
  if (column.default_value) text += " default=" + *column.default_value;
  if (column.generated != Column::Generated::no)
    text += std::string(column.generated == Column::Generated::stored ? " stored" : " virtual") + "=" +
            column.generated_expression;
  if (column.hidden) text += " hidden";
  return text;
}

std::string columns_of(const Table* table) {
  if (table == nullptr) return "(no table)";
  std::vector<std::string> all;
  for (const Column& column : table->columns) all.push_back(describe(column));
  return join(all, "; ");
}

std::string keys_of(const Table* table) {
  if (table == nullptr) return "(no table)";
  std::vector<std::string> all;
  for (const Key& key : table->keys) {
    std::vector<std::string> parts;
    for (const KeyPart& part : key.parts) {
      std::string text = part.column == -1   ? "rowid"
                         : part.column == -2 ? "expr"
                                             : table->columns[static_cast<std::size_t>(part.column)].name;
      if (part.collation != "BINARY") text += " " + part.collation;
      if (part.descending) text += " desc";
      parts.push_back(text);
    }
    constexpr const char* origins[] = {"pk", "unique", "index"};
    all.push_back(std::string(origins[static_cast<int>(key.origin)]) + "(" + join(parts, ",") + ")" +
                  (key.is_partial ? " partial" : "") + (key.has_expression ? " expression" : "") +
                  (key.is_true_key ? " true" : ""));
  }
  return join(all, "; ");
}

TEST(Affinity, OfDeclaredTypes) {
  // The examples of https://sqlite.org/datatype3.html, and some of our own.
  for (const char* type : {"INT", "INTEGER", "TINYINT", "SMALLINT", "MEDIUMINT", "BIGINT", "UNSIGNED BIG INT", "INT2",
                           "INT8", "FLOATING POINT", "CHARINT", "pointer"})
    EXPECT_EQ(affinity_of_type(type), Affinity::integer) << type;
  for (const char* type : {"CHARACTER(20)", "VARCHAR(255)", "VARYING CHARACTER(255)", "NCHAR(55)",
                           "NATIVE CHARACTER(70)", "NVARCHAR(100)", "TEXT", "CLOB", "text", "blobtext"})
    EXPECT_EQ(affinity_of_type(type), Affinity::text) << type;
  for (const char* type : {"BLOB", "", "blobby", "real blob"})
    EXPECT_EQ(affinity_of_type(type), Affinity::blob) << type;
  for (const char* type : {"REAL", "DOUBLE", "DOUBLE PRECISION", "FLOAT"})
    EXPECT_EQ(affinity_of_type(type), Affinity::real) << type;
  for (const char* type : {"NUMERIC", "DECIMAL(10,5)", "BOOLEAN", "DATE", "DATETIME", "STRING", "ANY"})
    EXPECT_EQ(affinity_of_type(type), Affinity::numeric) << type;
  EXPECT_EQ(affinity_of_type("ANY", true), Affinity::blob);
}

// SQLite is the oracle: typeof() of stored values tells the affinity.
TEST(Affinity, AsSqliteStoresValues) {
  for (const char* type : {"INT", "VARCHAR(9)", "BLOB", "", "DOUBLE", "DECIMAL(10,5)", "BOOLEAN", "FLOATING POINT",
                           "CHARBLOB", "BLOBREAL", "REALCLOB", "DATETIME", "XINTTEXT"}) {
    TestConnection db;
    db.exec("CREATE TABLE t(x " + std::string(type) + "); INSERT INTO t VALUES ('1.0'), (1), (1.5)");
    const std::string stored = db.ask("SELECT group_concat(typeof(x)) FROM t");
    const std::string expected = [&] {
      switch (affinity_of_type(type)) {
        case Affinity::blob: return "text,integer,real";
        case Affinity::text: return "text,text,text";
        case Affinity::real: return "real,real,real";
        default: return "integer,integer,real";
      }
    }();
    EXPECT_EQ(stored, expected) << type;
  }
}

TEST(Catalog, Columns) {
  const auto catalog = catalog_of(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a VARCHAR(20) NOT NULL COLLATE NOCASE DEFAULT 'it''s', b, c REAL DEFAULT "
      "(1 + 2), d TEXT UNIQUE,"
      " e INT GENERATED ALWAYS AS (id * 2) STORED, f AS (upper(a) || ')') , g DATE DEFAULT CURRENT_DATE)");
  const Table* table = catalog->find("T");
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(columns_of(table),
            "id:INTEGER:INTEGER:BINARY not_null rowid pk1 only_integer; a:VARCHAR(20):TEXT:NOCASE not_null "
            "default='it''s'; b::BLOB:BINARY; "
            "c:REAL:REAL:BINARY "
            "default=1 + 2; d:TEXT:TEXT:BINARY; e:INT:INTEGER:BINARY stored=id * 2; f::BLOB:BINARY virtual=upper(a) || "
            "')'; g:DATE:NUMERIC:BINARY "
            "default=CURRENT_DATE");
  EXPECT_EQ(table->kind, Table::Kind::table);
  EXPECT_TRUE(table->has_rowid());
  EXPECT_EQ(table->find_column("A"), 1U);
  EXPECT_EQ(table->find_column("nope"), std::nullopt);
}

TEST(Catalog, RowidAliases) {
  const auto is_alias = [](const char* definition) {
    const auto catalog = catalog_of("CREATE TABLE t(" + std::string(definition) +
                                    (std::string_view(definition).ends_with("WITHOUT ROWID") ? "" : ")"));
    const Table* table = catalog->find("t");
    // The oracle: only a rowid alias gets a number when NULL is inserted.
    return table != nullptr && table->columns[0].is_rowid_alias;
  };
  for (const char* definition :
       {"x INTEGER PRIMARY KEY", "x integer primary key asc", "x INTEGER PRIMARY KEY AUTOINCREMENT",
        "x INTEGER, PRIMARY KEY (x)", "x INTEGER, PRIMARY KEY (x DESC)", "x \"INTEGER\" PRIMARY KEY",
        "x INTEGER CONSTRAINT pk PRIMARY KEY ON CONFLICT IGNORE, y"}) {
    EXPECT_TRUE(is_alias(definition)) << definition;
    TestConnection db;
    db.exec("CREATE TABLE t(" + std::string(definition) + "); INSERT INTO t(x) VALUES (NULL)");
    EXPECT_EQ(db.ask("SELECT x = rowid FROM t"), "1") << definition;
  }
  for (const char* definition :
       {"x INTEGER PRIMARY KEY DESC", "x INT PRIMARY KEY", "x INTEGER(8) PRIMARY KEY", "x BIGINT PRIMARY KEY",
        "x INTEGER, y, PRIMARY KEY (x, y)", "x INTEGER UNIQUE", "x INTEGER PRIMARY KEY) WITHOUT ROWID"}) {
    EXPECT_FALSE(is_alias(definition)) << definition;
    if (std::string_view(definition).find("WITHOUT") != std::string_view::npos) continue;
    TestConnection db;
    db.exec("CREATE TABLE t(" + std::string(definition) + "); INSERT INTO t(x) VALUES (NULL)");
    EXPECT_EQ(db.ask("SELECT x IS NULL FROM t"), "1") << definition;
  }
}

TEST(Catalog, Keys) {
  const auto catalog = catalog_of(
      "CREATE TABLE t(a TEXT UNIQUE, b TEXT COLLATE NOCASE, c INT NOT NULL, d INT NOT NULL, PRIMARY KEY (b), UNIQUE (c "
      "COLLATE RTRIM, d DESC));"
      "CREATE UNIQUE INDEX i1 ON t(c) WHERE d > 1; CREATE UNIQUE INDEX i2 ON t(c, lower(a)); CREATE UNIQUE INDEX i3 ON "
      "t(c, a); CREATE INDEX i4 ON "
      "t(c);"
      "CREATE UNIQUE INDEX i5 ON t(d)");
  EXPECT_EQ(keys_of(catalog->find("t")),
            "pk(b NOCASE); unique(a); unique(c RTRIM,d desc) true; index(c) partial; index(c,expr) expression; "
            "index(c,a); index(d) true");
  EXPECT_EQ(catalog->find("t")->primary_key(), &catalog->find("t")->keys[0]);
}

// What keeps NULLs out: tried on SQLite (notes: PRIMARY KEY and UNIQUE columns admit several NULLs).
TEST(Catalog, TrueKeysAreThoseThatSqliteEnforces) {
  struct Case {
    const char* ddl;
    const char* keys;
  };
  for (const auto& [ddl, keys] : {
           Case{"CREATE TABLE t(x INTEGER PRIMARY KEY, y)", "pk(x) true"},
           Case{"CREATE TABLE t(x INT PRIMARY KEY, y)", "pk(x)"},
           Case{"CREATE TABLE t(x TEXT PRIMARY KEY, y)", "pk(x)"},
           Case{"CREATE TABLE t(x INTEGER PRIMARY KEY DESC, y)", "pk(x desc)"},
           Case{"CREATE TABLE t(x INT NOT NULL PRIMARY KEY, y)", "pk(x) true"},
           Case{"CREATE TABLE t(x INT, y INT, PRIMARY KEY (x, y))", "pk(x,y)"},
           Case{"CREATE TABLE t(x INT NOT NULL, y INT, PRIMARY KEY (x, y))", "pk(x,y)"},
           Case{"CREATE TABLE t(x INT PRIMARY KEY, y) WITHOUT ROWID", "pk(x) true"},
           Case{"CREATE TABLE t(x INT, y INT, PRIMARY KEY (y, x)) WITHOUT ROWID", "pk(y,x) true"},
           Case{"CREATE TABLE t(x INT PRIMARY KEY, y INT) STRICT", "pk(x) true"},
           Case{"CREATE TABLE t(x INT UNIQUE, y INT) STRICT", "unique(x)"},
           Case{"CREATE TABLE t(x INT UNIQUE NOT NULL, y)", "unique(x) true"},
           Case{"CREATE TABLE t(x INTEGER PRIMARY KEY DESC, y INT) STRICT", "pk(x desc) true"},
       }) {
    const auto catalog = catalog_of(ddl);
    const Table* table = catalog->find("t");
    EXPECT_EQ(keys_of(table), keys) << ddl;
    if (table == nullptr || table->keys.empty() || table->columns[0].is_rowid_alias) continue;
    // The oracle: a true key rejects two rows of NULLs, any other key accepts them.
    TestConnection db;
    db.exec(ddl);
    int inserted = 0;
    for (int i = 0; i < 2; ++i)
      inserted += sqlite3_exec(db, "INSERT INTO t VALUES (NULL, NULL)", nullptr, nullptr, nullptr) == SQLITE_OK ? 1 : 0;
    bool all_nullable = true;
    for (const KeyPart& part : table->keys[0].parts)
      all_nullable = all_nullable && !table->columns[static_cast<std::size_t>(part.column)].not_null;
    if (table->keys[0].is_true_key) {
      EXPECT_EQ(inserted, 0) << ddl;
    }
    if (all_nullable) {
      EXPECT_EQ(inserted, 2) << ddl;
    }
  }
}

TEST(Catalog, Indexes) {
  const auto catalog = catalog_of(R"(
    CREATE TABLE t(id INTEGER PRIMARY KEY, a, b UNIQUE, c, v AS (a || c));
    CREATE INDEX t_a ON t(a) WHERE c > 0;
    CREATE TABLE e(a, b);
    CREATE INDEX e_a ON e(a + b);
    CREATE TABLE d(a, b, PRIMARY KEY(a, b DESC));
    CREATE TABLE v(a, b AS (a + 1));
    CREATE INDEX v_b ON v(b);
  )");
  const auto indexes_of = [&](std::string_view name) {
    const Table* table = catalog->find(name);
    if (table == nullptr) return std::string("(no table)");
    std::string text;
    for (const Column& column : table->columns) text += column.is_indexed ? column.name : "-";
    if (table->has_index_on_expression) text += " expression";
    if (table->has_descending_index) text += " descending";
    if (table->has_index_on_virtual_column) text += " virtual";
    return text;
  };
  EXPECT_EQ(indexes_of("t"), "-ab--");
  EXPECT_EQ(indexes_of("e"), "-- expression");
  EXPECT_EQ(indexes_of("d"), "ab descending");
  EXPECT_EQ(indexes_of("v"), "-b virtual");
}

TEST(Catalog, StrictAndWithoutRowid) {
  const auto catalog = catalog_of(
      "CREATE TABLE s(a INT, b INTEGER, c REAL, d TEXT, e BLOB, f ANY) STRICT; CREATE TABLE w(a TEXT, b, PRIMARY KEY "
      "(a)) WITHOUT ROWID");
  EXPECT_EQ(columns_of(catalog->find("s")),
            "a:INT:INTEGER:BINARY only_integer; b:INTEGER:INTEGER:BINARY only_integer; c:REAL:REAL:BINARY only_real; "
            "d:TEXT:TEXT:BINARY only_text; "
            "e:BLOB:BLOB:BINARY; f:ANY:BLOB:BINARY");
  EXPECT_TRUE(catalog->find("s")->strict);
  EXPECT_TRUE(catalog->find("s")->has_rowid());
  EXPECT_EQ(columns_of(catalog->find("w")), "a:TEXT:TEXT:BINARY not_null pk1; b::BLOB:BINARY");
  EXPECT_TRUE(catalog->find("w")->without_rowid);
  EXPECT_FALSE(catalog->find("w")->has_rowid());
}

// ALTER TABLE may have added any column that has a default, and does not check the default's type in 3.40.
TEST(Catalog, DefaultsOfStrictTables) {
  const auto catalog = catalog_of(
      "CREATE TABLE s(a INT DEFAULT 1, b INT DEFAULT -1, c INT DEFAULT '1', d INT DEFAULT 1.5, e TEXT DEFAULT 'x', f "
      "TEXT DEFAULT 1, g REAL DEFAULT 0.5, h REAL DEFAULT 1, i REAL DEFAULT 'x', j BLOB DEFAULT x'00', k INT DEFAULT "
      "NULL, l INT DEFAULT (1), m TEXT DEFAULT CURRENT_DATE, n INT DEFAULT 9223372036854775808, o "
      "TEXT DEFAULT current_time, p INT DEFAULT CURRENT_X) STRICT");
  std::string enforced;
  for (const auto& column : catalog->find("s")->columns)
    if (column.enforced_type) enforced += column.name;
  EXPECT_EQ(enforced, "abeghklmo");
}

TEST(Catalog, NullsInDisguise) {
  const auto catalog = catalog_of(
      "CREATE TABLE a(x INT NOT NULL DEFAULT (-NULL)); CREATE TABLE b(x INT DEFAULT (-NULL)); CREATE TABLE c(x INT NOT "
      "NULL DEFAULT 0)");
  EXPECT_TRUE(catalog->find("a")->columns[0].may_hide_nulls);
  EXPECT_FALSE(catalog->find("a")->columns[0].not_null);
  EXPECT_FALSE(catalog->find("b")->columns[0].may_hide_nulls);
  EXPECT_FALSE(catalog->find("c")->columns[0].may_hide_nulls);
  // Under PRAGMA case_sensitive_like, rows were checked with another LIKE.
  const auto computed = catalog_of(
      "CREATE TABLE t(a TEXT, x INT NOT NULL AS (nullif(a LIKE 'A', 1)) UNIQUE, y INT NOT NULL AS (nullif(a LIKE 'A', "
      "1)) STORED, z INT NOT NULL AS (length(a)))");
  const auto& columns = computed->find("t")->columns;
  EXPECT_TRUE(columns[1].may_hide_nulls && !columns[1].not_null);
  EXPECT_TRUE(columns[2].not_null && columns[3].not_null);
  EXPECT_FALSE(computed->find("t")->keys.front().is_true_key);
}

TEST(Catalog, ForeignKeys) {
  const auto catalog = catalog_of(
      "CREATE TABLE p(a INT, b TEXT COLLATE NOCASE, c, PRIMARY KEY (b, a)); CREATE UNIQUE INDEX pc ON p(c COLLATE "
      "NOCASE);"
      "CREATE TABLE q(id INTEGER PRIMARY KEY, u UNIQUE, n);"
      "CREATE TABLE c(x INT, y TEXT, z INT REFERENCES q ON DELETE CASCADE, u REFERENCES Q(U) ON UPDATE SET NULL, n "
      "REFERENCES q(n), m REFERENCES "
      "missing(k),"
      " FOREIGN KEY (y, x) REFERENCES p, FOREIGN KEY (x) REFERENCES p, FOREIGN KEY (z) REFERENCES p(c))");
  const Table* child = catalog->find("c");
  ASSERT_NE(child, nullptr);
  const auto text = [&](const ForeignKey& key) {
    std::vector<std::string> columns;
    for (const int column : key.columns) columns.push_back(child->columns[static_cast<std::size_t>(column)].name);
    return join(columns, ",") + "->" + key.parent_table + "(" + join(key.parent_columns, ",") + ") " + key.on_update +
           "/" + key.on_delete;
  };
  std::vector<std::string> all;
  for (const ForeignKey& key : child->foreign_keys) all.push_back(text(key));
  EXPECT_EQ(all, (std::vector<std::string>{"z->q(id) NO ACTION/CASCADE", "u->Q(U) SET NULL/NO ACTION",
                                           "n->q(n) NO ACTION/NO ACTION", "m->missing(k) NO ACTION/NO ACTION",
                                           "y,x->p(b,a) NO ACTION/NO ACTION", "x->p() NO ACTION/NO ACTION",
                                           "z->p(c) NO ACTION/NO ACTION"}));
  EXPECT_EQ(catalog->parent(*child, child->foreign_keys[0]), catalog->find("q"));
  EXPECT_EQ(catalog->parent(*child, child->foreign_keys[3]), nullptr);
}

TEST(Catalog, Checks) {
  const auto catalog = catalog_of(
      "CREATE TABLE t(\n  a INT CHECK (a > 0) NOT NULL CONSTRAINT \"named one\" CHECK(a IN (1, 2, (3))), -- CHECK "
      "(no)\n"
      "  b TEXT DEFAULT 'CHECK (no)' CHECK (b <> ')' /* ( */ AND b <> \"check\"), [check] INT,\n"
      "  d INT DEFAULT (1) REFERENCES t(a), CONSTRAINT c1 UNIQUE (a), CHECK (a < b), CONSTRAINT c2 CHECK(typeof(a) = "
      "'integer'))");
  std::vector<std::string> all;
  const Table* table = catalog->find("t");
  ASSERT_NE(table, nullptr);
  for (const Check& check : table->checks)
    all.push_back(std::to_string(check.column) + ":" + check.name + ":" + check.expression);
  EXPECT_EQ(all, (std::vector<std::string>{"0::a > 0", "0:named one:a IN (1, 2, (3))",
                                           "1::b <> ')' /* ( */ AND b <> \"check\"", "-1::a < b",
                                           "-1:c2:typeof(a) = 'integer'"}));
}

TEST(Catalog, ViewsVirtualTablesAndInternalTables) {
  const auto catalog = catalog_of(
      "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR); CREATE VIEW v AS SELECT id, upper(name) AS "
      "u, name FROM t; CREATE VIEW "
      "broken AS SELECT * FROM missing;"
      "CREATE VIRTUAL TABLE ft USING fts5(body)");
  const Table* view = catalog->find("v");
  ASSERT_NE(view, nullptr);
  EXPECT_EQ(view->kind, Table::Kind::view);
  EXPECT_EQ(view->sql, "CREATE VIEW v AS SELECT id, upper(name) AS u, name FROM t");
  EXPECT_EQ(columns_of(view), "id:INTEGER:INTEGER:; u::BLOB:; name:VARCHAR:TEXT:");
  EXPECT_FALSE(view->has_rowid());
  const Table* broken = catalog->find("broken");
  ASSERT_NE(broken, nullptr);
  EXPECT_TRUE(broken->columns.empty());
  EXPECT_EQ(broken->error, "no such table: main.missing");
  const Table* fts = catalog->find("ft");
  ASSERT_NE(fts, nullptr);
  EXPECT_EQ(fts->kind, Table::Kind::virtual_table);
  // Declared with the type HIDDEN, whose affinity is NUMERIC.
  EXPECT_EQ(columns_of(fts), "body::BLOB:BINARY; ft::NUMERIC:BINARY hidden; rank::NUMERIC:BINARY hidden");
  EXPECT_EQ(catalog->find("ft_content")->kind, Table::Kind::shadow_table);
  EXPECT_EQ(catalog->find("sqlite_master"), catalog->find("sqlite_schema"));
  ASSERT_NE(catalog->find("sqlite_schema"), nullptr);
  EXPECT_TRUE(catalog->find("sqlite_schema")->is_internal());
  EXPECT_NE(catalog->find("sqlite_sequence"), nullptr);
  // Declared order, SQLite's own tables last.
  EXPECT_EQ(catalog->tables()[0].name, "t");
  EXPECT_EQ(catalog->tables()[1].name, "sqlite_sequence");
  EXPECT_EQ(catalog->tables().back().name, "sqlite_schema");
}

TEST(Catalog, SchemasAreSearchedAsSqliteDoes) {
  TempDir dir;
  Host host(dir.file("a.db"));
  host.exec(
      "CREATE TABLE t(main_t); CREATE TABLE only_main(x); ATTACH ':memory:' AS Other; CREATE TABLE other.t(other_t); "
      "CREATE TABLE other.o(x COLLATE "
      "RTRIM)");
  const auto find = [&](auto... names) {
    const auto catalog = host.databases().open(std::nullopt, host.settings()).value()->catalog().value();
    const Table* table = catalog->find(names...);
    return table == nullptr ? std::string("(none)") : table->schema + "." + table->columns[0].name;
  };
  EXPECT_EQ(find("t"), "main.main_t");
  EXPECT_EQ(find("OTHER", "T"), "Other.other_t");
  EXPECT_EQ(find("o"), "Other.x");
  EXPECT_EQ(find("main", "o"), "(none)");
  host.exec("CREATE TEMP TABLE t(temp_t)");
  EXPECT_EQ(find("t"), "temp.temp_t");
  EXPECT_EQ(find("main", "t"), "main.main_t");
  EXPECT_EQ(find("temp", "sqlite_master"), "temp.type");
}

TEST(Catalog, IsCachedUntilTheSchemaChanges) {
  TempDir dir;
  const TestConnection writer(dir.file("a.db"));
  writer.exec("CREATE TABLE t(a)");
  Host host;
  const auto source = host.databases().open(dir.file("a.db"), host.settings()).value();
  const auto first = source->catalog().value();
  EXPECT_EQ(source->catalog().value(), first);
  writer.exec("INSERT INTO t VALUES (1)");
  EXPECT_EQ(source->catalog().value(), first);
  writer.exec("ALTER TABLE t ADD COLUMN b");
  const auto second = source->catalog().value();
  EXPECT_NE(second, first);
  EXPECT_EQ(second->find("t")->columns.size(), 2U);
  EXPECT_EQ(first->find("t")->columns.size(), 1U);
  writer.exec("BEGIN EXCLUSIVE; COMMIT");  // no lock is left
}

TEST(Catalog, OddNames) {
  const auto catalog = catalog_of(
      "CREATE TABLE \"a \"\" b.c\"([x y] INT, 'str' TEXT, \"\" BLOB, \"select\" PRIMARY KEY); CREATE INDEX \"i \"\" "
      "x\" ON \"a \"\" b.c\"([x y])");
  EXPECT_EQ(columns_of(catalog->find("A \" B.C")),
            "x y:INT:INTEGER:BINARY; str:TEXT:TEXT:BINARY; :BLOB:BLOB:BINARY; select::BLOB:BINARY pk1");
}

// Each view mentions the column of the one below twice. SQLite would make the 40th a sum of 2^40 terms if it prepared a
// query of it, as PRAGMA table_list does.
TEST(Catalog, ViewsThatDoubleAnExpressionAreReadWithoutAQuery) {
  std::string ddl = "CREATE TABLE t(name TEXT); CREATE VIEW v0 AS SELECT name AS a FROM t;";
  for (int i = 1; i <= 40; ++i)
    ddl += "CREATE VIEW v" + std::to_string(i) + " AS SELECT a || a AS a FROM v" + std::to_string(i - 1) + ";";
  const auto catalog = catalog_of(ddl);
  EXPECT_EQ(columns_of(catalog->find("main", "v40")), "a::BLOB:");
  EXPECT_NE(catalog->find("main", "v39"), nullptr);
}

TEST(Catalog, ViewsThatExpandToTooManySelectsAreRefused) {
  const auto self_joined = [](int levels) {
    std::string ddl = "CREATE TABLE t(a); CREATE VIEW v0 AS SELECT a FROM t;";
    for (int i = 1; i <= levels; ++i) {
      const std::string below = "v" + std::to_string(i - 1);
      ddl += "CREATE VIEW v" + std::to_string(i) + " AS SELECT x.a FROM " + below + " x JOIN main." + below + " y;";
    }
    return open_ddl(ddl, test::default_settings());
  };
  EXPECT_TRUE(self_joined(8).ok());
  for (const int levels : {14, 40}) {
    const auto refused = self_joined(levels);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("views expand to too many SELECTs or columns, at 'v"), std::string::npos)
        << refused.error().message;
  }
}

TEST(DdlScan, FindsNothingWhereNothingIs) {
  for (const char* sql : {"", "SELECT 1", "CREATE VIEW v AS SELECT 1", "CREATE TABLE t AS SELECT 1",
                          "CREATE VIRTUAL TABLE t USING fts5(check)", "CREATE TABLE", "CREATE TABLE t(",
                          "CREATE TABLE t(a CHECK", "CREATE TABLE t(a CHECK (", "CREATE TABLE t(a CHECK (1",
                          "CREATE TABLE t(a CHECK (1)", "CREATE TABLE t(,", "CREATE INDEX i ON t(a)"}) {
    const DdlFacts facts = scan_create_table(sql);
    EXPECT_TRUE(facts.generated.empty()) << sql;
    EXPECT_LE(facts.checks.size(), 1U) << sql;
  }
  EXPECT_EQ(
      scan_create_table("CREATE TEMP TABLE IF NOT EXISTS \"main\".t /* x */ (a CHECK (a), b, CHECK (b) CHECK (a+b))")
          .checks.size(),
      3U);
}

TEST(DdlSource, MakesADatabaseThatQueriesRunOn) {
  const auto source = open_ddl(
      "PRAGMA foreign_keys=OFF; BEGIN TRANSACTION; CREATE TABLE t(a); -- ;\nINSERT INTO t VALUES ('x;y'); CREATE "
      "TRIGGER tr AFTER INSERT ON t BEGIN "
      "SELECT 1; SELECT 2; END;"
      "CREATE VIEW v AS SELECT a FROM t; CREATE TEMP TABLE tt(b); COMMIT;",
      test::default_settings());
  ASSERT_TRUE(source.ok()) << source.error().message;
  EXPECT_EQ(test::show(test::run(**source, "SELECT a FROM v, tt")), "");
  EXPECT_EQ(test::show(test::run(**source, "SELECT a FROM v")), "x;y");
  EXPECT_EQ((*source)->name(), "the schema");
  EXPECT_TRUE(open_ddl("", test::default_settings()).ok());
  EXPECT_TRUE(open_ddl(" ; -- nothing", test::default_settings()).ok());
}

TEST(DdlSource, RefusesWhatMakesNoSchema) {
  const auto code_of = [](std::string_view ddl) {
    auto source = open_ddl(ddl, test::settings_with({{"timeout_ms", 200}, {"snapshot_max_bytes", 1 << 20}}));
    EXPECT_FALSE(source.ok()) << ddl;
    return source.ok() ? ErrorCode::internal : source.error().code;
  };
  TempDir dir;
  for (const std::string& ddl :
       {std::string("SELECT 1"), "ATTACH '" + dir.file("x.db") + "' AS x", std::string("hello"),
        std::string("CREATE TABLE t(a); DETACH main"), std::string("CREATE TABLE t AS SELECT load_extension('x')"),
        std::string("INSERT INTO t SELECT 1 FROM pragma_database_list; SELECT 2"),
        std::string("CREATE VIRTUAL TABLE d USING dbstat")})
    EXPECT_NE(code_of(ddl), ErrorCode::internal) << ddl;
  EXPECT_EQ(code_of("SELECT 1"), ErrorCode::not_allowed);
  EXPECT_EQ(code_of("CREATE TABLE t(a"), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of("CREATE TABLE t(a); CREATE TABLE t(b)"), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(std::string_view("CREATE TABLE t(a)\0", 18)), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of("CREATE TABLE \"\xff\"(a)"), ErrorCode::invalid_argument);
  EXPECT_EQ(
      code_of("CREATE TABLE t AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT max(x) FROM c"),
      ErrorCode::limit_exceeded);
  EXPECT_EQ(code_of("CREATE TABLE t(a); INSERT INTO t WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) "
                    "SELECT zeroblob(10000) FROM c"),
            ErrorCode::limit_exceeded);
  EXPECT_FALSE(std::filesystem::exists(dir.file("x.db")));
  auto failed =
      open_ddl("CREATE TABLE t(a); CREATE INDEX i ON missing(a); CREATE TABLE u(x)", test::default_settings());
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message, "no such table: main.missing in 'CREATE INDEX i ON missing(a);'");
}

TEST(DdlSource, OfAHostAreKept) {
  Host host;
  const auto a = host.databases().open_schema("CREATE TABLE t(a)", host.settings()).value();
  EXPECT_EQ(host.databases().open_schema("CREATE TABLE t(a)", host.settings()).value(), a);
  EXPECT_NE(host.databases().open_schema("CREATE TABLE t(b)", host.settings()).value(), a);
  for (int i = 0; i < 20; ++i)
    EXPECT_TRUE(host.databases().open_schema("CREATE TABLE t" + std::to_string(i) + "(a)", host.settings()).ok());
  EXPECT_NE(host.databases().open_schema("CREATE TABLE t(a)", host.settings()).value(), a);
  EXPECT_EQ(test::show(test::run(*a, "SELECT count(*) FROM t")), "0");
}

}  // namespace
}  // namespace trustsql
