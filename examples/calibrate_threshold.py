#!/usr/bin/python3
"""Chooses the confidence below which a text-to-SQL system abstains, and measures what that is worth.

usage: calibrate_threshold.py predictions.csv [database]

predictions.csv has the columns id, question, gold, pred, confidence; an empty gold is an infeasible question, an empty
pred an abstention. Queries run on `database`. A third of the questions chooses the threshold, the others measure it:
the scores on the questions that chose it would be optimistic.

trustsql is the installed package (pip), or the module that TRUSTSQL_MODULE names.
"""

# %% The connection, with the extension.
import csv
import os
import sqlite3
import sys

if len(sys.argv) not in (2, 3):
    sys.exit(__doc__.split('\n\n')[1])
db = sqlite3.connect(':memory:')
if 'TRUSTSQL_MODULE' in os.environ:
    db.enable_load_extension(True)
    db.load_extension(os.environ['TRUSTSQL_MODULE'])
    db.enable_load_extension(False)
else:
    import trustsql
    trustsql.load(db)

# %% The predictions. Which third a question belongs to depends on its id alone, not on the order of the file.
db.execute("""CREATE TABLE prediction(id TEXT PRIMARY KEY, question TEXT, gold TEXT, pred TEXT, confidence REAL,
              database TEXT, split TEXT)""")
with open(sys.argv[1], newline='', encoding='utf-8') as file:
    for number, row in enumerate(csv.DictReader(file)):
        split = 'validation' if sum(row['id'].encode()) % 3 == 0 else 'test'
        db.execute('INSERT INTO prediction VALUES (?, ?, ?, ?, ?, ?, ?)',
                   (row['id'], row['question'], row['gold'] or None, row['pred'] or None,
                    float(row['confidence']) if row['confidence'] else None,
                    sys.argv[2] if len(sys.argv) > 2 else None, split))

# %% What became of each question: case I to V. This runs every query once, in a sandbox.
db.execute("""CREATE TABLE judged AS
              SELECT id, split, confidence, pred IS NULL AS abstained, gold IS NULL AS infeasible,
                     rs_case(gold, pred, database) AS outcome
              FROM prediction""")

# %% A threshold by each method, chosen on the validation questions.
METHODS = {
    'answer always': None,
    'heuristic': '{"method":"heuristic"}',
    'best RS(10)': '{"method":"rs","c":10}',
    'at most 20% wrong': '{"method":"selective_risk","alpha":0.2,"delta":0.1}',
}
print(f'{"method":20}{"threshold":>10}{"coverage":>10}{"precision":>10}{"RS(0)":>8}{"RS(10)":>9}{"RS(N)":>9}')
for name, options in METHODS.items():
    threshold = -1e308
    if options:
        threshold, = db.execute("""SELECT rs_threshold(confidence, outcome, ?) FROM judged
                                   WHERE split = 'validation'""", [options]).fetchone()
    # With the threshold: an answer below it becomes an abstention, case II or V. NULL abstains from everything.
    coverage, precision, rs_0, rs_10, rs_n = db.execute("""
        WITH decided AS (
          SELECT CASE WHEN abstained OR confidence >= :threshold THEN outcome
                      WHEN infeasible THEN 'V' ELSE 'II' END AS outcome
          FROM judged WHERE split = 'test')
        SELECT 100.0 * avg(outcome NOT IN ('II', 'V')),
               100.0 * avg(outcome = 'I') FILTER (WHERE outcome NOT IN ('II', 'V')),
               rs_mean(outcome, 0), rs_mean(outcome, 10), rs_mean(outcome, 'N')
        FROM decided""", {'threshold': threshold}).fetchone()
    shown = '' if not options else 'none' if threshold is None else f'{threshold:.3f}'
    right = '' if precision is None else f'{precision:.1f}'
    print(f'{name:20}{shown:>10}{coverage:10.1f}{right:>10}{rs_0:8.1f}{rs_10:9.1f}{rs_n:9.1f}')
