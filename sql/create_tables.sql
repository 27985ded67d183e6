-- create_tables.sql: the tables for questions, gold queries and predictions, the view `answers` over them, and tables for
-- schema retrieval and pairs of queries.
--
--   sqlite3 my.db ".read sql/create_tables.sql"
--
-- The import_*.sql scripts fill the tables; score.sql, calibrate.sql and report.sql read the view. It is a `source` as
-- rs_report, rs_html, rs_diff and rs_curve expect it: one row for each system and each question that it was asked.
--
--   gold.sql IS NULL           the question is infeasible: the right answer is to abstain
--   no row in gold             the right answer is unknown: the question is not scored
--   predictions.pred IS NULL   the system abstained
--   no row in predictions      the system was not asked, or its answer is lost: rs_report says so and does not guess
--
-- Running it again changes nothing. Needs no extension.

.bail on

BEGIN;

CREATE TABLE IF NOT EXISTS databases(
  db_id TEXT PRIMARY KEY,
  path  TEXT,                -- the SQLite file that queries are run on, relative to where sqlite3 is started
  ddl   TEXT                 -- its schema as CREATE TABLE statements
);

CREATE TABLE IF NOT EXISTS questions(
  number   INTEGER PRIMARY KEY,  -- in file order, on which prediction files with one query per line rely
  id       TEXT NOT NULL UNIQUE,
  question TEXT,
  db_id    TEXT,             -- in table databases; NULL: the database that this table is in
  dataset  TEXT,
  split    TEXT,             -- 'validation', 'test' ...
  hardness TEXT,             -- for a feasible question: 'easy', 'medium' ...
  seen     TEXT,             -- for a feasible question: whether the structure of its query occurs in training, 'seen' or 'unseen'
  type     TEXT,             -- for an infeasible question: 'column-surface', 'non-sql' ...
  template TEXT,             -- the question without its values, if the data set has it
  note     TEXT,             -- what its annotators noted, such as the column that an infeasible question refers to
  evidence TEXT              -- what is known beside the database (BIRD)
);

CREATE TABLE IF NOT EXISTS gold(
  id  TEXT PRIMARY KEY REFERENCES questions(id),
  sql TEXT
);

CREATE TABLE IF NOT EXISTS predictions(
  system     TEXT NOT NULL,
  id         TEXT NOT NULL REFERENCES questions(id),
  pred       TEXT,
  raw        TEXT,           -- for a pipeline: the query before any abstention
  cls        TEXT,           -- for a pipeline: the verdict of its detector of infeasible questions
  error      TEXT,           -- for a pipeline: the verdict of its detector of wrong queries
  confidence REAL,           -- larger is more confident
  PRIMARY KEY(system, id)
) WITHOUT ROWID;

-- For schema retrieval and similarity of queries, as in CRUSH4SQL and FuncEvalGMN.

CREATE TABLE IF NOT EXISTS elements(
  corpus TEXT NOT NULL,      -- the union of schemas that columns are retrieved from
  db     TEXT,
  tbl    TEXT NOT NULL,
  col    TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS hallucinations(
  id      TEXT PRIMARY KEY REFERENCES questions(id),
  schema  TEXT,              -- a JSON array of texts such as "Club(name, id)"; NULL: not recorded
  gold    TEXT               -- a JSON array of the elements that the gold query uses, "db.table.column"; NULL: not recorded
);

CREATE TABLE IF NOT EXISTS pairs(
  id       TEXT PRIMARY KEY,
  dataset  TEXT,
  db_id    TEXT,             -- in table databases; NULL: the database that this table is in
  hardness TEXT,
  a        TEXT NOT NULL,    -- the reference
  b        TEXT NOT NULL,
  label    INTEGER NOT NULL  -- 1: they mean the same, 0: they do not
);

CREATE VIEW IF NOT EXISTS answers AS
SELECT p.system, q.id, q.question, g.sql AS gold, p.pred, p.raw, p.cls, p.error, p.confidence, d.path AS database,
       q.db_id, q.dataset, q.split, q.hardness, q.seen, q.type
FROM predictions p
JOIN questions q ON q.id = p.id
JOIN gold g ON g.id = q.id
LEFT JOIN databases d ON d.db_id = q.db_id;

COMMIT;

-- Fails if tables with these names existed before with other columns.
SELECT system, id, question, gold, pred, raw, cls, error, confidence, database, db_id, dataset, split, hardness, seen, type FROM answers LIMIT 0;
SELECT number, id, question, db_id, dataset, split, hardness, seen, type, template, note, evidence FROM questions LIMIT 0;
SELECT db_id, path, ddl FROM databases LIMIT 0;
SELECT corpus, db, tbl, col FROM elements LIMIT 0;
SELECT id, schema, gold FROM hallucinations LIMIT 0;
SELECT id, dataset, db_id, hardness, a, b, label FROM pairs LIMIT 0;
