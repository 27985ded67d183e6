"use strict";
// Finds the module of this platform, which is in a package of its own, and loads it into a connection.

const { existsSync } = require("node:fs");
const { dirname, join } = require("node:path");

const platform = `${process.platform}-${process.arch}`;
const platformPackage = `trustsql-${platform}`;

/** The path of the loadable module, for whatever loads SQLite extensions. */
function getLoadablePath() {
  let folder;
  try {
    folder = dirname(require.resolve(`${platformPackage}/package.json`));
  } catch {
    throw new Error(
      `trustsql: there is no package ${platformPackage}. Either trustsql has no prebuilt module for ${platform} ` +
        "(build it from source), or optional dependencies were not installed (npm install --include=optional)");
  }
  const path = join(folder, "trustsql.so");
  if (!existsSync(path)) throw new Error(`trustsql: the package ${platformPackage} has no ${path}`);
  return path;
}

/**
 * Loads trustsql into a connection of better-sqlite3, sqlite3 or node:sqlite (opened with allowExtension), or anything
 * else with a method loadExtension(path). The package sqlite3 loads in its queue, before the statements that follow; a
 * callback is passed on to it.
 */
function load(db, callback) {
  if (db === null || typeof db !== "object" || typeof db.loadExtension !== "function") {
    throw new TypeError("trustsql.load: the argument must be an open connection with a method loadExtension");
  }
  if (callback === undefined) {
    db.loadExtension(getLoadablePath());
  } else {
    db.loadExtension(getLoadablePath(), callback);
  }
}

module.exports = { getLoadablePath, load };
