-- split.sql: divides questions into training, validation and test splits such that validation and test contain query
-- structures that do not occur in training (TrustSQL, section 2.3).
--
--   sqlite3 my.db -cmd ".load ./build/release/trustsql" ".read sql/split.sql"
--
--   @by        optional: 'structure' (default) or 'database'
--   @dataset   optional: the data set to divide; otherwise all questions, each data set separately
--   @split     optional: the split to divide; otherwise all questions. With @by 'database' other splits are unchanged
--   @seed      optional: an integer that determines the division (0)
--
-- The structure of a query is sql_skeleton(sql): the query without its values, on the database of its question.
--
-- By structure, feasible questions are divided 6:2:2 within each structure, the first one for training. Then three
-- fifths of the structures stay in all splits, one fifth is kept only in validation, and one fifth only in test.
-- Questions that are removed from a split get the split NULL.
-- By database, for questions on databases without training questions: half of the databases are for validation, the
-- other half for test.
--
-- Infeasible questions are all for test; questions of unknown feasibility (no row in gold) are unchanged. For a
-- feasible question in validation or test, questions.seen says whether the structure of its query occurs in training.
-- Needs the tables of create_tables.sql and the extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  loaded   CONSTRAINT "the extension is not loaded; use -cmd "".load ./build/release/trustsql""" CHECK(loaded),
  by_known CONSTRAINT "@by is neither 'structure' nor 'database'" CHECK(by_known),
  seed_int CONSTRAINT "@seed is not an integer" CHECK(seed_int),
  some     CONSTRAINT "there are no such questions with a gold query" CHECK(some),
  named_db CONSTRAINT "a question to divide by database names none" CHECK(named_db)
);
INSERT INTO input_check(loaded) SELECT count(*) > 0 FROM pragma_function_list WHERE name = 'sql_skeleton';
INSERT INTO input_check(by_known) SELECT coalesce(@by, 'structure') IN ('structure', 'database');
INSERT INTO input_check(seed_int) SELECT CAST(CAST(coalesce(@seed, 0) AS INTEGER) AS TEXT) = CAST(coalesce(@seed, 0) AS TEXT);

DROP TABLE IF EXISTS temp.to_divide;
CREATE TEMP TABLE to_divide AS
SELECT q.number, coalesce(q.dataset, '') AS dataset, q.db_id, g.sql
FROM questions q JOIN gold g ON g.id = q.id
WHERE (@dataset IS NULL OR q.dataset = @dataset) AND (@split IS NULL OR q.split = @split);
INSERT INTO input_check(some) SELECT count(sql) > 0 FROM to_divide;
INSERT INTO input_check(named_db) SELECT coalesce(@by, 'structure') = 'structure' OR count(*) = count(db_id) FROM to_divide;

-- A pseudorandom number for each question: two rounds of multiplication and shift on 32 bits.
DROP TABLE IF EXISTS temp.shuffled;
CREATE TEMP TABLE shuffled AS
WITH
  first(number, h) AS (SELECT number, (number * 2654435761 + (CAST(coalesce(@seed, 0) AS INTEGER) & 4294967295) * 40503 + 374761393) & 4294967295 FROM to_divide),
  second(number, h) AS (SELECT number, ((h >> 15) * 2246822519 + (h & 32767) * 3266489917 + 668265263) & 4294967295 FROM first)
SELECT number, ((h >> 13) * 2654435761 + (h & 8191) * 374761393) & 4294967295 AS h FROM second;

DROP TABLE IF EXISTS temp.structured;
CREATE TEMP TABLE structured AS
SELECT d.number, d.dataset, d.db_id, sql_skeleton(d.sql) AS structure, s.h FROM to_divide d JOIN shuffled s USING (number) WHERE d.sql IS NOT NULL;

-- For each structure: 'validation' or 'test' if it is kept only in that split, else NULL.
DROP TABLE IF EXISTS temp.parts;
CREATE TEMP TABLE parts AS
WITH ranked AS (
  SELECT dataset, db_id, structure, min(h) AS h,
         row_number() OVER (PARTITION BY dataset ORDER BY min(h), min(number)) - 1 AS rank, count(*) OVER (PARTITION BY dataset) AS n
  FROM structured GROUP BY dataset, db_id, structure)
SELECT dataset, db_id, structure, h,
       CASE WHEN rank < round(n / 5.0) THEN 'validation' WHEN rank < 2 * round(n / 5.0) THEN 'test' END AS only
FROM ranked;

DROP TABLE IF EXISTS temp.divided;
CREATE TEMP TABLE divided(number INTEGER PRIMARY KEY, split TEXT);

-- By structure: of every five questions three are for training and one each for validation and test, which alternate in
-- coming first.
INSERT INTO divided
WITH placed AS (
  SELECT s.number, p.only, (row_number() OVER (PARTITION BY s.dataset, s.db_id, s.structure ORDER BY s.h, s.number) - 1) % 5 AS place, p.h & 64 AS turn
  FROM structured s JOIN parts p ON p.dataset = s.dataset AND p.db_id IS s.db_id AND p.structure = s.structure)
SELECT number, CASE WHEN only IS NOT NULL THEN CASE place WHEN 0 THEN only END
                    WHEN place IN (0, 3, 4) THEN 'train'
                    WHEN (place = 1) = (turn = 0) THEN 'validation'
                    ELSE 'test' END
FROM placed WHERE coalesce(@by, 'structure') = 'structure';

-- By database.
INSERT INTO divided
WITH halves AS (
  SELECT dataset, db_id, row_number() OVER (PARTITION BY dataset ORDER BY min(h), db_id) * 2 <= count(*) OVER (PARTITION BY dataset) AS first_half
  FROM structured GROUP BY dataset, db_id)
SELECT s.number, CASE WHEN first_half THEN 'validation' ELSE 'test' END
FROM structured s JOIN halves USING (dataset, db_id) WHERE @by = 'database';

INSERT INTO divided SELECT number, 'test' FROM to_divide WHERE sql IS NULL;

BEGIN;
UPDATE questions SET split = d.split, seen = NULL FROM divided d WHERE d.number = questions.number;

-- A structure is seen if it occurs in training, including splits that existed before.
DROP TABLE IF EXISTS temp.trained;
CREATE TEMP TABLE trained AS
SELECT DISTINCT coalesce(q.dataset, '') AS dataset, q.db_id, sql_skeleton(g.sql) AS structure
FROM questions q JOIN gold g ON g.id = q.id
WHERE q.split = 'train' AND g.sql IS NOT NULL AND coalesce(q.dataset, '') IN (SELECT dataset FROM to_divide);
UPDATE questions
SET seen = CASE WHEN EXISTS (SELECT 1 FROM trained t WHERE t.dataset = s.dataset AND t.db_id IS s.db_id AND t.structure = s.structure)
                THEN 'seen' ELSE 'unseen' END
FROM structured s WHERE s.number = questions.number AND questions.split IN ('validation', 'test');
COMMIT;

.mode box
SELECT nullif(d.dataset, '') AS dataset, coalesce(q.split, 'left out') AS split, count(*) AS questions, count(d.sql) AS feasible,
       sum(q.seen IS 'seen') AS seen, sum(q.seen IS 'unseen') AS unseen, count(DISTINCT coalesce(d.db_id, '') || char(10) || s.structure) AS structures
FROM questions q JOIN to_divide d USING (number) LEFT JOIN structured s USING (number)
GROUP BY d.dataset, q.split ORDER BY d.dataset, CASE q.split WHEN 'train' THEN 0 WHEN 'validation' THEN 1 WHEN 'test' THEN 2 ELSE 3 END;
.mode list

DROP TABLE temp.to_divide;
DROP TABLE temp.shuffled;
DROP TABLE temp.structured;
DROP TABLE temp.parts;
DROP TABLE temp.divided;
DROP TABLE temp.trained;
