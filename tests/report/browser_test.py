"""rs_html's page in headless Chromium: axe-core finds no violation at 1280 and 390 columns, in light and dark, with
everything open; nothing is blocked; tables sort; regions that do not scroll are no tab stops; the PDF is small.

usage: browser_test.py module [folder for screenshots]
axe-core (npm) is looked for in $TRUSTSQL_AXE (the file axe.min.js), then in the node_modules of the working directory
and of npm's global folder. Exit code 77: skipped, since Chromium or axe-core is missing.
"""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import chromium
import report_source

MAX_PDF = 1_000_000  # bytes, for 12 systems


def find_axe():
    places = [os.environ.get('TRUSTSQL_AXE', ''), 'node_modules/axe-core/axe.min.js']
    try:
        root = subprocess.run(['npm', 'root', '--global'], capture_output=True, text=True, check=True).stdout.strip()
        places.append(root + '/axe-core/axe.min.js')
    except (OSError, subprocess.CalledProcessError):
        pass
    return next((place for place in places if place and os.path.isfile(place)), None)


failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print('FAILED:', what)


def violations(browser):
    """axe-core's violations, as texts. Closed <details> are opened first, since axe sees only what is rendered."""
    browser.evaluate('for (const d of document.querySelectorAll("details")) d.open = true')
    found, passed = browser.evaluate("""axe.run(document, {resultTypes: ["violations"]}).then(r => [r.violations.map(
        v => `${v.id} (${v.impact}): ${v.nodes.length} nodes, the first ${v.nodes[0].html.slice(0, 200)} ` +
             `${v.nodes[0].failureSummary}`), r.passes.map(p => p.id)])""")
    for rule in ('color-contrast', 'td-headers-attr', 'svg-img-alt', 'summary-name'):
        expect(rule in passed, f'axe-core did not check {rule}')
    browser.evaluate('for (const d of document.querySelectorAll("details")) d.open = false')
    return found


def check_page(browser, axe, name, html, pictures):
    for width, height in ((1280, 900), (390, 844)):
        for dark in (False, True):
            view = f'{name}, {width} columns, {"dark" if dark else "light"}'
            browser.size(width, height, dark)
            browser.open(html)
            browser.evaluate(axe)  # DevTools may run scripts that the page's policy forbids to others
            found = violations(browser)
            expect(not found, f'{view}: axe-core: {found}')
            print(f'{view}: axe-core: {len(found)} violations')
            wide = browser.evaluate('document.documentElement.scrollWidth')
            expect(wide <= width, f'{view}: the page is {wide} wide')
            expect(not browser.problems(), f'{view}: {browser.problems()}')
            if pictures:
                browser.evaluate('document.querySelectorAll("details").forEach((d, i) => { d.open = i < 3 })')
                browser.screenshot(pictures / f'{name}-{width}-{"dark" if dark else "light"}.png')
    # Whatever can be reached with the tab key does something: links, buttons, what opens and closes.
    stops = browser.evaluate('[...document.querySelectorAll("[tabindex]")].length')
    expect(stops == 0, f'{name}: {stops} elements with a tabindex')


def check_sorting(browser, html):
    browser.size(1280, 900, False)
    browser.open(html)
    column = """[...document.querySelector("table").tBodies[0].rows].map(
        r => r.cells[1].querySelector("data") && Number(r.cells[1].querySelector("data").value))"""
    before = browser.evaluate(column)
    click = 'document.querySelectorAll("table th button")[1].click()'
    browser.evaluate(click)
    expect(browser.evaluate(column) == sorted(before, reverse=True), 'a click sorts the largest first')
    expect(browser.evaluate('document.querySelector("th[aria-sort]").ariaSort') == 'descending', 'aria-sort')
    browser.evaluate(click)
    expect(browser.evaluate(column) == sorted(before), 'a second click sorts the smallest first')
    browser.evaluate('document.querySelector("table th button").click()')
    names = browser.evaluate('[...document.querySelector("table").tBodies[0].rows].map(r => r.cells[0].textContent)')
    expect(names.index('system-1') < names.index('system-4') < names.index('system-10'), f'names are sorted: {names}')
    expect(not browser.problems(), f'sorting: {browser.problems()}')


def check_download(browser, html):
    """A link gives the CSV that its data URI holds, as the browser reads it."""
    browser.open(html)
    for_scores = browser.evaluate("""new Promise(done => {
        const link = document.querySelector("a[download]");
        const comma = link.href.indexOf(",");
        done([link.download, decodeURIComponent(link.href.slice(comma + 1))]); })""")
    expect(for_scores[0] == 'scores.csv' and for_scores[1].startswith('System,RS(0),RS(0) low,RS(0) high,RS(10)'),
           f'the CSV: {for_scores}'[:300])


def main():
    module = sys.argv[1]
    pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    path, axe_path = chromium.find(), find_axe()
    if not path or not axe_path:
        print('skipped: ' + ('no Chromium' if not path else 'no axe-core (npm install axe-core; TRUSTSQL_AXE)'))
        sys.exit(77)
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    axe = pathlib.Path(axe_path).read_text(encoding='utf-8')
    db = report_source.connect(module)
    report_source.fill(db)
    with chromium.Chromium(path) as browser:
        plain = report_source.page(db)
        print(f'page of 12 systems: {len(plain.encode())} bytes')
        check_page(browser, axe, 'plain', plain, pictures)
        check_page(browser, axe, 'scripts', report_source.page(db, '{"scripts":true,"by":["id","hardness"]}'), pictures)
        check_sorting(browser, report_source.page(db, '{"scripts":true}'))
        check_download(browser, plain)
        browser.size(1280, 900, False)
        browser.open(plain)
        pdf = browser.pdf()
        print(f'PDF of 12 systems: {len(pdf)} bytes')
        expect(pdf.startswith(b'%PDF') and len(pdf) < MAX_PDF, f'the PDF has {len(pdf)} bytes')
        if pictures:
            (pictures / 'plain.pdf').write_bytes(pdf)
        browser.evaluate('for (const d of document.querySelectorAll("details")) d.open = true')
        pdf = browser.pdf()
        print(f'PDF with all wrong answers open: {len(pdf)} bytes')
        expect(len(pdf) < 3 * MAX_PDF, f'the PDF with all wrong answers has {len(pdf)} bytes')
    sys.exit(1 if failures else 0)


main()
