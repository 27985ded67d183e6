#!/usr/bin/python3
"""Calls every function again and again, and compares the memory that is allocated: what a call leaves is freed.

usage: memory_test.py path/to/trustsql.so [rounds]
A round calls the example of each function once. Memory is what malloc_info() of glibc says is allocated, in all threads
together. Exit code 77: the C library has no malloc_info().
"""

import ctypes
import os
import re
import shutil
import sqlite3
import sys
import tempfile

MODULE = os.path.abspath(sys.argv[1])
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 8
WARM = 4  # rounds until caches and pools have their size
TABLES = """
    CREATE TABLE singer(name TEXT, country TEXT, age INTEGER);
    INSERT INTO singer VALUES ('Edith', 'France', 30), ('Charles', 'France', 41), ('Nina', 'USA', 35);
    CREATE TABLE predictions(system TEXT, id INTEGER, gold TEXT, pred TEXT, confidence REAL);
    INSERT INTO predictions VALUES
      ('bold', 1, 'SELECT count(*) FROM singer', 'SELECT count(name) FROM singer', 0.9),
      ('bold', 2, 'SELECT name FROM singer WHERE age > 40', 'SELECT name FROM singer WHERE age >= 41', 0.8),
      ('bold', 3, 'SELECT avg(age) FROM singer', 'SELECT max(age) FROM singer', 0.6),
      ('bold', 4, NULL, 'SELECT name FROM singer', 0.5),
      ('careful', 1, 'SELECT count(*) FROM singer', 'SELECT count(*) FROM singer', 0.9),
      ('careful', 2, 'SELECT name FROM singer WHERE age > 40', 'SELECT name FROM singer WHERE 40 < age', 0.7),
      ('careful', 3, 'SELECT avg(age) FROM singer', NULL, NULL),
      ('careful', 4, NULL, NULL, NULL);"""


def allocated(libc, path):
    """The bytes that malloc() has given out and not got back."""
    file = ctypes.c_void_p(libc.fopen(path.encode(), b'w'))
    libc.malloc_info(0, file)
    libc.fclose(file)
    with open(path) as text:
        total = text.read().rpartition('</heap>')[2]

    def size_of(pattern):
        return sum(int(size) for size in re.findall(pattern + r' size="(\d+)"', total))

    return (size_of('<system type="current"') + size_of(r'<total type="mmap" count="\d+"') -
            size_of(r'<total type="(?:fast|rest)" count="\d+"'))


def main():
    libc = ctypes.CDLL(None)
    if not hasattr(libc, 'malloc_info'):
        print('skipped: no malloc_info')
        sys.exit(77)
    libc.fopen.restype = ctypes.c_void_p
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, 'files'))
        os.chdir(os.path.join(folder, 'files'))
        db = sqlite3.connect(':memory:', isolation_level=None)
        db.enable_load_extension(True)
        db.load_extension(MODULE)
        db.executescript(TABLES)
        examples = [row[0] for row in db.execute('SELECT example FROM trustsql_functions')]
        after = []
        for _ in range(ROUNDS):
            for example in examples:
                db.execute(example.split('-- ')[0].rstrip('; ')).fetchall()
            for name in os.listdir('.'):  # what an example has written, so that it can write it again
                shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
            after.append(allocated(libc, os.path.join(folder, 'malloc.xml')))
        os.chdir('/')
    growth = after[-1] - after[WARM]
    print(f'{ROUNDS} rounds over {len(examples)} functions: {after[WARM]} bytes allocated after round {WARM + 1}, '
          f'{after[-1]} after the last')
    # Figures of functions that measure time differ in length, and containers that keep them by some bytes.
    if growth > 64 * 1024:
        sys.exit(f'{growth} bytes more')


main()
