-- demo.sql: the complete workflow on a small database that this script creates.
--
--   sqlite3 :memory: -cmd ".load ./build/release/trustsql" ".read sql/demo.sql"
--
--   @html   optional: the HTML report to write; trustsql-demo.html by default
--
-- A library; questions about it that are answered with no server, and one example that is learned. Then 24 questions
-- (8 of which no query can answer), and five systems that answer, abstain and make mistakes. Their answers are judged by running them, scored with penalties for wrong ones, compared, calibrated and
-- reported. Everything is stored in the database that the shell has open; run it in memory or on a new file. Needs the
-- extension.

.bail on

-- The name of the constraint that fails says what is wrong with the environment.
CREATE TEMP TABLE surroundings(
  loaded CONSTRAINT "the extension is not loaded; use -cmd "".load ./build/release/trustsql""" CHECK(loaded),
  empty  CONSTRAINT "this database has tables already; run the demo in memory or on a new file" CHECK(empty),
  html   CONSTRAINT "the file @html cannot be written" CHECK(html)
);
INSERT INTO surroundings(loaded) SELECT count(*) > 0 FROM pragma_function_list WHERE name = 'rs_html';
INSERT INTO surroundings(empty) SELECT count(*) = 0 FROM sqlite_schema;

BEGIN;

-- --- A database -----------------------------------------------------------------------------------------------------

CREATE TABLE author(author_id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT, born INTEGER);
CREATE TABLE book(book_id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER REFERENCES author, year INTEGER, pages INTEGER);
CREATE TABLE member(member_id INTEGER PRIMARY KEY, name TEXT NOT NULL, joined INTEGER);
CREATE TABLE loan(book_id INTEGER REFERENCES book, member_id INTEGER REFERENCES member, lent TEXT NOT NULL, returned TEXT);

INSERT INTO author VALUES
  (1, 'Mary Shelley', 'United Kingdom', 1797), (2, 'Jules Verne', 'France', 1828), (3, 'Herman Melville', 'United States', 1819),
  (4, 'Jane Austen', 'United Kingdom', 1775), (5, 'Karel Capek', 'Czechia', 1890), (6, 'Emile Zola', 'France', 1840);
INSERT INTO book VALUES
  (1, 'Frankenstein', 1, 1818, 280), (2, 'The Last Man', 1, 1826, 470), (3, 'Around the World in Eighty Days', 2, 1872, 312),
  (4, 'Journey to the Center of the Earth', 2, 1864, 183), (5, 'Moby-Dick', 3, 1851, 635), (6, 'Emma', 4, 1815, 474),
  (7, 'Persuasion', 4, 1817, 249), (8, 'War with the Newts', 5, 1936, 348), (9, 'Germinal', 6, 1885, 591), (10, 'Pride and Prejudice', 4, 1813, 432);
INSERT INTO member VALUES (1, 'Ada', 2019), (2, 'Blaise', 2020), (3, 'Chen', 2020), (4, 'Dora', 2022), (5, 'Emil', 2023);
INSERT INTO loan VALUES
  (1, 1, '2023-01-10', '2023-01-30'), (1, 2, '2023-02-02', '2023-02-20'), (3, 1, '2023-02-05', '2023-03-01'), (5, 3, '2023-02-11', NULL),
  (6, 4, '2023-03-01', '2023-03-15'), (9, 2, '2023-03-04', NULL), (10, 4, '2023-03-20', '2023-04-02'), (1, 3, '2023-04-01', '2023-04-09'),
  (7, 1, '2023-04-03', '2023-04-21'), (3, 3, '2023-04-12', '2023-05-02'), (10, 1, '2023-05-05', NULL), (4, 2, '2023-05-06', '2023-05-19');

COMMIT;

-- --- Answers with no server -----------------------------------------------------------------------------------------

.headers on
.mode box
.print
.print 1. Questions that are answered with no server: the embedded parser is sure of its query, or says why it is silent.
WITH asked(question) AS (VALUES
  ('How many books are there?'), ('What are the names of authors from France?'), ('List the titles of books published before 1850.'),
  ('Will Moby-Dick sell well next year?'), ('Which books did Jules Verne write?'))
SELECT question, coalesce(sql, 'no answer: ' || reason) AS answer, rows
FROM asked, nl2sql_ask(question, '{"method":"EMBEDDED"}');

.print
.print 2. It learns: after one example, what Jane Austen wrote, it knows how to ask for other authors.
SELECT nl2sql_learn('Which books did Jane Austen write?',
                    'SELECT title FROM book JOIN author USING (author_id) WHERE name = ''Jane Austen''') AS learned;
WITH asked(question) AS (VALUES ('Which books did Jules Verne write?'), ('Which books did Stephen King write?'))
SELECT question, coalesce(sql, 'no answer: ' || reason) AS answer, rows
FROM asked, nl2sql_ask(question, '{"method":"EMBEDDED"}');

BEGIN;

-- --- Questions with their gold queries; NULL: no query can answer it ------------------------------------------------

CREATE TABLE question(id TEXT PRIMARY KEY, split TEXT, hardness TEXT, type TEXT, question TEXT, gold TEXT);
INSERT INTO question(id, split, hardness, question, gold) VALUES
  ('v01', 'validation', 'easy', 'How many books are there?', 'SELECT count(*) FROM book'),
  ('v02', 'validation', 'easy', 'Which authors are from France?', 'SELECT name FROM author WHERE country = ''France'''),
  ('v03', 'validation', 'medium', 'Who wrote Moby-Dick?', 'SELECT a.name FROM author a JOIN book b USING (author_id) WHERE b.title = ''Moby-Dick'''),
  ('v04', 'validation', 'medium', 'How many books has each author?', 'SELECT a.name, count(b.book_id) FROM author a LEFT JOIN book b USING (author_id) GROUP BY a.author_id'),
  ('v05', 'validation', 'easy', 'What is the longest book?', 'SELECT title FROM book ORDER BY pages DESC LIMIT 1'),
  ('v06', 'validation', 'hard', 'Which members have never borrowed a book?', 'SELECT name FROM member WHERE member_id NOT IN (SELECT member_id FROM loan)'),
  ('v07', 'validation', 'hard', 'Which books are on loan right now?', 'SELECT title FROM book WHERE book_id IN (SELECT book_id FROM loan WHERE returned IS NULL)'),
  ('v08', 'validation', 'hard', 'Which authors have a book longer than the average?', 'SELECT DISTINCT a.name FROM author a JOIN book b USING (author_id) WHERE b.pages > (SELECT avg(pages) FROM book)'),
  ('t01', 'test', 'easy', 'How many members joined in 2020?', 'SELECT count(*) FROM member WHERE joined = 2020'),
  ('t02', 'test', 'easy', 'List the titles of books published before 1850.', 'SELECT title FROM book WHERE year < 1850'),
  ('t03', 'test', 'easy', 'What is the average number of pages?', 'SELECT avg(pages) FROM book'),
  ('t04', 'test', 'medium', 'Which books did Jane Austen write, newest first?', 'SELECT title FROM book JOIN author USING (author_id) WHERE name = ''Jane Austen'' ORDER BY year DESC'),
  ('t05', 'test', 'medium', 'How many loans has each member had?', 'SELECT m.name, count(l.book_id) FROM member m LEFT JOIN loan l USING (member_id) GROUP BY m.member_id'),
  ('t06', 'test', 'medium', 'Which countries have more than one author?', 'SELECT country FROM author GROUP BY country HAVING count(*) > 1'),
  ('t07', 'test', 'hard', 'Which book has been lent most often?', 'SELECT title FROM book JOIN loan USING (book_id) GROUP BY book_id ORDER BY count(*) DESC LIMIT 1'),
  ('t08', 'test', 'hard', 'Who has borrowed both Frankenstein and Emma?', 'SELECT name FROM member JOIN loan USING (member_id) JOIN book USING (book_id) WHERE title = ''Frankenstein'' INTERSECT SELECT name FROM member JOIN loan USING (member_id) JOIN book USING (book_id) WHERE title = ''Emma''');
INSERT INTO question(id, split, type, question) VALUES
  ('v09', 'validation', 'column-related', 'Which book costs the most?'),
  ('v10', 'validation', 'column-unrelated', 'What is the blood type of Ada?'),
  ('v11', 'validation', 'non-sql', 'Recommend a book to Dora.'),
  ('v12', 'validation', 'ext-know', 'Which of the authors won a Nobel Prize?'),
  ('t09', 'test', 'column-surface', 'When was each member born?'),
  ('t10', 'test', 'column-related', 'Which publisher has the most books?'),
  ('t11', 'test', 'non-sql', 'Predict how many books will be lent next month.'),
  ('t12', 'test', 'ext-know', 'Which of these novels have been made into films?');

-- --- What the systems wrote: for each question a right query (if one exists) and a wrong one ------------------

CREATE TABLE attempt(id TEXT PRIMARY KEY, good TEXT, bad TEXT);
INSERT INTO attempt VALUES
  ('v01', 'SELECT count(book_id) FROM book', 'SELECT max(book_id) - 1 FROM book'),
  ('v02', 'SELECT name FROM author WHERE country IN (''France'')', 'SELECT name FROM author WHERE country = ''french'''),
  ('v03', 'SELECT name FROM author WHERE author_id = (SELECT author_id FROM book WHERE title = ''Moby-Dick'')', 'SELECT author_id FROM book WHERE title = ''Moby-Dick'''),
  ('v04', 'SELECT (SELECT count(*) FROM book b WHERE b.author_id = a.author_id), a.name FROM author a', 'SELECT name, count(*) FROM author GROUP BY name'),
  ('v05', 'SELECT title FROM book WHERE pages = (SELECT max(pages) FROM book)', 'SELECT max(pages) FROM book'),
  ('v06', 'SELECT name FROM member m WHERE NOT EXISTS (SELECT 1 FROM loan l WHERE l.member_id = m.member_id)', 'SELECT name FROM member JOIN loan USING (member_id) WHERE book_id IS NULL'),
  ('v07', 'SELECT DISTINCT title FROM loan JOIN book USING (book_id) WHERE returned IS NULL', 'SELECT title FROM book JOIN loan USING (book_id)'),
  ('v08', 'SELECT name FROM author WHERE author_id IN (SELECT author_id FROM book WHERE pages > (SELECT sum(pages) * 1.0 / count(*) FROM book))', 'SELECT name FROM author JOIN book USING (author_id) GROUP BY author_id HAVING avg(pages) > 500'),
  ('t01', 'SELECT sum(joined = 2020) FROM member', 'SELECT count(*) FROM member WHERE joined >= 2020'),
  ('t02', 'SELECT title FROM book WHERE NOT year >= 1850', 'SELECT title, year FROM book WHERE year < 1850'),
  ('t03', 'SELECT sum(pages) / 10.0 FROM book', 'SELECT avg(page) FROM book'),
  ('t04', 'SELECT title FROM book WHERE author_id = 4 ORDER BY year DESC', 'SELECT title FROM book WHERE author_id = 4 ORDER BY year'),
  ('t05', 'SELECT count(l.lent), m.name FROM member m LEFT JOIN loan l ON l.member_id = m.member_id GROUP BY m.name', 'SELECT m.name, count(*) FROM member m JOIN loan l USING (member_id) GROUP BY m.name'),
  ('t06', 'SELECT DISTINCT a.country FROM author a JOIN author b ON a.country = b.country AND a.author_id < b.author_id', 'SELECT country, count(*) FROM author GROUP BY country'),
  ('t07', 'SELECT title FROM book b ORDER BY (SELECT count(*) FROM loan l WHERE l.book_id = b.book_id) DESC LIMIT 1', 'SELECT max(book_id) FROM loan'),
  ('t08', 'SELECT name FROM member WHERE member_id IN (SELECT member_id FROM loan WHERE book_id = 1) AND member_id IN (SELECT member_id FROM loan WHERE book_id = 6)', 'SELECT DISTINCT name FROM member JOIN loan USING (member_id) JOIN book USING (book_id) WHERE title IN (''Frankenstein'', ''Emma'')'),
  ('v09', NULL, 'SELECT title FROM book ORDER BY pages DESC LIMIT 1'),
  ('v10', NULL, 'SELECT joined FROM member WHERE name = ''Ada'''),
  ('v11', NULL, 'SELECT title FROM book ORDER BY year DESC LIMIT 1'),
  ('v12', NULL, 'SELECT name FROM author WHERE born > 1850'),
  ('t09', NULL, 'SELECT name, joined FROM member'),
  ('t10', NULL, 'SELECT author_id FROM book GROUP BY author_id ORDER BY count(*) DESC LIMIT 1'),
  ('t11', NULL, 'SELECT count(*) FROM loan'),
  ('t12', NULL, 'SELECT title FROM book WHERE year > 1860');

-- Five systems, each with one letter per question (v01 to v12, t01 to t12): g good query, b bad query, - abstention.
--   bold      always answers                       careful   abstains when in doubt, twice too often
--   hasty     always answers, often wrongly        ranked    always answers, and says how sure it is
--   pipeline  hasty between a detector of infeasible questions and a detector of wrong queries
CREATE TABLE prediction(system TEXT, id TEXT, pred TEXT, raw TEXT, cls TEXT, error TEXT, confidence REAL, PRIMARY KEY(system, id));
INSERT INTO prediction(system, id, pred)
WITH behaviour(system, letters) AS (VALUES
       ('bold',    'gggggbggbbbb' || 'ggggggbgbbbb'),
       ('hasty',   'gbggbbgbbbbb' || 'ggbgbgbbbbbb'),
       ('careful', 'ggg-gggg----' || 'ggggg-gg----'),
       ('ranked',  'ggggbgbgbbbb' || 'gggggbgbbbbb')),
     numbered AS (SELECT id, row_number() OVER (ORDER BY split DESC, id) AS k FROM question)
SELECT b.system, n.id, CASE substr(b.letters, n.k, 1) WHEN 'g' THEN a.good WHEN 'b' THEN a.bad END
FROM behaviour b, numbered n JOIN attempt a USING (id);

UPDATE prediction SET confidence = (
  SELECT value FROM json_each('{"v01":0.97,"v02":0.93,"v03":0.86,"v04":0.74,"v05":0.52,"v06":0.81,"v07":0.45,"v08":0.66,"v09":0.58,"v10":0.22,"v11":0.31,"v12":0.40,
                                "t01":0.95,"t02":0.91,"t03":0.94,"t04":0.83,"t05":0.70,"t06":0.49,"t07":0.77,"t08":0.60,"t09":0.55,"t10":0.35,"t11":0.27,"t12":0.71}')
  WHERE key = prediction.id)
WHERE system = 'ranked';

-- The pipeline answers if CLS says answerable and ERROR says correct.
INSERT INTO prediction(system, id, raw, cls, error)
SELECT 'pipeline', id, pred, CASE WHEN id IN ('v10', 'v11', 'v12', 't09', 't11', 't12', 't08') THEN 'not_answerable' ELSE 'answerable' END,
       CASE WHEN id IN ('v02', 'v06', 'v08', 't03', 't07', 'v07') THEN 'incorrect' ELSE 'correct' END
FROM prediction WHERE system = 'hasty';
UPDATE prediction SET pred = raw WHERE system = 'pipeline' AND cls = 'answerable' AND error = 'correct';

-- The source of everything below: one row for each system and question.
CREATE VIEW answers AS
SELECT p.system, q.id, q.question, q.gold, p.pred, p.raw, p.cls, p.error, p.confidence, q.hardness, q.type, q.split
FROM question q JOIN prediction p USING (id);
COMMIT;

.print
.print 3. Some of the questions. If gold is empty, no query can answer the question, and abstaining is right.
SELECT id, question, substr(gold, 1, 60) AS gold FROM question WHERE id IN ('v02', 'v05', 'v06', 'v09', 'v11', 't12');

.print
.print 4. The outcomes. Feasible questions: I right, II abstained, III wrong. Infeasible ones: IV answered anyway, V abstained.
CREATE TEMP TABLE judged AS SELECT system, id, question, split, confidence, rs_case(gold, pred) AS outcome FROM answers;
SELECT id, question, max(outcome) FILTER (WHERE system = 'bold') AS bold, max(outcome) FILTER (WHERE system = 'hasty') AS hasty,
       max(outcome) FILTER (WHERE system = 'careful') AS careful, max(outcome) FILTER (WHERE system = 'ranked') AS ranked,
       max(outcome) FILTER (WHERE system = 'pipeline') AS pipeline
FROM judged GROUP BY id ORDER BY split DESC, id;

.print
.print 5. Reliability in percent. RS(c) subtracts c points for each wrong answer: at c = 0 the bold look good, at c = 10 and c = N they do not.
SELECT system, n, i, ii, iii, iv, v, printf('%.1f', rs_0) AS "RS(0)", printf('%.1f', rs_10) AS "RS(10)", printf('%.1f', rs_n) AS "RS(N)",
       printf('%.1f', coverage) AS coverage, iif(precision IS NULL, '-', printf('%.1f', precision)) AS precision
FROM rs_report('answers') WHERE level = 'total';

.print
.print 6. RS(10) by hardness of the feasible questions.
SELECT system, max(printf('%.1f', rs_10)) FILTER (WHERE grp1 = 'easy') AS easy, max(printf('%.1f', rs_10)) FILTER (WHERE grp1 = 'medium') AS medium,
       max(printf('%.1f', rs_10)) FILTER (WHERE grp1 = 'hard') AS hard
FROM rs_report('SELECT * FROM answers WHERE hardness IS NOT NULL', '{"by":"hardness"}') WHERE level = 'group' GROUP BY system;

.print
.print 7. What the two detectors of the pipeline change compared with hasty, and whether it could be chance.
SELECT fixed, introduced, withheld, exposed, gained, lost, printf('%.3f', mcnemar_p) AS "McNemar p",
       printf('%.1f (%.1f to %.1f)', rs_10_diff, rs_10_low, rs_10_high) AS "difference in RS(10)"
FROM rs_diff('answers', '{"a":"hasty","b":"pipeline"}') WHERE kind = 'total';

.print
.print 8. Thresholds on the confidence of ranked, by three methods, chosen on the validation split ...
CREATE TEMP TABLE method(name TEXT, options TEXT);
INSERT INTO method VALUES
  ('heuristic (Appendix C.2)', '{"method":"heuristic"}'), ('RS(10)', '{"method":"rs","c":10}'), ('at most 40% wrong, 90% sure', '{"method":"selective_risk","alpha":0.4,"delta":0.1}');
CREATE TEMP TABLE threshold AS
SELECT name, threshold, threshold IS NULL AS never
FROM (SELECT name, (SELECT rs_threshold(confidence, outcome, options) FROM judged WHERE system = 'ranked' AND split = 'validation') AS threshold FROM method);
SELECT name AS method, iif(never, 'abstain from everything', round(threshold, 4)) AS threshold FROM threshold;

.print ... and what they do on the test split, on which they were not chosen.
CREATE TEMP VIEW calibrated AS
SELECT 'ranked, ' || t.name AS system, id, question, gold, CASE WHEN a.confidence >= t.threshold THEN a.pred END AS pred FROM answers a, threshold t WHERE a.system = 'ranked' AND a.split = 'test'
UNION ALL
SELECT system, id, question, gold, pred FROM answers WHERE system = 'ranked' AND split = 'test';
SELECT system, i, ii, iii, iv, v, printf('%.1f', rs_0) AS "RS(0)", printf('%.1f', rs_10) AS "RS(10)", printf('%.1f', rs_n) AS "RS(N)",
       printf('%.1f', coverage) AS coverage, iif(precision IS NULL, '-', printf('%.1f', precision)) AS precision
FROM rs_report('calibrated') WHERE level = 'total';

.print
.print 9. The report as a page for the browser.
.mode list
.headers off
CREATE TEMP TABLE page AS
SELECT coalesce(@html, 'trustsql-demo.html') AS path, NULL AS bytes,
       rs_html('answers', '{"title":"Five systems on the questions of a library","by":["hardness","type"]}') AS html;
UPDATE page SET bytes = writefile(path, html);
INSERT INTO surroundings(html) SELECT bytes IS NOT NULL FROM page;
SELECT bytes || ' bytes written to ' || path FROM page;
