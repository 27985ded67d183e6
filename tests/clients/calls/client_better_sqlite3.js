// The calls from better-sqlite3. usage: client_better_sqlite3.js module database calls
const Database = require("better-sqlite3");
const [module_, database, calls] = process.argv.slice(2);
const db = new Database(database);
db.loadExtension(module_);
for (const line of require("fs").readFileSync(calls, "utf8").trimEnd().split("\n")) {
  const [name, sql] = line.split("\t");
  if (name === "interrupt") {
    console.log("interrupt\tnone"); // it works on the only thread, and has no interrupt
    continue;
  }
  try {
    console.log(`${name}\t${db.prepare(sql).pluck().get()}`);
  } catch (error) {
    console.log(`${name}\terror: ${error.message}`);
  }
}
