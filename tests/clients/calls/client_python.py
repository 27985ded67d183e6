"""The calls from Python's sqlite3. usage: client_python.py module database calls"""
import sqlite3
import sys
import threading

module, database, calls = sys.argv[1:]
db = sqlite3.connect(database, check_same_thread=False)
db.enable_load_extension(True)
db.load_extension(module)
for line in open(calls, encoding='utf-8'):
    name, sql = line.rstrip('\n').split('\t')
    if name == 'interrupt':
        threading.Timer(0.5, db.interrupt).start()
    try:
        print(name, db.execute(sql).fetchone()[0], sep='\t')
    except sqlite3.Error as error:
        print(name, f'error: {error}', sep='\t')
