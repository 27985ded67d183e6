// The calls from the package sqlite3. usage: client_sqlite3.js module database calls
const sqlite3 = require("sqlite3");
const [module_, database, calls] = process.argv.slice(2);
const lines = require("fs").readFileSync(calls, "utf8").trimEnd().split("\n");
const db = new sqlite3.Database(database);
const next = () => {
  if (lines.length === 0) return db.close();
  const [name, sql] = lines.shift().split("\t");
  if (name === "interrupt") setTimeout(() => db.interrupt(), 500);
  db.get(sql, (error, row) => {
    console.log(`${name}\t${error ? `error: ${error.message}` : Object.values(row)[0]}`);
    next();
  });
};
db.loadExtension(module_, (error) => {
  if (error) throw error;
  next();
});
