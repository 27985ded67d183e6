#!/bin/sh
# Makes the npm packages of a build twice (the bytes must be the same), installs the tarballs without a network, and uses
# them; with better-sqlite3 and sqlite3 where they are found in $TRUSTSQL_NODE_MODULES. Prints the time from `npm install`
# to the answer of a first question. Exit code 77: there is no npm.
# usage: check_npm.sh module source-folder
set -eu
module=$(realpath "$1")
source=$(realpath "$2")
command -v npm >/dev/null && command -v node >/dev/null || { echo "skipped: no npm"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "failed: $*" >&2
  exit 1
}

"$source/packages/build_npm.py" "$module" "$work/first" >/dev/null
touch "$source/packages/npm/trustsql/index.js"
"$source/packages/build_npm.py" "$module" "$work/second" >/dev/null
for tarball in "$work"/first/*.tgz; do
  cmp "$tarball" "$work/second/$(basename "$tarball")" || fail "two builds differ"
done

mkdir "$work/app"
cd "$work/app"
echo '{"name":"app","version":"1.0.0"}' >package.json
begun=$(date +%s%N)
npm install --offline --no-audit --no-fund --silent "$work"/first/trustsql-linux-*.tgz "$work"/first/trustsql-[0-9]*.tgz >npm.log 2>&1 ||
  { cat npm.log; fail "npm install"; }
installed=$(date +%s%N)
cat >ask.js <<'END'
"use strict";
const Database = require("better-sqlite3");
const db = new Database(":memory:");
require("trustsql").load(db);
db.exec("CREATE TABLE singer(name TEXT, country TEXT); INSERT INTO singer VALUES ('Edith', 'France'), ('Nina', 'USA')");
const sql = db.prepare("SELECT nl2sql('How many singers are there?')").pluck().get();
if (db.prepare(sql).pluck().get() !== 2) throw new Error(sql);
END
if [ -d "${TRUSTSQL_NODE_MODULES-}/better-sqlite3" ]; then
  NODE_PATH=$TRUSTSQL_NODE_MODULES node ask.js || fail "a question"
  answered=$(date +%s%N)
  echo "npm install: $(((installed - begun) / 1000000)) ms, first answer: $(((answered - installed) / 1000000)) ms later"
fi
cat >use.js <<'END'
"use strict";
const assert = require("node:assert");
const { existsSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");
const trustsql = require("trustsql");

const path = trustsql.getLoadablePath();
assert.ok(existsSync(path), path);
const loaded = [];
trustsql.load({ loadExtension: (file, ...rest) => loaded.push([file, rest.length]) });
trustsql.load({ loadExtension: (file, callback) => callback(null) }, (error) => loaded.push([error]));
assert.deepStrictEqual(loaded, [[path, 0], [null]]);
for (const wrong of [undefined, null, 1, "x", {}, { loadExtension: 1 }]) {
  assert.throws(() => trustsql.load(wrong), TypeError);
}

const modules = process.env.TRUSTSQL_NODE_MODULES;
const client = modules ? createRequire(join(modules, "x.js")) : undefined;
const find = (name) => {
  try {
    return client && client(name);
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    console.log(`skipped: no ${name}`);
  }
};
const Database = find("better-sqlite3");
if (Database) {
  const db = new Database(":memory:");
  trustsql.load(db);
  assert.strictEqual(db.prepare("SELECT rs_phi('III', 10) AS phi").get().phi, -10);
  console.log("better-sqlite3: ok");
}
const sqlite3 = find("sqlite3");
if (sqlite3) {
  const db = new sqlite3.Database(":memory:");
  trustsql.load(db);
  db.get("SELECT rs_phi('III', 10) AS phi", (error, row) => {
    assert.ifError(error);
    assert.strictEqual(row.phi, -10);
    console.log("sqlite3: ok");
    db.close();
  });
}
END
node use.js
rm -r node_modules/trustsql-linux-*
node -e 'require("trustsql").getLoadablePath()' 2>&1 | grep -q 'there is no package trustsql-linux-.* --include=optional' ||
  fail "a missing package is not named"
echo ok
