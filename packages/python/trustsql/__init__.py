"""trustsql: text-to-SQL that abstains, SQL equivalence and reliability scores, as a loadable extension of SQLite.

>>> import sqlite3, trustsql
>>> db = sqlite3.connect(':memory:')
>>> trustsql.load(db)
>>> db.execute("SELECT rs_phi('III', 10)").fetchone()
(-10.0,)
"""

from __future__ import annotations

import os

__all__ = ['load', 'loadable_path']


def loadable_path() -> str:
    """The path of the loadable module, without its ending, as SQLite's load_extension takes it on every platform."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), 'trustsql')


def load(connection) -> None:
    """Loads the extension into a connection of sqlite3, pysqlite3 or apsw, and forbids further loading again.

    Raises RuntimeError if this Python's sqlite3 was built without loading of extensions, and what the connection raises
    if the module cannot be loaded.
    """
    # apsw's Connection.enableloadextension(), sqlite3's enable_load_extension(); apsw has taken both names since 3.42.
    enable = getattr(connection, 'enable_load_extension', None) or getattr(connection, 'enableloadextension', None)
    load_extension = getattr(connection, 'load_extension', None) or getattr(connection, 'loadextension', None)
    if enable is None or load_extension is None:
        raise RuntimeError("this connection cannot load extensions: Python's sqlite3 was built without them; use "
                           'another Python (Debian\'s can), or the package pysqlite3 or apsw')
    enable(True)
    try:
        load_extension(loadable_path())
    finally:
        enable(False)
