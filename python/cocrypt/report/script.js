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

// Names of bars: beside them, on a long line in two, and on a narrow page above them.
function named(layout, data, narrow) {
  const names = layout.meta?.rows ?? data[0].y;
  const shown = shownNames(layout, names);
  if (!narrow) {
    const ticktext = shown.map((name) => name.replace(/ \+ (?!.* \+ )/, (plus) => name.length > 30 ? " +<br>" : plus));
    return { tickvals: names, ticktext };
  }
  layout.annotations = names.map((_, place) => ({
    // A name that is a number would be taken for a place, so places are given.
    x: 0, xref: "paper", xanchor: "left", y: place, yanchor: "bottom", yshift: 7, text: shown[place], showarrow: false,
    font: { color: color("--ink"), size: 11 },
  }));
  layout.bargap = 0.6;
  return { showticklabels: false };
}

function shownNames(layout, names) {
  return layout.meta?.names ?? names;
}

// What the buttons above a chart have chosen, else its first view.
const chosen = {};

function view(id, figure) {
  if (!figure.views) return figure;
  const one = figure.views[chosen[id] ?? Object.keys(figure.views)[0]];
  const data = figure.data.map((trace, place) => ({ ...trace, x: one.x[place] }));
  return { data, layout: { ...figure.layout, xaxis: { ...figure.layout.xaxis, ...one.xaxis } } };
}

function draw() {
  for (const id of Object.keys(figures)) drawn(id);
}

function drawn(id) {
  const place = document.getElementById(id);
  const narrow = place.clientWidth < 560;
  const { data, layout } = themed(view(id, figures[id]));
  const font = { family: getComputedStyle(document.body).fontFamily, size: narrow ? 11 : 13, color: color("--ink") };
  const grid = { gridcolor: color("--line"), zerolinecolor: color("--line"), linecolor: color("--line") };
  if (layout.xaxis && layout.meta !== "flame") {
    const names = layout.yaxis.type === "category" ? named(layout, data, narrow) : {};
    layout.xaxis = { ...layout.xaxis, ...grid, fixedrange: true };
    layout.yaxis = { ...layout.yaxis, ...grid, ...names, fixedrange: true };
    place.dataset.height ??= place.clientHeight;
    place.style.height = `${(layout.annotations ? 1.35 : 1) * place.dataset.height}px`;
  }
  if (narrow && layout.xaxis && layout.meta !== "flame") narrowed(layout, data, place);
  const paper = { paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)" };
  const hover = { hoverlabel: { bgcolor: color("--stripe"), font: { color: color("--ink") } } };
  Plotly.react(id, data, { ...layout, ...paper, ...hover, font }, { responsive: true, displayModeBar: false });
  if (layout.meta === "flame" && !place.dataset.zooms) {
    place.dataset.zooms = "yes";
    place.on("plotly_click", ({ points: [box] }) => {
      const start = box.data.base[box.pointNumber];
      Plotly.relayout(id, { "xaxis.range": [start, start + box.data.x[box.pointNumber]] });
    });
  }
}

// On a narrow page the legend stands above the chart, in two columns where names are short, and
// makes it higher; every other tick of a crowded axis is left out.
function narrowed(layout, data, place) {
  const names = data.filter((trace) => trace.showlegend !== false).map((trace) => trace.name ?? "");
  if (layout.legend && names.length > 1) {
    const half = Math.floor((place.clientWidth - 170) / 2);
    const columns = Math.max(...names.map((name) => name.length)) * 6.5 < half ? 2 : 1;
    layout.legend = { ...layout.legend, orientation: "h", x: 0, xanchor: "left", y: 1.02, yanchor: "bottom" };
    layout.legend.entrywidth = columns === 2 ? half : 2 * half;
    place.style.height = `${parseFloat(place.style.height) + 19 * Math.ceil(names.length / columns)}px`;
  }
  const { tickvals, ticktext } = layout.xaxis;
  if (tickvals?.length > 6) {
    const kept = (_, number) => number % 2 === 0;
    layout.xaxis.tickvals = tickvals.filter(kept);
    layout.xaxis.ticktext = ticktext.filter(kept);
  }
  layout.xaxis.tickangle = 0;
}

for (const button of document.querySelectorAll("button[data-view]")) {
  button.addEventListener("click", () => {
    const group = button.closest(".views");
    for (const other of group.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
    chosen[group.dataset.chart] = button.dataset.view;
    drawn(group.dataset.chart);
  });
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

// On a phone each row is a card, on which each figure has its heading beside it.
for (const table of document.querySelectorAll("table:not(.heat):not(.annotated)")) {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])].map((head) => head.textContent);
  if (heads.length < 3) continue;
  table.classList.add("cards");
  for (const row of table.tBodies[0].rows) {
    [...row.cells].forEach((cell, place) => { cell.dataset.head = heads[place]; });
  }
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

library.then(draw, (error) => {
  for (const place of document.querySelectorAll(".chart")) {
    place.textContent = `This browser cannot unpack what draws the charts: ${error.message}`;
  }
});
dark.addEventListener("change", draw);
