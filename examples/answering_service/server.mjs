// A service that answers questions about a SQLite database, or says why it abstains.
//
//   node server.mjs music.db [port]
//   curl 'http://127.0.0.1:8080/ask?q=How+many+singers+are+there%3F'
//   {"abstains":false,"sql":"SELECT count(*) FROM singer","confidence":0.91,"columns":["count(*)"],"rows":[[3]]}
//
// The database is opened read-only, and the SQL runs in trustsql's sandbox. The package sqlite3 works on threads of its
// own, so that a question that takes long does not hold up the others' requests; one connection answers one question at
// a time.

import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import sqlite3 from "sqlite3";
import trustsql from "trustsql";

const MAX_QUESTION = 1000; // characters

// A wrong answer is as bad as a right one is good: answer from a confidence of 1/2 on. A service whose wrong answers
// cost ten times that takes 10/11, the default of trustsql; calibrate_threshold.py measures a threshold.
const THRESHOLD = Number(process.env.THRESHOLD ?? 0.5);

/** Opens a database, read-only, with trustsql. */
export function open(path) {
  return new Promise((resolve, reject) => {
    const db = new sqlite3.Database(path, sqlite3.OPEN_READONLY, (error) => {
      if (error) return reject(error);
      trustsql.load(db, (failure) => (failure ? reject(failure) : resolve(db)));
    });
  });
}

/** The answer to a question, or why there is none. */
export function ask(db, question) {
  return new Promise((resolve, reject) => {
    const options = JSON.stringify({ threshold: THRESHOLD });
    db.get("SELECT * FROM nl2sql_ask(?, ?)", [question, options], (error, row) => {
      if (error) return reject(error);
      if (row.sql === null) return resolve({ abstains: true, reason: row.reason, suggestion: row.suggestion });
      resolve({
        abstains: false,
        sql: row.sql,
        confidence: row.confidence,
        columns: JSON.parse(row.columns),
        rows: JSON.parse(row.rows),
      });
    });
  });
}

export function serve(db) {
  return createServer(async (request, response) => {
    const reply = (status, body) => {
      response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
      response.end(JSON.stringify(body) + "\n");
    };
    let url;
    try {
      url = new URL(request.url, "http://localhost");
    } catch {
      return reply(400, { error: "the address is malformed" });
    }
    if (url.pathname !== "/ask") return reply(404, { error: "ask at /ask?q=..." });
    if (request.method !== "GET") return reply(405, { error: "use GET" });
    const question = url.searchParams.get("q")?.trim();
    if (!question) return reply(400, { error: "there is no question: /ask?q=..." });
    if (question.length > MAX_QUESTION) {
      return reply(413, { error: `a question has at most ${MAX_QUESTION} characters` });
    }
    try {
      reply(200, await ask(db, question));
    } catch (error) {
      console.error(error);
      reply(500, { error: "the question could not be worked on" }); // the message may hold values of the database
    }
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [path, port = "8080"] = process.argv.slice(2);
  if (!path) {
    console.error("usage: node server.mjs database [port]");
    process.exit(2);
  }
  const server = serve(await open(path));
  server.listen(Number(port), "127.0.0.1", () => console.log(`listening on port ${server.address().port}`));
}
