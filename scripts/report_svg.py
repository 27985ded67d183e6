#!/usr/bin/python3
"""Makes docs/report.svg, the picture in README.md, from the report that the demo writes: its first table and its plots.

Usage: report_svg.py build/demo/trustsql-demo.html docs/report.svg
"""

import html
import re
import sys

WIDTH, MARGIN, GAP, PLOT = 920, 24, 40, 416  # of the picture, and of each of its two columns


def unwrapped_style(page: str) -> str:
    """The rules for plots in the page's style sheet, in the light theme, with the values of its variables in place."""
    sheet = page[page.index("<style>") + 7:page.index("</style>")]
    values = dict(re.findall(r"--(\w+):([^;}]+)", sheet[:sheet.index("@media")]))
    rules = re.findall(r"^(?:svg|\.s0|\.d1|\.abstain)[ {].*$", sheet, re.M)
    return re.sub(r"var\(--(\w+)\)", lambda name: values[name.group(1)], "\n".join(rules))


def text_of(fragment: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", fragment)).strip()


def text(x: float, y: float, what: str, style: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" {style}>{html.escape(what, quote=False)}</text>'


def score_table(page: str, top: int) -> tuple[list[str], int]:
    table = page[page.index("<table>"):page.index("</table>")]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in re.findall(r"<tr.*?</tr>", table, re.S)]
    parts, y = [], top
    for i, row in enumerate(rows):
        for k, cell in enumerate(row):
            style = 'style="font-size:12.5px;fill:#1b232d%s%s"' % (";text-anchor:end" if k else "", ";font-weight:600" if not i or "<strong>" in cell else "")
            x = MARGIN if k == 0 else MARGIN + 130 + (WIDTH - 2 * MARGIN - 130) * k / (len(row) - 1)
            parts.append(text(x, y + 13, text_of(re.sub(r"<small>.*?</small>", "", cell)), style))
        y += 22
        parts.append(f'<line x1="{MARGIN}" y1="{y - 3}" x2="{WIDTH - MARGIN}" y2="{y - 3}" style="stroke:{"#1b232d" if i in (0, len(rows) - 1) else "#e4e8ec"}"/>')
    return parts, y


def picture(page: str) -> str:
    parts = [text(MARGIN, 42, text_of(page[page.index("<h1>"):page.index("</h1>")]), 'style="font-size:21px;font-weight:700;fill:#1b232d"'),
             text(MARGIN, 64, text_of(page[page.index('<p class="lede">'):page.index("</header>")]), 'style="font-size:13px;fill:#58636f"')]
    table, y = score_table(page, 78)
    parts += table
    figures = re.findall(r"<figure>\s*(<svg.*?<title[^>]*>(.*?)</title>.*?</svg>)", page, re.S)
    for left, right in zip(figures[::2], figures[1::2]):
        y += 30
        bottom = y
        for column, (svg, caption) in enumerate((left, right)):
            x = MARGIN + column * (PLOT + GAP)
            width, height = (float(n) for n in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
            high = PLOT * height / width
            parts.append(text(x, y, text_of(caption), 'style="font-size:13px;font-weight:600;fill:#1b232d"'))
            parts.append(svg.replace("<svg ", f'<svg x="{x}" y="{y + 10}" width="{PLOT}" height="{high:.1f}" ', 1))
            bottom = max(bottom, y + 10 + high)
        y = round(bottom)
    y += MARGIN
    style = "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}\n" + unwrapped_style(page).replace(";font-family:inherit", "")
    style = re.sub(r"^svg\{.*\}$", "svg svg{overflow:visible}", style, flags=re.M)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" role="img">\n<style>\n{style}\n</style>\n'
            f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{y - 1}" rx="8" style="fill:#fff;stroke:#d5dbe1"/>\n' + "\n".join(parts) + "\n</svg>\n")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        made = picture(file.read())
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(made)
