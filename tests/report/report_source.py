"""Makes pages with rs_html from a database of predictions: many systems, hostile texts, wrong answers of every kind."""

import random
import sqlite3

HOSTILE = ['</style><script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "'; DROP TABLE singer; --",
           '=HYPERLINK("http://example.com")', '&lt;b&gt; \u202eright to left\u202c', 'line\nbreak,\t"quoted"']

QUESTIONS = [  # question, gold, wrong predictions
    ("How many singers are French?", "SELECT count(*) FROM singer WHERE country = 'France'",
     ["SELECT count(*) FROM singer WHERE country = 'French'", "SELECT count(*) FROM singer",
      "SELECT nmae FROM singer"]),
    ("Which singers are older than 30?", "SELECT name FROM singer WHERE age > 30",
     ["SELECT name FROM singer WHERE age >= 30", "SELECT country FROM singer WHERE age > 30",
      "-- the oldest\nSELECT name\nFROM singer\nORDER BY age DESC LIMIT 1"]),
    ("The concerts of each singer",
     "SELECT name, count(*) FROM singer JOIN concert USING (singer_id) GROUP BY singer_id",
     ["SELECT name, count(*) FROM singer LEFT JOIN concert USING (singer_id) GROUP BY singer_id",
      "SELECT name, sum(singer_id) FROM singer JOIN concert USING (singer_id) GROUP BY name"]),
    ("Countries of the singers", "SELECT DISTINCT country FROM singer", ["SELECT country FROM singer", HOSTILE[0]]),
]


def connect(module):
    db = sqlite3.connect(':memory:')
    db.enable_load_extension(True)
    db.load_extension(module)
    return db


def fill(db, systems=12, questions=120):
    """A table `answers` with `systems` systems, the names of some of which are hostile."""
    rng = random.Random(7)
    db.executescript("""
        CREATE TABLE singer(singer_id INTEGER PRIMARY KEY, name TEXT, country TEXT, age INTEGER);
        CREATE TABLE concert(concert_id INTEGER PRIMARY KEY, singer_id INTEGER REFERENCES singer, year INTEGER);
        INSERT INTO singer VALUES (1, 'Ann', 'France', 30), (2, 'Bob', 'France', 41), (3, 'Cy', 'Peru', 33);
        INSERT INTO concert VALUES (1, 1, 2020), (2, 1, 2021), (3, 2, 2021);
        CREATE TABLE answers(system TEXT, id INTEGER, question TEXT, gold TEXT, pred TEXT, confidence REAL,
                             hardness TEXT, type TEXT, PRIMARY KEY (system, id));
    """)
    names = [f'System {i + 1}, a model with quite a long name' if i % 3 == 1 else f'system-{i + 1}'
             for i in range(systems)]
    if systems > 2:
        names[2] = HOSTILE[0]
    if systems > 4:
        names[4] = HOSTILE[3]
    for number, name in enumerate(names):
        for i in range(questions):
            question, gold, wrong = QUESTIONS[i % len(QUESTIONS)]
            if i % 9 == 8:
                question = HOSTILE[i % len(HOSTILE)]
            feasible = i % 5 != 4
            lucky = rng.random()
            good = 0.35 + 0.05 * number
            if not feasible:
                pred = None if lucky < good else f'SELECT * FROM {"singer" if i % 2 else "concert"}'
            elif lucky < good:
                pred = gold
            else:
                pred = None if lucky < good + 0.1 else rng.choice(wrong)
            right = (pred is None) if not feasible else pred == gold
            confidence = round(min(1.0, max(0.0, rng.gauss(0.7 if right else 0.5, 0.2))), 4)
            db.execute('INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
                       (name, i, question, gold if feasible else None, pred, confidence,
                        ['easy', 'medium', 'hard'][i % 3] if feasible else None,
                        None if feasible else ['ambiguous', 'non-sql'][i % 2]))


def page(db, opts='{}', source='answers'):
    return db.execute('SELECT rs_html(?, ?)', (source, opts)).fetchone()[0]
