// Node's better-sqlite3, whose SQLite has no progress handler: ten thousand calls over all functions, without a crash and
// without growing. usage: better_sqlite3.js trustsql.so; NODE_PATH names the folder where better-sqlite3 is installed.
// Exit status 77: it is not installed.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');

const moduleFile = path.resolve(process.argv[2]);
let Database;
try {
  Database = require('better-sqlite3');
} catch (error) {
  console.log('skipped: ' + error.message.split('\n')[0]);
  process.exit(77);
}

let failures = 0;
function expect(right, what) {
  if (right) return;
  failures += 1;
  console.error('failed: ' + what);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trustsql-better-'));
process.chdir(folder);

function open() {
  const db = new Database(':memory:');
  db.loadExtension(moduleFile);
  // The tables that the examples use.
  db.exec(`
    CREATE TABLE singer(name TEXT, country TEXT, age INTEGER);
    INSERT INTO singer VALUES ('Edith', 'France', 30), ('Charles', 'France', 41), ('Nina', 'USA', 35);
    CREATE TABLE predictions(system TEXT, id INTEGER, gold TEXT, pred TEXT, confidence REAL);
    INSERT INTO predictions VALUES
      ('bold', 1, 'SELECT count(*) FROM singer', 'SELECT count(name) FROM singer', 0.9),
      ('bold', 2, 'SELECT name FROM singer WHERE age > 40', 'SELECT name FROM singer WHERE age >= 41', 0.8),
      ('bold', 3, 'SELECT avg(age) FROM singer', 'SELECT max(age) FROM singer', 0.6),
      ('bold', 4, NULL, 'SELECT name FROM singer', 0.5),
      ('careful', 1, 'SELECT count(*) FROM singer', 'SELECT count(*) FROM singer', 0.9),
      ('careful', 2, 'SELECT name FROM singer WHERE age > 40', 'SELECT name FROM singer WHERE 40 < age', 0.7),
      ('careful', 3, 'SELECT avg(age) FROM singer', NULL, NULL),
      ('careful', 4, NULL, NULL, NULL)`);
  return db;
}

// Files that an example writes are removed, so that it can write them again.
function removeFiles() {
  for (const entry of fs.readdirSync(folder)) fs.rmSync(path.join(folder, entry), {recursive: true});
}

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
let db = open();
const examples = db.prepare('SELECT name, example FROM trustsql_functions').all();
expect(examples.length > 50, 'the functions are listed');

// Deadlines, errors and other wrong uses are calls too.
db.prepare("SELECT trustsql_config('timeout_ms', 200)").get();
expect(db.prepare('SELECT rs_case(?, ?)').pluck().get('SELECT 1', endless) === 'III', 'a deadline ends a prediction');
function message(sql, ...values) {
  try {
    db.prepare(sql).all(...values);
    return '';
  } catch (error) {
    return error.message;
  }
}
expect(message('SELECT sql_ex(?, ?)', endless, 'SELECT 1').includes('timeout_ms = 200'), 'a deadline ends a gold query');
expect(message('SELECT sql_ex(?, ?)', 'SELECT nowhere', 'SELECT 1').includes('no such column'), 'an error is thrown');

// Node's memory goes up and down, so what counts is the least that is resident after a round over all functions, among
// the rounds of the middle calls and among those of the last; memory_test.py counts what is allocated, exactly.
const calls = 10000;
const middle = 4000;
const last = 7000;
let inMiddle = Infinity;
let atLast = Infinity;
for (let call = 0; call < calls; ++call) {
  if (call % 1000 === 999) {  // another connection
    db.close();
    db = open();
  }
  const {name, example} = examples[call % examples.length];
  try {
    const statement = db.prepare(example.split('-- ')[0]);
    if (statement.reader) statement.all();
    else statement.run();
  } catch (error) {
    expect(false, `${name}: ${error.message}`);
  }
  if (call % examples.length !== examples.length - 1) continue;
  removeFiles();
  if (call < middle) continue;
  if (global.gc) global.gc();
  const used = process.memoryUsage().rss;
  if (call < last) inMiddle = Math.min(inMiddle, used);
  else atLast = Math.min(atLast, used);
}
const mebi = 1 << 20;
console.log(`better-sqlite3 with SQLite ${db.prepare('SELECT sqlite_version()').pluck().get()}: ${calls} calls of ` +
            `${examples.length} functions; at least ${(inMiddle / mebi).toFixed(1)} MiB resident in calls ${middle} to ${last}, ` +
            `${(atLast / mebi).toFixed(1)} MiB in the rest`);
expect(atLast - inMiddle < 32 * mebi, 'memory does not grow');
db.close();
process.chdir('/');
fs.rmSync(folder, {recursive: true});
process.exit(failures === 0 ? 0 : 1);
