"""The plugin for sqlite-utils (3.34 and later): every connection of the tool and of its library has the extension.

`sqlite-utils query music.db "SELECT nl2sql('How many singers are French?')"`
"""

from sqlite_utils import hookimpl

import trustsql


@hookimpl
def prepare_connection(conn):
    trustsql.load(conn)
