-- answer.sql: a benchmark run: nl2sql answers the questions of create_tables.sql, and its predictions are stored.
--
--   export TRUSTSQL_LLM_URL=http://127.0.0.1:11434 TRUSTSQL_LLM_MODEL=qwen2.5-coder:7b TRUSTSQL_CACHE_PATH=answers.db
--   sqlite3 my.db -cmd ".load ./build/release/trustsql" -cmd ".parameter set @method 'CLS->SQLPROMPT->ERROR'" ".read sql/answer.sql"
--   sqlite3 my.db -cmd ".load ./build/release/trustsql" ".read sql/score.sql"
--
--   @method     optional: a method by the papers' names; by default the setting nl2sql_method
--   @system     optional: the name of the predictions; by default that of the method
--   @split      optional: only the questions of this split
--   @opts       optional: more options of nl2sql_batch as a JSON object: .parameter set @opts '{"samples":7}'
--   @manifest   optional: a JSON file to write, with the settings and the cost of the run
--
-- If cache_path is set, an interrupted run continues where it stopped, and a run with other parts requests only what is
-- new. Earlier answers of the system are replaced. Needs the extension and a server.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  loaded    CONSTRAINT "the extension is not loaded; use -cmd "".load ./build/release/trustsql""" CHECK(loaded),
  opts_json CONSTRAINT "@opts is not a JSON object" CHECK(opts_json),
  questions CONSTRAINT "there is no question (in the split @split)" CHECK(questions),
  written   CONSTRAINT "the file @manifest cannot be written" CHECK(written)
);
INSERT INTO input_check(loaded) SELECT count(*) > 0 FROM pragma_module_list WHERE name = 'nl2sql_batch';
INSERT INTO input_check(opts_json) SELECT json_valid(coalesce(@opts, '{}'));
INSERT INTO input_check(opts_json) SELECT json_type(coalesce(@opts, '{}')) = 'object';
INSERT INTO input_check(questions) SELECT count(*) > 0 FROM questions WHERE question IS NOT NULL AND (@split IS NULL OR split = @split);

DROP TABLE IF EXISTS temp.run;
CREATE TEMP TABLE run AS
SELECT coalesce(@method, trustsql_config('nl2sql_method')) AS method, coalesce(@system, @method, trustsql_config('nl2sql_method')) AS system,
       json_patch(coalesce(@opts, '{}'), CASE WHEN @method IS NULL THEN '{}' ELSE json_object('method', @method) END) AS opts,
       strftime('%Y-%m-%dT%H:%M:%SZ', 'now') AS begun;

-- Parameters are not visible in the source of a function, so the questions are put into a table of their own.
DROP TABLE IF EXISTS temp.asked;
CREATE TEMP TABLE asked AS
SELECT q.id, q.question, d.path AS database, q.evidence FROM questions q LEFT JOIN databases d ON d.db_id = q.db_id
WHERE q.question IS NOT NULL AND (@split IS NULL OR q.split = @split) ORDER BY q.number;

DROP TABLE IF EXISTS temp.given;
CREATE TEMP TABLE given AS SELECT * FROM nl2sql_batch('temp.asked', (SELECT opts FROM run));

BEGIN;
DELETE FROM predictions WHERE system = (SELECT system FROM run) AND id IN (SELECT id FROM given);
INSERT INTO predictions(system, id, pred, raw, cls, error, confidence)
SELECT (SELECT system FROM run), id, sql, raw, cls, error, confidence FROM given;
COMMIT;

DROP TABLE IF EXISTS temp.manifest;
CREATE TEMP TABLE manifest AS
SELECT json_object(
  'system', r.system, 'method', r.method, 'options', json(r.opts), 'version', trustsql_version(), 'begun', r.begun, 'ended', strftime('%Y-%m-%dT%H:%M:%SZ', 'now'),
  'settings', (SELECT json_group_object(key, value) FROM trustsql_settings WHERE source <> 'default'),
  'prompts_replaced', (SELECT json_group_array(name) FROM trustsql_prompts WHERE replaced),
  'questions', g.questions, 'answered', g.answered, 'requests', g.requests, 'cached', g.cached, 'tokens', g.tokens, 'ms', g.ms) AS json, NULL AS bytes
FROM run AS r, (SELECT count(*) AS questions, count(sql) AS answered, sum(requests) AS requests, sum(cached) AS cached, sum(tokens) AS tokens, sum(ms) AS ms
                FROM given) AS g;
UPDATE manifest SET bytes = writefile(@manifest, json) WHERE @manifest IS NOT NULL;
INSERT INTO input_check(written) SELECT @manifest IS NULL OR bytes IS NOT NULL FROM manifest;

SELECT (SELECT system FROM run) || ': ' || count(*) || ' questions, ' || count(sql) || ' answered; ' || sum(requests) || ' requests, ' || sum(cached) ||
       ' from the cache, ' || sum(tokens) || ' tokens' AS message FROM given;
DROP TABLE temp.manifest;
DROP TABLE temp.given;
DROP TABLE temp.asked;
DROP TABLE temp.run;
