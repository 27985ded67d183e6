#include "score/report/html_script.hpp"

namespace trustsql {

std::string_view html_script() {
  return R"js(
"use strict";
for (const table of document.querySelectorAll(".scroll>table")) {
  const heads = [...table.tHead.rows[0].cells];
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    const data = cell.querySelector("data");
    if (data) return Number(data.value);
    const text = cell.textContent.trim();
    return text === "\u2013" ? null : text;
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? b - a : String(a).localeCompare(String(b), "en", {numeric: true});
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const sign = head.dataset.sorted === "1" ? -1 : 1;
      const numbers = table.tBodies[0].querySelector(`td:nth-child(${column + 1}) data`) !== null;
      for (const other of heads) {
        other.removeAttribute("aria-sort");
        delete other.dataset.sorted;
      }
      head.dataset.sorted = String(sign);
      head.setAttribute("aria-sort", (sign === 1) === numbers ? "descending" : "ascending");
      for (const body of table.tBodies) {
        const rows = [...body.rows].filter((row) => row.cells.length === heads.length);
        const keys = new Map(rows.map((row) => [row, keyOf(row, column)]));
        rows.sort((a, b) => {
          const x = keys.get(a), y = keys.get(b);
          if (x === null || y === null) return (x === null) - (y === null);
          return sign * compare(x, y);
        });
        body.append(...rows);
      }
    });
  });
}
)js";
}

std::string_view html_script_source() { return "'sha256-KZRzeLABjc8zyIfSNRUz2H9u/vVKVU7zpDUy6HkFRMM='"; }

}  // namespace trustsql
