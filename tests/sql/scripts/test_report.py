import html.parser
import os

from support import ScriptTest
from test_score import SETUP


class Page(html.parser.HTMLParser):
    """Collects the headings, and fails on elements that are not closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.headings = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        if tag != "meta":
            self.open.append(tag)
        if tag in ("script", "link", "img", "iframe"):
            raise AssertionError("the page has a " + tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            raise AssertionError("</%s> closes something else" % tag)

    def handle_data(self, data):
        if self.open and self.open[-1] in ("h1", "h2"):
            self.headings.append(data)


class Report(ScriptTest):
    def setUp(self):
        super().setUp()
        self.execute(SETUP)

    def page(self, **parameters):
        output = self.run_script("report.sql", load=True, html="r.html", **parameters)
        with open(self.path("r.html"), encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(output, "%d bytes written to r.html\n" % len(text.encode()))
        page = Page(text)
        self.assertEqual(page.open, [])
        return page.headings

    def test_writes_a_page(self):
        self.assertEqual(self.page(), ["Reliability report", "Reliability", "Feasible questions alone", "By hardness",
                                       "Wrong answers"])

    def test_title_and_options(self):
        headings = self.page(title="<i>1 & 2</i>", opts='{"by":["system"]}', source="SELECT * FROM answers WHERE hardness IS NOT NULL")
        self.assertEqual(headings[0], "<i>1 & 2</i>")
        self.assertIn("By system", headings)

    def test_failures(self):
        self.fail_script("report.sql", "the extension is not loaded", html="r.html")
        self.fail_script("report.sql", "@html is not set", load=True)
        self.fail_script("report.sql", "@opts is not a JSON object", load=True, html="r.html", opts="1")
        self.fail_script("report.sql", "the file @html cannot be written", load=True, html=".")
        self.fail_script("report.sql", "unknown option", load=True, html="r.html", opts='{"colour":1}')
        self.assertFalse(os.path.exists(self.path("r.html")))
