"""Runs a program of examples/ as a user would, and looks at what it says.

usage: examples_test.py embedded|calibrate|leaderboard|questions|service module ask source-folder
The service needs node, npm and the package sqlite3, in $TRUSTSQL_NODE_MODULES. Exit code 77: skipped.
"""

import csv
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request

NAME, MODULE, ASK, SOURCE = sys.argv[1:5]
EXAMPLES = pathlib.Path(SOURCE, 'examples')
WORK = pathlib.Path(tempfile.mkdtemp(prefix='trustsql-example-'))
QUESTION = 'How many singers are there?'


def music(path):
    db = sqlite3.connect(path)
    db.executescript("""
        CREATE TABLE singer(singer_id INTEGER PRIMARY KEY, name TEXT, country TEXT, age INTEGER);
        CREATE TABLE concert(concert_id INTEGER PRIMARY KEY, singer_id INTEGER REFERENCES singer, year INTEGER);
        INSERT INTO singer VALUES (1, 'Ann', 'France', 30), (2, 'Bob', 'France', 41), (3, 'Cy', 'Peru', 33);
        INSERT INTO concert VALUES (1, 1, 2020), (2, 1, 2021), (3, 2, 2021);""")
    db.close()
    return str(path)


def run(*command, code=0, **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120,
                          env={**os.environ, 'TRUSTSQL_MODULE': MODULE, **environment})
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done.stdout if code == 0 else done.stdout + done.stderr


def write_csv(name, header, rows):
    path = WORK / name
    with open(path, 'w', newline='', encoding='utf-8') as file:
        csv.writer(file).writerows([header, *rows])
    return path


def embedded():
    database = music(WORK / 'music.db')
    lines = run(ASK, database, QUESTION).splitlines()
    assert lines[0] == '[[3]]' and lines[1].startswith('SELECT count(*) FROM singer (confidence 0.'), lines
    lines = run(ASK, database, 'What is the weather?', code=1).splitlines()
    assert lines[0].startswith('no answer: not_understood') and len(lines) == 2, lines
    assert 'cannot open' in run(ASK, WORK / 'missing.db', QUESTION, code=2)
    assert 'usage' in run(ASK, code=2)


def calibrate():
    """Confidences say who is right, but for some luck: thresholds then gain at c = 10, and lose coverage."""
    rng = random.Random(3)
    rows = []
    for i in range(300):
        gold = '' if i % 6 == 0 else f'SELECT name FROM singer WHERE age > {i % 45}'
        right = rng.random() < 0.6 and gold
        pred = gold if right else 'SELECT country FROM singer'
        rows.append((i, f'question {i}', gold, pred, min(1, max(0, rng.gauss(0.8 if right else 0.3, 0.15)))))
    predictions = write_csv('predictions.csv', ('id', 'question', 'gold', 'pred', 'confidence'), rows)
    lines = run('/usr/bin/python3', EXAMPLES / 'calibrate_threshold.py', predictions,
                music(WORK / 'music.db')).splitlines()
    scores = {line[:20].strip(): line[20:].split() for line in lines[1:]}
    assert set(scores) == {'answer always', 'heuristic', 'best RS(10)', 'at most 20% wrong'}, lines
    always, best = scores['answer always'], scores['best RS(10)']
    assert float(always[0]) == 100 and float(best[1]) < 100, lines
    assert float(best[4]) > float(always[3]) + 100, lines  # RS(10)
    assert float(scores['at most 20% wrong'][2]) > 75, lines  # precision
    assert 'usage' in run('/usr/bin/python3', EXAMPLES / 'calibrate_threshold.py', code=1)


def questions():
    """docs/transcript.md is what the script prints."""
    transcript = pathlib.Path(SOURCE, 'docs', 'transcript.md').read_text(encoding='utf-8')
    assert run(EXAMPLES / 'questions' / 'ask.sh', MODULE) == transcript.split('```text\n')[1].split('```')[0]


def leaderboard():
    database = music(WORK / "it's music.db")
    gold = write_csv('gold.csv', ('id', 'question', 'gold'), [
        ('1', QUESTION, 'SELECT count(*) FROM singer'), ('2', 'Names, "quoted"', 'SELECT name FROM singer'),
        ('3', 'The weather?', '')])
    careful = write_csv('careful.csv', ('id', 'pred'), [('1', 'SELECT count(name) FROM singer'), ('2', ''), ('3', '')])
    bold = write_csv("bo'ld.csv", ('id', 'pred'), [('1', 'SELECT 3'), ('2', 'SELECT country FROM singer'),
                                                   ('3', 'SELECT 1')])
    page = WORK / 'report.html'
    lines = run(EXAMPLES / 'leaderboard.sh', database, gold, page, careful, bold).splitlines()
    rows = {line.split()[0]: line.split()[1:] for line in lines if line}
    assert rows['careful'] == ['3', '33.3', '100.0', '66.7', '66.7', '66.7'], lines
    assert rows["bo'ld"] == ['3', '100.0', '33.3', '33.3', '-633.3', '-166.7'], lines
    names = [line.split()[0] for line in lines[2:5]]
    assert names == ['careful', 'ABSTAIN-ALL', "bo'ld"], lines
    assert lines[-1].startswith('The page has ') and b'<h1>Leaderboard</h1>' in page.read_bytes(), lines
    partial = write_csv('partial.csv', ('id', 'pred'), [('1', 'SELECT 3')])
    assert 'has no row for 2 of 3 questions' in run(EXAMPLES / 'leaderboard.sh', database, gold, page, partial, code=1)
    assert 'usage' in run(EXAMPLES / 'leaderboard.sh', code=2)


def service():
    modules = os.environ.get('TRUSTSQL_NODE_MODULES', '')
    if not shutil.which('npm') or not os.path.isdir(os.path.join(modules, 'sqlite3')):
        print('skipped: no npm, or no package sqlite3 in TRUSTSQL_NODE_MODULES')
        sys.exit(77)
    app = WORK / 'app'
    shutil.copytree(EXAMPLES / 'answering_service', app)
    run(pathlib.Path(SOURCE, 'packages/build_npm.py'), MODULE, WORK / 'npm')
    (app / 'package.json').write_text('{"type":"module"}')
    subprocess.run(['npm', 'install', '--offline', '--silent', '--no-audit', '--no-fund',
                    *map(str, sorted((WORK / 'npm').glob('*.tgz'), reverse=True))], cwd=app, check=True)
    for name in os.listdir(modules):
        if not (app / 'node_modules' / name).exists():
            os.symlink(os.path.join(modules, name), app / 'node_modules' / name)
    server = subprocess.Popen(['node', 'server.mjs', music(WORK / 'music.db'), '0'], cwd=app, stdout=subprocess.PIPE,
                              text=True)
    try:
        port = int(server.stdout.readline().split()[-1])

        def get(path):
            try:
                with urllib.request.urlopen(f'http://127.0.0.1:{port}{path}', timeout=60) as reply:
                    return reply.status, json.load(reply)
            except urllib.error.HTTPError as error:
                return error.code, json.load(error)

        def ask(question):
            return get('/ask?q=' + urllib.parse.quote(question))

        status, answer = ask(QUESTION)
        assert (status, answer['abstains'], answer['sql'], answer['rows']) == \
            (200, False, 'SELECT count(*) FROM singer', [[3]]), answer
        assert answer['columns'] == ['count(*)'] and 0.5 <= answer['confidence'] <= 1, answer
        status, answer = ask('What is the weather?')
        assert status == 200 and answer['abstains'] and answer['reason'].startswith('not_understood'), answer
        assert ask('')[0] == 400 and ask('x' * 2000)[0] == 413 and get('/')[0] == 404
        assert ask("'; DROP TABLE singer; -- \u202e</script>\0")[0] == 200
        results = []
        threads = [threading.Thread(target=lambda: results.append(ask(QUESTION)[1]['rows'])) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == [[[3]]] * 8, results
    finally:
        server.terminate()
        server.wait(10)


try:
    {'embedded': embedded, 'calibrate': calibrate, 'leaderboard': leaderboard, 'questions': questions,
     'service': service}[NAME]()
finally:
    shutil.rmtree(WORK, ignore_errors=True)
print('ok')
