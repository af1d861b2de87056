const dark = window.matchMedia("(prefers-color-scheme: dark)");

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// Colours stand in the figures as names of CSS variables, so that they follow the theme.
function themed(value) {
  if (typeof value === "string") return value.startsWith("--") ? color(value) : value;
  if (Array.isArray(value)) return value.map(themed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, themed(one)]));
}

// On a narrow page a long name takes two lines.
function ticks(names, narrow) {
  return { tickvals: names, ticktext: names.map((name) => narrow ? name.replace(/ \+ (?!.* \+ )/, " +<br>") : name) };
}

function draw() {
  for (const [id, figure] of Object.entries(figures)) {
    const narrow = document.getElementById(id).clientWidth < 560;
    const { data, layout } = themed(figure);
    const font = { family: getComputedStyle(document.body).fontFamily, size: narrow ? 11 : 13, color: color("--ink") };
    const grid = { gridcolor: color("--line"), zerolinecolor: color("--line"), linecolor: color("--line") };
    if (layout.xaxis) {
      const named = layout.yaxis.type === "category" ? ticks(data[0].y, narrow) : {};
      layout.xaxis = { ...layout.xaxis, ...grid, fixedrange: true };
      layout.yaxis = { ...layout.yaxis, ...grid, ...named, fixedrange: true };
    }
    const paper = { paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)" };
    const hover = { hoverlabel: { bgcolor: color("--stripe"), font: { color: color("--ink") } } };
    Plotly.react(id, data, { ...layout, ...paper, ...hover, font }, { responsive: true, displayModeBar: false });
  }
}

// A heading sorts its table: numbers by their value, all else by its letters; again, the other way round.
function key(cell) {
  const text = cell.textContent.trim();
  const number = Number(text.replace(/[,%\s]/g, "").replace("\u2212", "-"));
  return text !== "" && !Number.isNaN(number) ? number : text;
}

function compare(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one !== typeof other) return typeof one === "number" ? -1 : 1;
  return one.localeCompare(other);
}

function sort(head) {
  const table = head.closest("table");
  const column = [...head.parentNode.children].indexOf(head);
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => compare(key(a.cells[column]), key(b.cells[column])) * (down ? -1 : 1));
  table.tBodies[0].append(...rows);
}

for (const head of document.querySelectorAll("table.sortable thead th")) {
  head.tabIndex = 0;
  head.addEventListener("click", () => sort(head));
  head.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(head); }
  });
}

for (const button of document.querySelectorAll("button[data-download]")) {
  button.addEventListener("click", () => {
    const kind = button.dataset.download;
    const text = kind === "csv" ? found.csv : JSON.stringify(found.json, null, 2);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: kind === "csv" ? "text/csv" : "application/json" }));
    link.download = `${found.name}.${kind}`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

draw();
dark.addEventListener("change", draw);
