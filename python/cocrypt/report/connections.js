// Pictures of who drives whom: dagre places the elements, this draws them, and moves and scales the view.
const SVG = "http://www.w3.org/2000/svg";
const LINE = 15;
// Pixels above an element for an arrow back to itself, and for the title of a frame.
const LOOP = 20;
const TITLE = 18;
// The smallest scale at which a picture is first shown.
const READABLE = 0.6;
const pen = document.createElement("canvas").getContext("2d");

function wide(lines, font) {
  pen.font = font;
  return Math.max(0, ...lines.map((line) => pen.measureText(line).width));
}

function element(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function lines(texts, x, y, kind) {
  const first = y - ((texts.length - 1) * LINE) / 2;
  const kinds = kind === "strong" ? ["strong", "quiet"] : [kind, kind];
  return texts.map((text, at) => element("text", { x, y: first + at * LINE, class: kinds[Math.min(at, 1)] }, text));
}

function placed(drawn) {
  const graph = new dagre.graphlib.Graph({ compound: true });
  graph.setGraph({ rankdir: "LR", nodesep: 16, edgesep: 8, ranksep: 44, marginx: 12, marginy: 12 });
  drawn.groups.forEach((_, at) => graph.setNode(`g${at}`, {}));
  const loops = new Map(drawn.arrows.filter(({ from, to }) => from === to).map(({ from, label }) => [from, label]));
  drawn.elements.forEach(({ lines, group }, at) => {
    const inner = { width: wide(lines, "600 13px system-ui") + 30, height: lines.length * LINE + 14 };
    const loop = loops.get(at);
    // There is as much room below as above, so that the element is in the middle.
    const above = Math.max(group === null ? 0 : TITLE - 8, loop ? LOOP + loop.length * LINE : 0);
    graph.setNode(`${at}`, { width: inner.width, height: inner.height + 2 * above, inner });
    if (group !== null) graph.setParent(`${at}`, `g${group}`);
  });
  for (const { from, to, label } of drawn.arrows.filter(({ from, to }) => from !== to)) {
    const size = { width: wide(label, "12px system-ui") + 8, height: label.length * LINE, labelpos: "c" };
    graph.setEdge(`${from}`, `${to}`, label.length ? size : {});
  }
  dagre.layout(graph);
  return graph;
}

// The point at which a line from the middle of an element leaves it.
function border({ x, y, inner }, point) {
  const [right, down] = [point.x - x, point.y - y];
  const share = Math.min(inner.width / 2 / Math.abs(right || 1e-9), inner.height / 2 / Math.abs(down || 1e-9), 1);
  return { x: x + right * share, y: y + down * share };
}

// An arrow from an element back to itself, above it, with its label.
function loop({ x, y, inner }, label, ending) {
  const top = y - inner.height / 2;
  const data = `M${x + 12} ${top} C${x + 26} ${top - LOOP * 1.2} ${x - 26} ${top - LOOP * 1.2} ${x - 12} ${top}`;
  const middle = top - LOOP - (label.length * LINE) / 2;
  return [element("path", { d: data, class: "wire", "marker-end": ending }), ...lines(label, x, middle, "label")];
}

// A smooth line through the points that dagre gives.
function curve(points) {
  const middle = (a, b) => `${(a.x + b.x) / 2} ${(a.y + b.y) / 2}`;
  let data = `M${points[0].x} ${points[0].y}`;
  for (let at = 1; at < points.length - 1; at++) {
    const end = at === points.length - 2 ? `${points[at + 1].x} ${points[at + 1].y}` : middle(points[at], points[at + 1]);
    data += ` Q${points[at].x} ${points[at].y} ${end}`;
  }
  if (points.length === 2) data += ` L${points[1].x} ${points[1].y}`;
  return data;
}

function shape(kind, { x, y, inner: { width, height } }) {
  const [left, top] = [x - width / 2, y - height / 2];
  if (kind !== "input" && kind !== "output") {
    const round = kind === "signal" ? height / 2 : kind === "instance" ? 0 : 3;
    return element("rect", { x: left, y: top, width, height, rx: round, class: kind });
  }
  const tip = left + width - 12;
  const data = `M${left} ${top} H${tip} L${left + width} ${y} L${tip} ${top + height} H${left} Z`;
  return element("path", { d: data, class: kind });
}

function picture(drawn, number) {
  const graph = placed(drawn);
  const { width, height } = graph.graph();
  const tip = `connection-tip-${number}`;
  const arrow = element("path", { d: "M0 0 L8 4 L0 8 Z", class: "tip" });
  const marker = element("marker", { id: tip, viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, arrow);
  const svg = element("svg", { role: "img", "aria-label": `connections of ${drawn.name}` }, element("defs", {}, marker));
  drawn.groups.forEach((name, at) => {
    const { x, y, width, height } = graph.node(`g${at}`);
    const top = y - height / 2;
    svg.append(element("rect", { x: x - width / 2, y: top, width, height, rx: 8, class: "frame" }));
    svg.append(element("text", { x, y: top + TITLE / 2 + 2, class: "quiet" }, `sfg ${name}`));
  });
  for (const { from, to, label } of drawn.arrows) {
    const ending = `url(#${tip})`;
    const [source, target] = [graph.node(`${from}`), graph.node(`${to}`)];
    if (from === to) {
      svg.append(...loop(source, label, ending));
      continue;
    }
    const edge = graph.edge(`${from}`, `${to}`);
    const inner = edge.points.slice(1, -1);
    const points = [border(source, inner[0]), ...inner, border(target, inner[inner.length - 1])];
    svg.append(element("path", { d: curve(points), class: "wire", "marker-end": ending }));
    if (label.length) svg.append(...lines(label, edge.x, edge.y, "label"));
  }
  drawn.elements.forEach(({ kind, lines: texts }, at) => {
    const node = graph.node(`${at}`);
    const about = element("title", {}, `${kind} ${texts.join(", ")}`);
    svg.append(element("g", {}, about, shape(kind, node), ...lines(texts, node.x, node.y, "strong")));
  });
  return { svg, width, height };
}

// The part of a picture that is seen, which buttons, Ctrl with the wheel, and dragging change.
function viewed(place, { svg, width, height }) {
  const view = { x: 0, y: 0, scale: 1 };
  const whole = () => Math.min(1, place.clientWidth / width);
  const show = () => {
    const size = [place.clientWidth / view.scale, place.clientHeight / view.scale];
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${size[0]} ${size[1]}`);
  };
  const scaled = (factor, left, top) => {
    const scale = Math.min(4, Math.max(whole() / 2, view.scale * factor));
    view.x += left / view.scale - left / scale;
    view.y += top / view.scale - top / scale;
    view.scale = scale;
    show();
  };
  const fit = (least = 0) => {
    Object.assign(view, { x: 0, y: 0, scale: Math.max(whole(), least) });
    place.style.height = `${Math.min(height * view.scale, 640) + 4}px`;
    show();
  };
  const centre = () => [place.clientWidth / 2, place.clientHeight / 2];
  const actions = { "+": () => scaled(1.4, ...centre()), "−": () => scaled(1 / 1.4, ...centre()), whole: () => fit() };
  const buttons = document.createElement("p");
  buttons.className = "zoom";
  for (const [name, action] of Object.entries(actions)) {
    const button = document.createElement("button");
    button.textContent = name;
    button.title = { "+": "larger", "−": "smaller", whole: "the whole picture" }[name];
    button.addEventListener("click", action);
    buttons.append(button, " ");
  }
  place.before(buttons);
  place.append(svg);
  place.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const corner = place.getBoundingClientRect();
    scaled(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX - corner.left, event.clientY - corner.top);
  }, { passive: false });
  place.addEventListener("pointerdown", (event) => {
    place.setPointerCapture(event.pointerId);
    const moved = (next) => {
      view.x -= next.movementX / view.scale;
      view.y -= next.movementY / view.scale;
      show();
    };
    place.addEventListener("pointermove", moved);
    place.addEventListener("pointerup", () => place.removeEventListener("pointermove", moved), { once: true });
    place.addEventListener("pointercancel", () => place.removeEventListener("pointermove", moved), { once: true });
  });
  const first = () => fit(READABLE);
  addEventListener("resize", first);
  // A picture in a closed part has no size yet.
  place.closest("details")?.addEventListener("toggle", first);
  first();
}

layouts.then(() => {
  document.querySelectorAll(".connections").forEach((place, number) => {
    viewed(place, picture(JSON.parse(place.dataset.drawn), number));
  });
});
