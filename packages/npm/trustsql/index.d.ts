/** A connection that can load extensions: of better-sqlite3, sqlite3 or node:sqlite. */
export interface Connection {
  loadExtension(path: string, ...rest: never[]): unknown;
}

/** The path of the loadable module. Throws an Error if there is none for this platform. */
export declare function getLoadablePath(): string;

/** Loads trustsql into a connection. Throws a TypeError if `db` is none, and what its loadExtension throws. */
export declare function load(db: Connection): void;

/** For the package sqlite3, which loads in its queue: `callback` is called when that is done, or has failed. */
export declare function load(
  db: { loadExtension(path: string, callback?: (error: Error | null) => void): unknown },
  callback: (error: Error | null) => void,
): void;
