-- audit.sql: finds questions and gold queries that would make a score less meaningful (TrustSQL, Appendix G).
--
--   sqlite3 my.db -cmd ".load ./build/release/trustsql" ".read sql/audit.sql"
--
--   @dataset       optional: the data set to audit; all by default
--   @paraphrases   optional: how many questions a structure should have (10)
--
-- Fills the table findings, which a person has to review: kind, id of the question or NULL, the structure or the
-- question, detail.
--
--   merge        two structures of one database that may mean the same: they share a question, or two of their queries
--                with the same values have the same result, which is not empty. The one with fewer questions should be
--                merged into the other
--   paraphrases  a structure with few different questions
--   null         a gold query whose result is empty or all NULL: wrong queries can easily return the same
--   fails        a gold query that does not run
--   time         a question with a relative time ("today") whose query does not use the current time
--   person       a question with "I", "my" or "me" whose query selects a person by an id that is not in the question
--   id           a question about names or "who" whose query returns only ids
--
-- The structure of a query is sql_skeleton(sql). Only English words are recognized. Needs the tables of
-- create_tables.sql and the extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  loaded CONSTRAINT "the extension is not loaded; use -cmd "".load ./build/release/trustsql""" CHECK(loaded),
  number CONSTRAINT "@paraphrases is not a number" CHECK(number),
  some   CONSTRAINT "there are no such questions with a gold query" CHECK(some)
);
INSERT INTO input_check(loaded) SELECT count(*) > 0 FROM pragma_function_list WHERE name = 'sql_skeleton';
INSERT INTO input_check(number) SELECT CAST(CAST(coalesce(@paraphrases, 10) AS INTEGER) AS TEXT) = CAST(coalesce(@paraphrases, 10) AS TEXT);

-- The words of a question in lower case, separated by single spaces. A query that does not run is not parsed.
DROP TABLE IF EXISTS temp.audited;
CREATE TEMP TABLE audited AS
WITH run AS (
  SELECT q.number, q.id, q.question, coalesce(q.db_id, '') AS db_id, d.path, g.sql, rs_case(g.sql, 'SELECT 1 WHERE 0', d.path, '{"semantics":"spider","on_gold_error":"skip"}') AS outcome
  FROM questions q JOIN gold g ON g.id = q.id LEFT JOIN databases d ON d.db_id = q.db_id
  WHERE g.sql IS NOT NULL AND (@dataset IS NULL OR q.dataset = @dataset))
SELECT number, id, question, db_id, path, sql, outcome = 'I' AS is_empty,
       CASE WHEN outcome IS NOT NULL THEN sql_skeleton(sql) END AS structure, CASE WHEN outcome IS NOT NULL THEN sql_parse(sql) END AS tree,
       ' ' || trim(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
         lower(coalesce(question, '')), '?', ' '), '.', ' '), ',', ' '), '!', ' '), ';', ' '), '''', ' '), '"', ' '), '  ', ' '), '  ', ' '), '  ', ' ')) || ' ' AS words
FROM run;
INSERT INTO input_check(some) SELECT count(*) > 0 FROM audited;

-- The values of a query, sorted.
DROP TABLE IF EXISTS temp.query_values;
CREATE TEMP TABLE query_values AS
SELECT number, (SELECT json_group_array(text) FROM (
         SELECT json_extract(t.value, '$.text') AS text FROM json_tree(a.tree) t
         WHERE t.type = 'object' AND json_extract(t.value, '$.type') = 'Literal' AND json_extract(t.value, '$.kind') IN ('string', 'integer', 'real')
         ORDER BY 1)) AS vals
FROM audited a WHERE tree IS NOT NULL;

DROP TABLE IF EXISTS temp.structures;
CREATE TEMP TABLE structures AS
SELECT db_id, structure, count(*) AS queries, count(DISTINCT words) AS questions FROM audited WHERE structure IS NOT NULL GROUP BY db_id, structure;

BEGIN;
DROP TABLE IF EXISTS findings;
CREATE TABLE findings(kind TEXT NOT NULL, id TEXT, about TEXT NOT NULL, detail TEXT);

INSERT INTO findings
WITH
  pairs AS (  -- two questions of different structures, the first of the structure with more questions
    SELECT a.number AS a, b.number AS b, a.words = b.words AS same_question
    FROM audited a JOIN query_values av USING (number)
    JOIN audited b ON b.db_id = a.db_id AND b.structure <> a.structure
    JOIN query_values bv ON bv.number = b.number
    JOIN structures sa ON sa.db_id = a.db_id AND sa.structure = a.structure
    JOIN structures sb ON sb.db_id = b.db_id AND sb.structure = b.structure
    WHERE (sa.questions, sa.structure) > (sb.questions, sb.structure) AND (a.words = b.words OR (av.vals = bv.vals AND av.vals <> '[]'))),
  alike AS (
    SELECT a.id, a.db_id, a.structure AS kept, b.structure AS merged, p.same_question
    FROM pairs p JOIN audited a ON a.number = p.a JOIN audited b ON b.number = p.b
    WHERE p.same_question
       OR (NOT a.is_empty AND rs_case(a.sql, b.sql, a.path, '{"on_gold_error":"skip"}') = 'I'))
SELECT 'merge', NULL, merged, CASE max(same_question) WHEN 1 THEN 'has a question of ' ELSE 'has the results of ' END || kept
FROM alike GROUP BY db_id, merged, kept;

INSERT INTO findings
SELECT 'paraphrases', NULL, structure, questions || CASE questions WHEN 1 THEN ' question' ELSE ' questions' END
FROM structures WHERE questions < CAST(coalesce(@paraphrases, 10) AS INTEGER) ORDER BY questions, db_id, structure;

-- Results of NULLs only: compared with a single row of up to 8 NULLs.
INSERT INTO findings
WITH RECURSIVE nulls(n, row) AS (SELECT 1, 'NULL' UNION ALL SELECT n + 1, row || ', NULL' FROM nulls WHERE n < 8)
SELECT 'null', id, coalesce(question, ''), CASE WHEN is_empty THEN 'no row' ELSE 'NULL only' END
FROM audited a
WHERE is_empty OR (tree IS NOT NULL AND EXISTS (
  SELECT 1 FROM nulls WHERE rs_case('SELECT DISTINCT * FROM (' || sql_format(sql) || ')', 'SELECT ' || row, path, '{"on_gold_error":"skip"}') = 'I'))
ORDER BY number;

INSERT INTO findings SELECT 'fails', id, coalesce(question, ''), sql FROM audited WHERE tree IS NULL ORDER BY number;

-- A query uses the current time if it calls a function of the clock.
INSERT INTO findings
WITH times(phrase) AS (VALUES ('today'), ('tomorrow'), ('yesterday'), ('tonight'), ('now'), ('nowadays'), ('currently'), ('at present'), ('ago'),
       ('this morning'), ('this afternoon'), ('this evening'),
       ('this hour'), ('this week'), ('this weekend'), ('this month'), ('this quarter'), ('this semester'), ('this term'), ('this year'),
       ('last hour'), ('last night'), ('last week'), ('last weekend'), ('last month'), ('last quarter'), ('last semester'), ('last term'), ('last year'),
       ('next hour'), ('next week'), ('next weekend'), ('next month'), ('next quarter'), ('next semester'), ('next term'), ('next year'))
SELECT 'time', id, question, group_concat(phrase, ', ')
FROM audited JOIN times ON instr(words, ' ' || phrase || ' ') > 0
WHERE tree IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM json_tree(tree) t WHERE t.type = 'object'
    AND ((json_extract(t.value, '$.type') = 'Literal' AND json_extract(t.value, '$.kind') IN ('current_date', 'current_time', 'current_timestamp'))
      OR (json_extract(t.value, '$.type') = 'Literal' AND lower(json_extract(t.value, '$.text')) = 'now')
      OR (json_extract(t.value, '$.type') = 'ColumnRef' AND lower(json_extract(t.value, '$.column')) = 'now')))
GROUP BY number ORDER BY number;

-- In polite phrases "I" and "me" refer to the person who asks, not to a person in the data.
INSERT INTO findings
WITH polite(phrase) AS (VALUES ('give me'), ('show me'), ('tell me'), ('get me'), ('find me'), ('list me'), ('help me'), ('let me'), ('inform me'), ('i need'), ('i want'),
       ('i would like'), ('i d like'), ('i wish'), ('can i get'), ('can i see'), ('may i see'), ('could i see'), ('i am looking'), ('i m looking')),
  said AS (
    SELECT id, number, question, words, tree,
           (instr(words, ' i ') > 0 OR instr(words, ' my ') > 0 OR instr(words, ' me ') > 0)
           AND NOT EXISTS (SELECT 1 FROM polite WHERE instr(words, ' ' || phrase || ' ') > 0) AS person
    FROM audited)
SELECT 'person', said.id, question, json_extract(t.value, '$.left.column') || ' = ' || json_extract(t.value, '$.right.text')
FROM said, json_tree(tree) t
WHERE person AND t.type = 'object' AND json_extract(t.value, '$.type') = 'Binary' AND json_extract(t.value, '$.op') IN ('=', '==', 'IS')
  AND json_extract(t.value, '$.left.type') = 'ColumnRef' AND json_extract(t.value, '$.right.type') = 'Literal'
  AND lower(json_extract(t.value, '$.left.column')) LIKE '%id' AND instr(words, lower(json_extract(t.value, '$.right.text'))) = 0
ORDER BY number;

-- Only the outermost SELECT is checked.
INSERT INTO findings
SELECT 'id', audited.id, question, group_concat(json_extract(i.value, '$.value.column'), ', ')
FROM audited, json_each(tree, '$.arms[0].body.items') i
WHERE words LIKE '% name %' OR words LIKE '% names %' OR words LIKE '% named %' OR words LIKE '% who %' OR words LIKE '% whom %'
GROUP BY number
HAVING min(coalesce(json_extract(i.value, '$.value.type'), '') = 'ColumnRef' AND (lower(json_extract(i.value, '$.value.column')) = 'id'
           OR lower(json_extract(i.value, '$.value.column')) LIKE '%\_id' ESCAPE '\'))
ORDER BY number;
COMMIT;

.headers on
.mode box
SELECT kind, count(*) AS findings FROM findings GROUP BY kind ORDER BY min(rowid);
.headers off
.mode list

DROP TABLE temp.audited;
DROP TABLE temp.query_values;
DROP TABLE temp.structures;
