-- import_trustsql_outputs.sql: the outputs of one system on TrustSQL, from the files of its parts.
--
--   sqlite3 my.db -cmd ".parameter set @system \"'CLS->SQLPROMPT->ERROR'\"" -cmd ".parameter set @sql sqlprompt.json" \
--                 -cmd ".parameter set @cls cls.json" -cmd ".parameter set @error error.json" \
--                 -cmd ".parameter set @dataset atis" -cmd ".parameter set @split test" ".read sql/import_trustsql_outputs.sql"
--
--   @system    the name of the system
--   @sql       the generator: a JSON object {"id": "SELECT ...", ...}. The texts null and not_answerable, an empty text and
--              JSON's own null mean that it gave none. An array of texts (VOTING) is an answer if all its texts are equal,
--              otherwise an abstention
--   @cls       the detector of infeasible questions: a JSON object {"id": "answerable" or "not_answerable", ...}
--   @error     the detector of wrong queries: a JSON object {"id": "correct" or "incorrect", ...}
--   @vote      optional, for arrays: 'raw' (default), texts as they came, as in the paper; 'folded', texts without a difference
--              in white space and a semicolon at the end
--   @dataset   optional: the data set; prefixed to the ids, as in the import of the questions
--   @split     optional: its split, likewise
--
-- At least one of @sql, @cls and @error is needed; the system has the parts whose files are given. They are merged into
-- predictions.raw, cls and error: pred is the SQL unless cls is not_answerable or error is incorrect. Samples (arrays) have
-- no raw, since TrustSQL's Tables 11 and 12 are about SQL without abstention. A generator's output may be missing where cls
-- is not_answerable, that of ERROR also where there is no SQL; otherwise the files must have the same ids.
--
-- Every id must be that of a question. A question that the files lack gets no prediction; the script reports their number.
-- Predictions of the same system for the same questions are replaced. Needs the tables of create_tables.sql, but no
-- extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  tables     CONSTRAINT "the tables are missing; first .read sql/create_tables.sql" CHECK(tables),
  system_set CONSTRAINT "@system is not set; use .parameter set @system NAME" CHECK(system_set),
  any_set    CONSTRAINT "none of @sql, @cls and @error is set; use .parameter set @sql PATH" CHECK(any_set),
  vote_known CONSTRAINT "@vote is neither 'raw' nor 'folded'" CHECK(vote_known),
  readable   CONSTRAINT "a file of @sql, @cls or @error cannot be read" CHECK(readable),
  is_json    CONSTRAINT "a file of @sql, @cls or @error is not JSON" CHECK(is_json),
  is_object  CONSTRAINT "a file of @sql, @cls or @error is not a JSON object of ids and outputs" CHECK(is_object),
  ids_once   CONSTRAINT "an id occurs twice in a file" CHECK(ids_once),
  sql_text   CONSTRAINT "an output in @sql must be a text, null, or an array of these that is not empty" CHECK(sql_text),
  cls_word   CONSTRAINT "an output in @cls must be answerable or not_answerable" CHECK(cls_word),
  error_word CONSTRAINT "an output in @error must be correct or incorrect" CHECK(error_word),
  ids_agree  CONSTRAINT "the files of @sql, @cls and @error have different ids" CHECK(ids_agree),
  ids_known  CONSTRAINT "an id is not that of a question of this @dataset and @split" CHECK(ids_known)
);
INSERT INTO input_check(tables) SELECT count(DISTINCT name) = 2 FROM pragma_table_list WHERE name IN ('questions', 'predictions');

INSERT INTO input_check(system_set) SELECT coalesce(@system, '') <> '';
INSERT INTO input_check(any_set) SELECT coalesce(@sql, @cls, @error) IS NOT NULL;
INSERT INTO input_check(vote_known) SELECT coalesce(@vote, 'raw') IN ('raw', 'folded');
DROP TABLE IF EXISTS temp.input;
CREATE TEMP TABLE input AS  -- the texts, without a byte order mark
WITH files(part, name, t) AS (
  VALUES ('sql', @sql, CAST(readfile(@sql) AS TEXT)), ('cls', @cls, CAST(readfile(@cls) AS TEXT)), ('error', @error, CAST(readfile(@error) AS TEXT)))
SELECT part, name, CASE WHEN substr(t, 1, 1) = char(65279) THEN substr(t, 2) ELSE t END AS text FROM files WHERE name IS NOT NULL;
SELECT 'error: the file ' || name || ' cannot be read' AS message FROM input WHERE text IS NULL;
INSERT INTO input_check(readable) SELECT text IS NOT NULL FROM input;
INSERT INTO input_check(is_json) SELECT json_valid(text) FROM input;
INSERT INTO input_check(is_object) SELECT json_type(text) = 'object' FROM input;

DROP TABLE IF EXISTS temp.input_outputs;
CREATE TEMP TABLE input_outputs AS
SELECT i.part, e.id AS position, coalesce(@dataset || '/', '') || coalesce(@split || '/', '') || e.key AS id, e.type, e.value
FROM input i, json_each(i.text) e;
CREATE INDEX temp.input_outputs_key ON input_outputs(part, id);
SELECT 'error: ' || id || ' occurs ' || count(*) || ' times in @' || part AS message FROM input_outputs GROUP BY part, id HAVING count(*) > 1 LIMIT 1;
INSERT INTO input_check(ids_once) SELECT count(*) = 1 FROM input_outputs GROUP BY part, id;

-- The samples of a generator; one where the output is a text.
DROP TABLE IF EXISTS temp.input_samples;
CREATE TEMP TABLE input_samples AS
SELECT o.id, o.type = 'array' AS voted, s.key AS sample, s.type IN ('text', 'null') AS is_text,
       CASE WHEN replace(lower(trim(s.value, ' .''"`' || char(9, 10, 13))), ' ', '_') NOT IN ('', 'null', 'not_answerable') THEN s.value END AS sql
FROM input_outputs o, json_each(CASE o.type WHEN 'array' THEN o.value ELSE json_array(o.value) END) s
WHERE o.part = 'sql' AND o.type IN ('text', 'null', 'array');
SELECT 'error: the output of ' || id || ' in @sql is ' || type AS message FROM input_outputs WHERE part = 'sql' AND type NOT IN ('text', 'null', 'array') LIMIT 1;
INSERT INTO input_check(sql_text) SELECT type IN ('text', 'null', 'array') FROM input_outputs WHERE part = 'sql';
INSERT INTO input_check(sql_text) SELECT is_text FROM input_samples;
INSERT INTO input_check(sql_text) SELECT json_array_length(value) > 0 FROM input_outputs WHERE part = 'sql' AND type = 'array';

-- A vote is on texts; folded ones have one space for any white space (U+FDD0 and U+FDD1 take part in that) and no semicolon
-- at the end.
DROP TABLE IF EXISTS temp.input_sql;
CREATE TEMP TABLE input_sql AS
SELECT id, max(voted) AS voted, CASE WHEN count(sql) = count(*) AND count(DISTINCT ballot) = 1 THEN first END AS sql
FROM (SELECT id, voted, sql, first_value(sql) OVER (PARTITION BY id ORDER BY sample) AS first,
             CASE WHEN coalesce(@vote, 'raw') = 'raw' THEN sql
                  ELSE rtrim(trim(replace(replace(replace(replace(replace(replace(sql, char(9), ' '), char(10), ' '), char(13), ' '), ' ', char(64976, 64977)),
                                                  char(64977, 64976), ''), char(64976, 64977), ' ')), ' ;') END AS ballot
      FROM input_samples)
GROUP BY id;
CREATE INDEX temp.input_sql_id ON input_sql(id);

DROP TABLE IF EXISTS temp.input_words;
CREATE TEMP TABLE input_words AS
SELECT part, id, value, replace(replace(lower(trim(CASE type WHEN 'text' THEN value ELSE '' END, ' .''"`' || char(9, 10, 13))), ' ', '_'), '-', '_') AS word
FROM input_outputs WHERE part <> 'sql';
CREATE INDEX temp.input_words_key ON input_words(part, id);
SELECT 'error: the output of ' || id || ' in @' || part || ' is ' || coalesce(quote(substr(value, 1, 60)), 'null') AS message FROM input_words
WHERE word NOT IN ('answerable', 'not_answerable') AND part = 'cls' OR word NOT IN ('correct', 'incorrect') AND part = 'error' LIMIT 1;
INSERT INTO input_check(cls_word) SELECT word IN ('answerable', 'not_answerable') FROM input_words WHERE part = 'cls';
INSERT INTO input_check(error_word) SELECT word IN ('correct', 'incorrect') FROM input_words WHERE part = 'error';

DROP TABLE IF EXISTS temp.input_rows;
CREATE TEMP TABLE input_rows AS
SELECT i.id, s.sql, coalesce(s.voted, 0) AS voted, s.id IS NOT NULL AS has_sql, c.word AS cls, e.word AS error
FROM (SELECT DISTINCT id FROM input_outputs) i
LEFT JOIN input_sql s ON s.id = i.id
LEFT JOIN input_words c ON c.part = 'cls' AND c.id = i.id
LEFT JOIN input_words e ON e.part = 'error' AND e.id = i.id;
SELECT 'error: ' || id || ' is missing in @' || CASE WHEN @cls IS NOT NULL AND cls IS NULL THEN 'cls' WHEN @sql IS NOT NULL AND NOT has_sql THEN 'sql' ELSE 'error' END AS message
FROM input_rows
WHERE @cls IS NOT NULL AND cls IS NULL OR @sql IS NOT NULL AND NOT has_sql AND cls IS NOT 'not_answerable'
   OR @error IS NOT NULL AND error IS NULL AND cls IS NOT 'not_answerable' AND (sql IS NOT NULL OR @sql IS NULL) LIMIT 1;
INSERT INTO input_check(ids_agree)
SELECT NOT (@cls IS NOT NULL AND cls IS NULL OR @sql IS NOT NULL AND NOT has_sql AND cls IS NOT 'not_answerable'
            OR @error IS NOT NULL AND error IS NULL AND cls IS NOT 'not_answerable' AND (sql IS NOT NULL OR @sql IS NULL))
FROM input_rows;
SELECT 'error: ' || count(*) || ' ids are not in questions, for example ' || min(id) AS message
FROM input_rows WHERE id NOT IN (SELECT id FROM questions) HAVING count(*) > 0;
INSERT INTO input_check(ids_known) SELECT id IN (SELECT id FROM questions) FROM input_rows;

BEGIN;
INSERT INTO predictions(system, id, pred, raw, cls, error)
SELECT @system, id, CASE WHEN cls IS NOT 'not_answerable' AND error IS NOT 'incorrect' THEN sql END, CASE WHEN NOT voted THEN sql END, cls, error
FROM input_rows WHERE true
ON CONFLICT(system, id) DO UPDATE SET pred = excluded.pred, raw = excluded.raw, cls = excluded.cls, error = excluded.error, confidence = NULL;
COMMIT;

SELECT count(*) || ' outputs of ' || @system || ', ' || (count(*) - count(p.pred)) || ' of them abstentions' AS message
FROM input_rows r JOIN predictions p ON p.system = @system AND p.id = r.id;
SELECT 'note: ' || count(*) || ' questions have no prediction of ' || @system AS message FROM questions
WHERE (@dataset IS NULL OR dataset = @dataset) AND (@split IS NULL OR split = @split) AND id NOT IN (SELECT id FROM predictions WHERE system = @system)
HAVING count(*) > 0;
DROP TABLE temp.input;
DROP TABLE temp.input_outputs;
DROP TABLE temp.input_samples;
DROP TABLE temp.input_sql;
DROP TABLE temp.input_words;
DROP TABLE temp.input_rows;
