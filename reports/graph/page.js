"use strict";
// Shows the graph that stands in the page as JSON. Rows and boxes are made when they are to be seen: there may be a
// hundred thousand tasks.
const data = JSON.parse(document.getElementById("data").textContent);
const act = data.activities, count = act.kind.length;
const rows_at_once = 100, boxes_at_once = 60, path_rows = 60;

// What follows from the activities: children, times and numbers with all that is inside.
const children = Array.from({length: count}, () => []), total = act.time.slice(), inner = new Array(count).fill(0);
const roots = [];
for (let i = 0; i < count; ++i) (act.parent[i] < 0 ? roots : children[act.parent[i]]).push(i);
for (let i = count - 1; i >= 0; --i) {
  const parent = act.parent[i];
  if (parent < 0) continue;
  total[parent] += total[i];
  inner[parent] += inner[i] + (is_task(i) ? 1 : 0);
}
const critical = new Set(data.regions.flatMap(region => region.path.map(step => step[0])));
const found = new Map(); // activity: its findings
for (const finding of data.findings)
  for (const i of finding.activities) found.set(i, (found.get(i) || new Set()).add(finding));
const edges_from = new Map(), edges_to = new Map(), waits_of = new Map();
const push = (map, key, value) => { map.has(key) ? map.get(key).push(value) : map.set(key, [value]); };
for (const edge of data.edges) { push(edges_from, edge[0], edge); push(edges_to, edge[1], edge); }
for (const wait of data.waits) push(waits_of, wait[0], wait);
const region_of = new Map(data.regions.map(region => [region.activity, region]));

function is_task(i) { return act.kind[i] === "task" || act.kind[i] === "target"; }
function time_text(ns) {
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]])
    if (ns >= size) return (ns / size).toPrecision(3) + " " + unit;
  return ns + " ns";
}
const many = (n, noun) => n + " " + noun + (n === 1 ? "" : "s");
const place_name = p => p < 0 ? "an unknown place" : data.places[p].name;
const at_place = p => p < 0 ? "" : " at " + place_name(p);
const place_text = p => p < 0 ? "" : data.places[p].text;
const sum = (list, of) => list.reduce((all, i) => all + of[i], 0);
function name_of(i) {
  switch (act.kind[i]) {
  case "serial": return "serial part";
  case "region": return "parallel region at " + place_name(act.place[i]);
  case "implicit": return "thread " + act.number[i] + " of the region";
  case "target": return "target task at " + place_name(act.place[i]);
  default: return "task at " + place_name(act.place[i]);
  }
}
function name_of_all(list) {
  if (list.length === 1) return name_of(list[0]);
  const at = " at " + place_name(act.place[list[0]]);
  switch (act.kind[list[0]]) {
  case "region": return list.length + " times the parallel region" + at;
  case "implicit": return list.length + " threads of the region";
  case "serial": return list.length + " threads outside of regions";
  case "target": return list.length + " target tasks" + at;
  default: return list.length + " tasks" + at;
  }
}
/// Lists of siblings of one kind and line, in the order of their first ones.
function folded(list) {
  const groups = new Map();
  for (const i of list) push(groups, act.kind[i] + act.place[i], i);
  return [...groups.values()];
}

function element(name, attributes, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {}))
    key === "onclick" ? made.addEventListener("click", value) : made.setAttribute(key, value);
  made.append(...content.filter(part => part !== null && part !== ""));
  return made;
}
const cell = (text, kind) => element("td", kind ? {class: kind} : {}, text);
const tag = (text, kind) => element("span", {class: "tag " + (kind || "")}, text);
const link = (text, go) => element("button", {class: "link", type: "button", onclick: go}, text);
const link_to = i => link(name_of(i), () => reveal(i));

// The regions, those of one line together.
function show_regions() {
  const head = element("tr", {}, element("th", {}, "region"), ...["runs", "tasks", "work", "span", "parallelism"]
    .map(text => element("th", {class: "number"}, text)));
  const body = element("tbody");
  for (const group of folded(data.regions.map(region => region.activity))) {
    const parts = group.map(i => region_of.get(i));
    const work = parts.reduce((all, r) => all + r.work, 0), span = parts.reduce((all, r) => all + r.span, 0);
    const longest = parts.reduce((a, b) => (b.work > a.work ? b : a));
    body.append(element("tr", {}, element("td", {}, link(place_name(act.place[group[0]]), () => reveal(longest.activity)),
      " ", element("code", {class: "dim"}, place_text(act.place[group[0]]))),
      cell(String(group.length), "number"), cell(String(sum(group, inner)), "number"), cell(time_text(work), "number"),
      cell(time_text(span), "number"), cell(span === 0 ? "" : (work / span).toFixed(2), "number")));
  }
  const box = document.getElementById("regions");
  box.append(element("h2", {}, "Parallel regions"));
  if (data.regions.length === 0) box.append(element("p", {}, "No parallel region was run."));
  else box.append(element("table", {}, element("thead", {}, head), body), element("p", {class: "dim"},
    "Work: the time of all strands. Span: the time of the longest chain of strands that come one after the other; no " +
    "number of threads is faster. Parallelism: work divided by span, the threads that the region can keep busy."));
}
function show_findings() {
  if (data.findings.length === 0) return;
  const list = element("ul");
  for (const finding of data.findings.slice(0, rows_at_once)) {
    const item = element("li", {}, element("code", {}, finding.place), ": " + finding.message, tag(finding.rule, finding.severity));
    if (finding.places > 1) item.append(" and " + many(finding.places - 1, "more place") + " of the same cause");
    for (const i of finding.activities.slice(0, 2)) item.append(" ", link_to(i));
    list.append(item);
  }
  if (data.findings.length > rows_at_once) list.append(element("li", {}, many(data.findings.length - rows_at_once, "more finding")));
  document.getElementById("findings").append(element("details", {open: "open"},
    element("summary", {}, many(data.findings.length, "finding")), list));
}

// The tree: rows of activities and of groups. A row is {list, level, open, shown}; what it contains, rows of groups.
const tree = document.getElementById("tree");
let top_rows = folded(roots).map(list => new_row(list, 1)), visible = [], selected = null;
function new_row(list, level, above) { return {list, level, above, open: false, from: 0, to: rows_at_once, below: null}; }
function below(row) {
  if (row.below === null)
    row.below = row.list.length > 1 ? row.list.map(i => new_row([i], row.level + 1, row))
                                    : folded(children[row.list[0]]).map(list => new_row(list, row.level + 1, row));
  return row.below;
}
const opens = row => row.list.length > 1 || children[row.list[0]].length > 0;
function flatten() {
  visible = [];
  const add = rows => {
    for (const row of rows) {
      visible.push(row);
      if (!row.open) continue;
      const all = below(row);
      if (row.from > 0) visible.push({more: row, earlier: true, level: row.level + 1, list: [], above: row});
      add(all.slice(row.from, row.to));
      if (all.length > row.to) visible.push({more: row, earlier: false, level: row.level + 1, list: [], above: row});
    }
  };
  add(top_rows);
}
function draw_tree() {
  flatten();
  tree.replaceChildren(...visible.map(row => {
    const line = element("tr", {role: "row", "aria-level": row.level, tabindex: row === selected ? 0 : -1,
      "aria-selected": row === selected});
    row.line = line;
    const indent = "padding-left:" + (row.level - 1) * 0.9 + "rem";
    if (row.more) {
      line.append(element("td", {role: "gridcell", style: indent, colspan: 4}, element("span", {class: "toggle"}, "…"),
        row.earlier ? many(row.more.from, "earlier row") : many(below(row.more).length - row.more.to, "more row")));
      return line;
    }
    if (opens(row)) line.setAttribute("aria-expanded", row.open);
    const what = element("td", {role: "gridcell", style: indent},
      element("span", {class: "toggle", "aria-hidden": "true"}, opens(row) ? (row.open ? "▾" : "▸") : ""), name_of_all(row.list));
    if (row.list.some(i => critical.has(i))) what.append(tag("critical path", "critical"));
    const findings = new Set(row.list.flatMap(i => [...(found.get(i) || [])]));
    if (findings.size > 0) what.append(tag(many(findings.size, "finding"), "error"));
    line.append(what, cell(String(row.list.filter(is_task).length + sum(row.list, inner)), "number"),
      cell(time_text(sum(row.list, act.time)), "number"), cell(time_text(sum(row.list, total)), "number"));
    return line;
  }));
}
function choose(row, focus) {
  selected = row;
  for (const other of visible) {
    other.line.setAttribute("aria-selected", other === row);
    other.line.tabIndex = other === row ? 0 : -1;
  }
  if (focus) row.line.focus();
  row.line.scrollIntoView({block: "nearest"});
  if (!row.more) show_detail(row);
}
function set_open(row, open) {
  if (row.more && row.earlier) row.more.from = Math.max(0, row.more.from - 5 * rows_at_once);
  else if (row.more) row.more.to += 5 * rows_at_once;
  else if (!opens(row)) return;
  else row.open = open;
  draw_tree();
  choose(row.more ? row.more : row, true);
}
const row_of = target => visible.find(row => row.line === target.closest("tr"));
tree.addEventListener("click", event => {
  const row = row_of(event.target);
  if (row.more || event.target.className === "toggle") set_open(row, !row.open);
  else choose(row, true);
});
tree.addEventListener("dblclick", event => { const row = row_of(event.target); if (row) set_open(row, !row.open); });
tree.addEventListener("keydown", event => {
  const at = visible.indexOf(selected), row = visible[at];
  const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: visible.length - 1}[event.key];
  if (to !== undefined) { if (visible[to]) choose(visible[to], true); }
  else if (event.key === "Enter" || event.key === " ") set_open(row, !row.open);
  else if (event.key === "ArrowRight") row.open ? choose(visible[at + 1] || row, true) : set_open(row, true);
  else if (event.key === "ArrowLeft") { if (row.open) set_open(row, false); else if (row.above) choose(row.above, true); }
  else return;
  event.preventDefault();
});
function bring_into_sight(row, inner) {
  const place = below(row).indexOf(inner);
  if (place >= row.from && place < row.to) return;
  row.from = Math.max(0, place - rows_at_once / 2);
  row.to = row.from + rows_at_once;
}
/// Opens what the activity is in, and goes there.
function reveal(i) {
  const way = [];
  for (let at = i; at >= 0; at = act.parent[at]) way.unshift(at);
  let rows = top_rows, row = null;
  for (const step of way) {
    if (row) row.open = true;
    const above = row;
    row = rows.find(one => one.list.includes(step));
    if (above) bring_into_sight(above, row);
    if (row.list.length > 1) {
      row.open = true;
      const group = row;
      row = below(group)[group.list.indexOf(step)];
      bring_into_sight(group, row);
    }
    rows = below(row);
  }
  draw_tree();
  choose(row, true);
}

// The right half: what the chosen row is, waits for and contains.
function show_detail(row) {
  const box = document.getElementById("detail");
  box.replaceChildren(element("h2", {}, name_of_all(row.list)));
  const source = place_text(act.place[row.list[0]]);
  if (source !== "") box.append(element("pre", {}, source));
  if (row.list.length === 1) detail_of_one(box, row.list[0]);
  else detail_of_many(box, row.list);
}
function bullet_list(items) { return element("ul", {}, ...items.map(parts => element("li", {}, ...parts))); }
function some(list, make) {
  const items = list.slice(0, 12).map(make);
  if (list.length > 12) items.push([many(list.length - 12, "more")]);
  return items;
}
function wait_words(wait) {
  const parts = [wait[1] === "dependence" ? "taskwait depend" : wait[1], at_place(wait[2]) + ": waited " +
    time_text(wait[3]) + ", for " + many(wait[4], "task")];
  if (wait[5] >= 0) parts.push("; the last one was ", link_to(wait[5]));
  return parts;
}
function detail_of_one(box, i) {
  const facts = [];
  if (act.parent[i] >= 0) facts.push(["created by ", link_to(act.parent[i])]);
  if (act.end[i] > act.begin[i]) facts.push(["from " + time_text(act.begin[i]) + " to " + time_text(act.end[i]) + " of the run"]);
  facts.push(["own time " + time_text(act.time[i]) + (inner[i] > 0 ? ", with " + many(inner[i], "inner task") + " " + time_text(total[i]) : "")]);
  if (critical.has(i)) facts.push(["lies on the critical path of its region"]);
  for (const finding of found.get(i) || []) facts.push([element("span", {class: finding.severity}, finding.place + ": " + finding.message)]);
  box.append(bullet_list(facts));
  const lists = [["Comes after", edges_to.get(i), edge => [edge[2] + ": ", link_to(edge[0])]],
    ["Comes before", edges_from.get(i), edge => [edge[2] + ": ", link_to(edge[1])]],
    ["Waits", waits_of.get(i), wait_words]];
  for (const [title, list, make] of lists)
    if (list) box.append(element("h3", {}, title), bullet_list(some(list, make)));
  const region = region_of.get(i);
  if (region) {
    const parallelism = region.span === 0 ? "" : ", parallelism " + (region.work / region.span).toFixed(2);
    box.append(element("p", {}, "work " + time_text(region.work) + ", span " + time_text(region.span) + parallelism));
  }
  if (children[i].length > 0) picture(box, i);
  if (region) show_path(box, region);
}
function detail_of_many(box, list) {
  const sorted = list.slice().sort((a, b) => act.time[a] - act.time[b]), last = sorted[sorted.length - 1];
  box.append(bullet_list([["own time " + time_text(sum(list, act.time)) + ": shortest " + time_text(act.time[sorted[0]]) +
    ", median " + time_text(act.time[sorted[sorted.length >> 1]]) + ", longest " + time_text(act.time[last]) + " (", link_to(last), ")"],
    ...(act.parent[list[0]] >= 0 ? [["created by ", link_to(act.parent[list[0]])]] : [])]));
  const groups = new Map();
  for (const i of list)
    for (const edge of edges_to.get(i) || []) {
      const key = edge[2] + " on tasks at " + place_name(act.place[edge[0]]);
      groups.set(key, (groups.get(key) || 0) + 1);
    }
  if (groups.size > 0) box.append(element("h3", {}, "Come after"),
    bullet_list(some([...groups], ([words, n]) => [words + ": " + many(n, "edge")])));
  const marked = list.filter(i => found.has(i));
  if (marked.length > 0) box.append(element("h3", {}, "With findings"), bullet_list(some(marked, i => [link_to(i)])));
  const on_path = list.filter(i => critical.has(i));
  if (on_path.length > 0) box.append(element("h3", {}, "On the critical path"), bullet_list(some(on_path, i => [link_to(i)])));
}
function show_path(box, region) {
  const body = element("tbody"), steps = [];
  for (const step of region.path) {
    const before = steps[steps.length - 1];
    if (before && act.place[before.list[0]] === act.place[step[0]] && act.kind[before.list[0]] === act.kind[step[0]]) {
      before.list.push(step[0]);
      before.time += step[1];
    } else steps.push({list: [step[0]], time: step[1], reason: step[2]});
  }
  for (const step of steps.slice(0, path_rows)) {
    const width = region.span === 0 ? 0 : 100 * step.time / region.span;
    body.append(element("tr", {}, cell(step.reason), element("td", {}, step.list.length > 1 ? name_of_all(step.list) + " " : "",
      step.list.length > 1 ? link("first", () => reveal(step.list[0])) : link_to(step.list[0])), cell(time_text(step.time), "number"),
      element("td", {style: "width:7rem"}, element("span", {class: "bar", style: "width:" + width + "%"}))));
  }
  if (steps.length > path_rows) body.append(element("tr", {}, cell(""), cell(many(steps.length - path_rows, "more step"))));
  box.append(element("h3", {}, "Critical path"), element("table", {}, element("thead", {}, element("tr", {},
    element("th", {}, "reached by"), element("th", {}, "step"), element("th", {class: "number"}, "time"), element("th", {}, "share"))), body));
}

// The picture of what a task or a region creates: phases between its waits, in each the tasks by their order.
const unfolded = new Set();
/// {list: tasks, wait: what ends the phase or null}. A region's tasks are those of its threads: between its barriers, or
/// where one thread creates all, between that one's waits.
function phases_of(i) {
  const owners = act.kind[i] === "region" ? children[i].filter(c => children[c].length > 0) : [i];
  const phases = [];
  for (const owner of owners) {
    const waits = (waits_of.get(owner) || []).filter(wait => owners.length === 1 || wait[1] === "barrier");
    let at = 0;
    const phase = n => phases[n] || (phases[n] = {list: [], wait: null});
    for (const child of children[owner]) {
      while (at < waits.length && waits[at][6] <= child) ++at;
      phase(at).list.push(child);
    }
    waits.forEach((wait, n) => { if (!phase(n).wait || wait[3] > phase(n).wait[3]) phase(n).wait = wait; });
  }
  return Array.from(phases, phase => phase || {list: [], wait: null}).filter(phase => phase.list.length > 0);
}
function boxes_of(list) {
  return folded(list).flatMap(group => group.length <= boxes_at_once && unfolded.has(group[0]) ? group.map(i => [i]) : [group])
    .map(group => ({list: group, column: 0}));
}
/// Columns by the longest chain of edges; edges back, between folded groups, are only drawn.
function put_in_columns(boxes, links) {
  for (let round = 0; round < Math.min(boxes.length, 40); ++round) {
    let moved = false;
    for (const {from, to} of links)
      if (from !== to && boxes.indexOf(from) < boxes.indexOf(to) && to.column <= from.column) {
        to.column = from.column + 1;
        moved = true;
      }
    if (!moved) return;
  }
}
const svg_namespace = "http://www.w3.org/2000/svg";
function svg(name, attributes, ...content) {
  const made = document.createElementNS(svg_namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}
function shortened(text, letters) { return text.length > letters ? "…" + text.slice(text.length - letters + 1) : text; }
const room_below = 44, box_width = 190, box_height = 46, gap_x = 90, gap_y = 14, margin = 12, most_phases = 30;
function picture(box, i) {
  const phases = phases_of(i), holder = element("div", {class: "picture"});
  if (phases.length === 0) return;
  const root = svg("svg", {role: "group", "aria-label": "Tasks that " + name_of(i) + " creates, in order"});
  root.append(svg("defs", {}, svg("marker", {id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7,
    orient: "auto"}, svg("path", {d: "M0 0 L8 4 L0 8 Z"}))));
  const place_of = new Map(), all = []; // activity: its box
  let y = margin, width = 420;
  for (const phase of phases.slice(0, most_phases)) {
    const boxes = boxes_of(phase.list), of = new Map();
    for (const one of boxes) for (const task of one.list) { of.set(task, one); place_of.set(task, one); }
    const links = [];
    for (const one of boxes) for (const task of one.list) for (const edge of edges_from.get(task) || [])
      if (of.has(edge[1])) links.push({from: one, to: of.get(edge[1])});
    put_in_columns(boxes, links);
    const height_of = [];
    for (const one of boxes) {
      height_of[one.column] = (height_of[one.column] || 0) + 1;
      one.x = margin + one.column * (box_width + gap_x);
      one.y = y + (height_of[one.column] - 1) * (box_height + gap_y);
      width = Math.max(width, one.x + box_width + gap_x + 20);
    }
    y += Math.max(...height_of.filter(n => n)) * (box_height + gap_y);
    for (const one of boxes) one.below = y; // where edges back have their way
    if (links.some(({from, to}) => goes_back(from, to))) y += room_below;
    all.push(...boxes);
    if (phase.wait) {
      phase.y = y + 6;
      y += 44;
    }
  }
  const arrows = new Map();
  for (const [task, from] of place_of) for (const edge of edges_from.get(task) || []) {
    const to = place_of.get(edge[1]);
    if (!to) continue;
    const key = all.indexOf(from) + " " + all.indexOf(to) + " " + edge[2];
    const known = arrows.get(key) || {from, to, why: edge[2], n: 0};
    ++known.n;
    arrows.set(key, known);
  }
  [...arrows.values()].filter(({from, to}) => goes_back(from, to)).forEach((arrow, n) => { arrow.lane = n % 3; });
  const drawn = [...arrows.values()].map(arrow_between);
  root.append(...drawn.map(one => one[0]), ...drawn.flatMap(one => one.slice(1))); // labels on top
  for (const phase of phases) if (phase.y) {
    const title = (phase.wait[1] === "dependence" ? "taskwait depend" : phase.wait[1]) + at_place(phase.wait[2]) +
      ": waited " + time_text(phase.wait[3]) + (phase.wait[5] >= 0 ? ", longest for " + name_of(phase.wait[5]) : "");
    root.append(svg("g", {class: "wait"}, svg("line", {x1: margin, x2: width - margin, y1: phase.y, y2: phase.y}),
      svg("text", {x: margin, y: phase.y + 16, class: "small"}, title)));
  }
  for (const one of all) root.append(box_for(one, i));
  if (phases.length > most_phases) {
    root.append(svg("text", {x: margin, y: y + 16, class: "small"}, many(phases.length - most_phases, "more phase")));
    y += 24;
  }
  root.setAttribute("width", width);
  root.setAttribute("height", y + margin);
  holder.append(root);
  box.append(element("h3", {}, "What it creates"), holder,
    element("p", {class: "dim"}, "A dashed box stands for several tasks of one line; choose it to open it. Arrows: what comes before what, and why. Red: the critical path."));
}
/// To a box of the same phase that is to the left, or above.
function goes_back(from, to) {
  return from !== to && from.below === to.below && (to.x < from.x || (to.x === from.x && to.y < from.y));
}
function arrow_between({from, to, why, n, lane}) {
  const words = (n > 1 ? n + " " : "") + (why === "dependence" ? "depend" : why);
  let path, x, y;
  if (from === to) {
    x = from.x + box_width; y = from.y + box_height / 2;
    path = `M${x} ${y - 10} C${x + 34} ${y - 16} ${x + 34} ${y + 16} ${x} ${y + 10}`;
    x += 6; y -= 14;
  } else if (goes_back(from, to)) {
    const x1 = from.x + 0.6 * box_width, y1 = from.y + box_height, x2 = to.x + 0.4 * box_width, y2 = to.y + box_height;
    const low = from.below + 12 + 18 * lane; // a curve goes down to three quarters of its way there
    path = `M${x1} ${y1} C${x1} ${low} ${x2} ${low} ${x2} ${y2}`;
    x = (x1 + x2) / 2 - 20; y = (y1 + 6 * low + y2) / 8 + 12;
  } else {
    const back = to.x <= from.x, x1 = back ? from.x + box_width / 2 : from.x + box_width, y1 = back ? from.y + box_height : from.y + box_height / 2;
    const x2 = back ? to.x + box_width / 2 : to.x, y2 = back ? to.y : to.y + box_height / 2;
    path = back ? `M${x1} ${y1} L${x2} ${y2}` : `M${x1} ${y1} C${x1 + gap_x / 2} ${y1} ${x2 - gap_x / 2} ${y2} ${x2} ${y2}`;
    x = back ? (x1 + x2) / 2 : x1 + 8; y = (y1 + y2) / 2 - 4;
  }
  const on_path = from.list.some(i => critical.has(i)) && to.list.some(i => critical.has(i));
  const line = svg("path", {d: path, class: on_path ? "critical" : "", "marker-end": "url(#arrow)"}, svg("title", {}, words));
  return n > 1 || from === to ? [line, svg("text", {x, y, class: "small"}, words)] : [line];
}
function box_for(one, of) {
  const several = one.list.length > 1, first = one.list[0];
  const findings = new Set(one.list.flatMap(i => [...(found.get(i) || [])])).size;
  const kinds = ["box", several ? "folded" : "", one.list.some(i => critical.has(i)) ? "critical" : "", findings ? "found" : ""].join(" ");
  const label = (several ? one.list.length + " × " : "") + shortened(place_name(act.place[first]), several ? 20 : 27);
  const more = sum(one.list, inner), under = time_text(sum(one.list, act.time)) + (more > 0 ? ", " + many(more, "inner task") : "") +
    (findings > 0 ? ", " + many(findings, "finding") : "");
  const shape = svg("g", {class: kinds, tabindex: 0, role: "button", "aria-label": name_of_all(one.list) + ", " + under},
    svg("title", {}, name_of_all(one.list) + "\n" + place_text(act.place[first])),
    svg("rect", {x: one.x, y: one.y, width: box_width, height: box_height, rx: 6}),
    svg("text", {x: one.x + 8, y: one.y + 19}, label), svg("text", {x: one.x + 8, y: one.y + 36, class: "small"}, shortened(under, 32)));
  const go = () => {
    if (several && boxes_at_once >= one.list.length) {
      unfolded.add(first);
      show_detail({list: [of]});
    } else if (several) {
      reveal(first);
      choose(selected.above, true);
    } else reveal(first);
  };
  shape.addEventListener("click", go);
  shape.addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); go(); } });
  return shape;
}

document.body.className = "graph";
show_regions();
show_findings();
if (top_rows.length > 0) {
  top_rows[0].open = true;
  draw_tree();
  const largest = data.regions.reduce((a, b) => (a === null || b.work > a.work ? b : a), null);
  if (largest !== null) reveal(largest.activity);
  else choose(top_rows[0], false);
  window.scrollTo(0, 0);
}
