"""The calls from apsw. usage: client_apsw.py module database calls"""
import sys
import threading

import apsw

module, database, calls = sys.argv[1:]
db = apsw.Connection(database)
db.enableloadextension(True)
db.loadextension(module)
for line in open(calls, encoding='utf-8'):
    name, sql = line.rstrip('\n').split('\t')
    if name == 'interrupt':
        threading.Timer(0.5, db.interrupt).start()
    try:
        print(name, next(iter(db.cursor().execute(sql)))[0], sep='\t')
    except apsw.Error as error:
        print(name, f'error: {error}', sep='\t')
