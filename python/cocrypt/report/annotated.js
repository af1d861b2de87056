"use strict";
// A line and its instructions are shown together, wherever one of them is pointed at.
function link(row) {
  for (const other of document.querySelectorAll("tr.linked")) other.classList.remove("linked");
  if (!row) return;
  const same = document.querySelectorAll(`tr[data-line="${row.dataset.line}"]`);
  for (const other of same) other.classList.add("linked");
  const table = row.closest("table");
  const beyond = [...same].find((other) => other.closest("section") !== table.closest("section"));
  if (beyond) beyond.scrollIntoView({ block: "nearest" });
}

for (const row of document.querySelectorAll("tr[data-line]")) {
  row.addEventListener("mouseenter", () => link(row));
  row.addEventListener("focus", () => link(row));
}
