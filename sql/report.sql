-- report.sql: writes the HTML report, one self-contained page with tables and figures.
--
--   sqlite3 my.db -cmd ".load ./build/release/trustsql" -cmd ".parameter set @html report.html" ".read sql/report.sql"
--
--   @html     the file to write; an existing one is replaced
--   @source   optional: what to report on; the view answers of create_tables.sql by default. Any table, view or SELECT with the
--             columns gold and pred will do.
--   @title    optional: the heading of the page
--   @opts     optional: more options of rs_html as a JSON object: .parameter set @opts '{"by":["db_id"],"semantics":"spider"}'
--
-- Changes nothing in the database. Needs the extension.

.bail on

-- The name of the constraint that fails says what is wrong with the input.
DROP TABLE IF EXISTS temp.input_check;
CREATE TEMP TABLE input_check(
  loaded    CONSTRAINT "the extension is not loaded; use -cmd "".load ./build/release/trustsql""" CHECK(loaded),
  html_set  CONSTRAINT "@html is not set; use .parameter set @html PATH" CHECK(html_set),
  opts_json CONSTRAINT "@opts is not a JSON object" CHECK(opts_json),
  written   CONSTRAINT "the file @html cannot be written" CHECK(written)
);
INSERT INTO input_check(loaded) SELECT count(*) > 0 FROM pragma_function_list WHERE name = 'rs_html';
INSERT INTO input_check(html_set) SELECT @html IS NOT NULL AND @html <> '';
INSERT INTO input_check(opts_json) SELECT json_valid(coalesce(@opts, '{}'));
INSERT INTO input_check(opts_json) SELECT json_type(coalesce(@opts, '{}')) = 'object';

DROP TABLE IF EXISTS temp.page;
CREATE TEMP TABLE page AS
SELECT NULL AS bytes,
       rs_html(coalesce(@source, 'answers'), json_patch(coalesce(@opts, '{}'), CASE WHEN @title IS NULL THEN '{}' ELSE json_object('title', '' || @title) END))
         AS html;
UPDATE page SET bytes = writefile(@html, html);
INSERT INTO input_check(written) SELECT bytes IS NOT NULL FROM page;
SELECT bytes || ' bytes written to ' || @html AS message FROM page;
DROP TABLE temp.page;
