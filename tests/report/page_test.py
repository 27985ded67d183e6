"""rs_html's page without a browser: CSV equals the tables, texts are inert, colours have contrast, the script is the
one that the page's policy allows.

usage: page_test.py module
"""

import base64
import csv
import hashlib
import html.parser
import io
import os
import re
import sys
import unittest
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import report_source

MODULE = sys.argv.pop(1)


class Reader(html.parser.HTMLParser):
    """Tables (lists of rows of (text, [exact values])), links, and counts of elements."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.links, self.names, self.attributes = [], [], {}, []
        self.policy = ''
        self.scripts, self._in_script = [], False
        self._table = self._cell = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.names[tag] = self.names.get(tag, 0) + 1
        self.attributes += attrs
        if attrs.get('http-equiv') == 'Content-Security-Policy':
            self.policy = attrs['content']
        if tag == 'table':
            self._table = []
            self.tables.append(self._table)
        elif tag == 'tr' and self._table is not None:
            self._table.append([])
        elif tag in ('th', 'td') and self._table is not None:
            self._cell = ['', []]
            self._table[-1].append(self._cell)
        elif tag == 'data':
            self._cell[1].append(attrs['value'])
        elif tag == 'a':
            self.links.append(attrs)
        elif tag == 'script':
            self._in_script = True
            self.scripts.append('')

    def handle_endtag(self, tag):
        if tag in ('th', 'td'):
            self._cell = None
        elif tag == 'table':
            self._table = None
        elif tag == 'script':
            self._in_script = False

    def handle_data(self, data):
        if self._cell is not None:
            self._cell[0] += data
        if self._in_script:
            self.scripts[-1] += data


def luminance(color):
    channels = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    """WCAG 2's contrast ratio."""
    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.db = report_source.connect(MODULE)
        report_source.fill(cls.db)
        cls.html = report_source.page(cls.db)
        cls.page = Reader(cls.html)

    def test_csv_has_the_exact_values_of_its_table(self):
        links = [link for link in self.page.links if 'download' in link]
        self.assertEqual(len(links), len(self.page.tables))
        self.assertGreater(len(links), 8)
        for link, table in zip(links, self.page.tables):
            head, data = link['href'].split(',', 1)
            self.assertEqual(head, 'data:text/csv;charset=utf-8')
            rows = list(csv.reader(io.StringIO(urllib.parse.unquote(data, errors='strict'), newline='')))
            self.assertEqual(len({len(row) for row in rows}), 1, link['download'])
            self.assertEqual(len(rows), len(table), link['download'])
            for row, cells in zip(rows, table):
                exact = [value for cell in cells for value in cell[1]]
                self.assertEqual([value for value in row[1:] if re.fullmatch(r'-?[\d.]+(e[-+]\d+)?', value)], exact)
        scores = urllib.parse.unquote(links[0]['href'])
        self.assertIn('\r\n"\'=HYPERLINK(""http://example.com"")",', scores)  # no formula

    def test_intervals_are_columns_and_groups_a_column(self):
        self.assertIn('System,RS(0),RS(0) low,RS(0) high,', urllib.parse.unquote(self.page.links[0]['href']))
        page = Reader(report_source.page(self.db, '{"by":"id"}'))
        grouped = [urllib.parse.unquote(link['href']) for link in page.links if link['download'] == 'by-0.csv']
        self.assertTrue(grouped[0].split(',', 1)[1].startswith('Group,System,RS(0),RS(10),'))

    def test_texts_are_inert(self):
        self.assertNotIn('script', self.page.names)
        self.assertNotIn('img', self.page.names)
        self.assertEqual(self.page.names['style'], 1)
        self.assertFalse([name for name in self.page.attributes if name.startswith('on')])
        self.assertFalse(re.search(r'(?:href|src|action)="(?!data:text/csv|#mark-)', self.html))
        self.assertNotIn('\u202e', self.html)

    def test_wrong_answers_are_listed_with_reasons(self):
        for text in ('Wrong answers', '<b>III</b>', '<b>IV</b>', 'Kind of error: values (only literals differ).',
                     'Kind of error: conditions', 'The prediction failed: no such column: nmae',
                     'the system should have abstained', '<dt>Counterexample</dt>', 'CREATE TABLE',
                     '<dt>Prediction gives</dt>', 'On its own database, gold gives', ', the first 20 of them here',
                     '<pre><code>-- the oldest\nSELECT name\nFROM singer\nORDER BY age DESC LIMIT 1</code></pre>',
                     '&lt;/style&gt;&lt;script&gt;alert(1)'):
            self.assertIn(text, self.html)
        systems = self.html.count('<details class="system">')
        self.assertEqual(systems, 12)
        self.assertLessEqual(self.html.count('<details>'), 12 * 20)

    def test_options_of_the_list(self):
        none = report_source.page(self.db, '{"errors":0}')
        self.assertNotIn('<details', none)
        two = report_source.page(self.db, '{"errors":2,"counterexample_ms":0}')
        self.assertEqual(two.count('<details>'), 24)
        self.assertNotIn('Counterexample</dt>', two)
        # A source with cases has no queries that were run; what it says is shown.
        said = report_source.page(self.db, '{}', """SELECT 1 AS id, 'III' AS "case", 'SELECT a FROM missing' AS gold,
            'SELECT 2' AS pred, 'my own kind' AS error_kind UNION ALL SELECT 2, 'IV', NULL, 'SELECT 1', NULL""")
        self.assertIn('Kind of error: my own kind.', said)
        self.assertEqual(said.count('<details>'), 2)
        bare = report_source.page(self.db, '{}', """SELECT 'III' AS "case" UNION ALL SELECT 'I'""")
        self.assertIn('(unnamed question)', bare)
        with self.assertRaisesRegex(Exception, 'errors'):
            report_source.page(self.db, '{"errors":-1}')

    def test_at_most_1000_answers_are_listed(self):
        self.db.execute("""CREATE TEMP VIEW many AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
            WHERE i < 1200) SELECT i % 3 AS system, i AS id, 'IV' AS "case", 'SELECT ' || i AS pred FROM n""")
        page = report_source.page(self.db, '{"errors":1000,"missing":"count","bootstrap":0}', 'many')
        self.assertEqual(page.count('<details>'), 999)

    def test_only_the_script_of_the_page_is_allowed(self):
        self.assertNotIn('script-src', self.page.policy)
        page = Reader(report_source.page(self.db, '{"scripts":true}'))
        self.assertEqual(len(page.scripts), 1)
        digest = base64.b64encode(hashlib.sha256(page.scripts[0].encode()).digest()).decode()
        self.assertIn(f"script-src 'sha256-{digest}'", page.policy)

    def test_nothing_is_a_tab_stop_for_nothing(self):
        self.assertNotIn('tabindex', self.page.attributes)

    def test_swatches_do_not_repeat(self):
        names = ', '.join(f"('s{i}')" for i in range(60))
        page = report_source.page(self.db, '{}',
                                  f"""SELECT column1 AS system, 1 AS id, 'I' AS "case" FROM (VALUES {names})""")
        table = page[:page.index('</table>')]
        swatches = re.findall(r'class="swatch (s\d d\d)" aria-hidden="true"><use href="(#mark-\d)"', table)
        self.assertEqual(len(set(swatches)), 60)

    def test_contrast(self):
        style = re.search(r'<style>(.*?)</style>', self.html, re.S).group(1)
        schemes = re.findall(r':root\{(.*?)\}', style, re.S)
        self.assertEqual(len(schemes), 3)  # light, dark, print
        self.assertIn('svg .r1.in,svg .r3.in,svg .r4.in{fill:#fff', style)
        self.assertIn('svg .r2.in,svg .r5.in{fill:#10251b', style)
        light = {}
        for scheme in schemes:
            colors = dict(light, **{name: value if len(value) != 4 else '#' + ''.join(2 * c for c in value[1:])
                                    for name, value in re.findall(r'--([\w-]+):(#[0-9a-f]+)', scheme)})
            light = light or colors
            pairs = [('ink', 'paper'), ('muted', 'paper'), ('ink', 'panel')]
            pairs += [(f's{i}', 'paper') for i in range(7)]
            texts = [(colors[a], colors[b], a) for a, b in pairs]
            texts += [('#ffffff', colors[r], r) for r in ('r1', 'r3', 'r4')]
            texts += [('#10251b', colors[r], r) for r in ('r2', 'r5')]
            for a, b, name in texts:
                self.assertGreaterEqual(contrast(a, b), 4.5, name)
            for region in ('r1', 'r3', 'r4'):  # graphics need 3
                self.assertGreaterEqual(contrast(colors[region], colors['paper']), 3, region)


if __name__ == '__main__':
    unittest.main()
