"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const unit = data.application.time_unit === "tick" ? "ticks" : data.application.time_unit;
const byId = id => document.getElementById(id);
const COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#7F7F7F"];
const WIDTH = 8; // numbers of a block: row, from, to, busy, count, module, why, other
const dark = matchMedia("(prefers-color-scheme: dark)");
let at = data.points.length - 1, frame = Math.max(0, data.frames.findIndex(f => f.elapsed != null));

// Texts of the user's go in as text alone.
function make(tag, text, attributes) {
    const element = document.createElement(tag);
    if (text != null) element.textContent = text;
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    return element;
}
const number = (x, digits = 6) => x == null ? "–" : String(+x.toPrecision(digits));
const time = x => number(x) + " " + unit;
const plural = (count, noun) => count + " " + noun + (count === 1 ? "" : "s");
const nameOf = module => module < 0 ? "a data block" : data.names[module] ?? "module " + module;
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const cut = (text, most) => text.length > most ? text.slice(0, most - 1) + "…" : text;

// ---- Parts, and what can be saved ----

const nav = document.querySelector("nav");
for (const section of document.querySelectorAll("main > section")) {
    nav.append(make("a", section.querySelector("h2").textContent, {href: "#" + section.id}));
}
for (const details of document.querySelectorAll("details[data-csv]")) {
    const save = make("button", "Save " + details.dataset.csv, {type: "button"});
    save.addEventListener("click", () => {
        const link = make("a", null, {download: details.dataset.csv});
        link.href = URL.createObjectURL(new Blob([details.querySelector("pre").textContent], {type: "text/csv"}));
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    details.querySelector("p").append(" ", save);
}

// ---- The Gantt picture ----

const kinds = [...new Set(data.kinds.filter(kind => kind != null))];
const colourOf = module => COLOURS[kinds.length === 0 || data.kinds[module] == null
    ? 0 : kinds.indexOf(data.kinds[module]) % COLOURS.length];
const gantt = {from: 0, to: 1, row: 20, left: 56, top: 4, bottom: 24, chosen: -1};

function ganttSetUp() {
    const host = byId("gantt");
    if (host == null) return;
    gantt.box = make("div", null, {class: "gantt"});
    gantt.canvas = make("canvas", null, {tabindex: 0, role: "img",
        "aria-label": "The run: arrow keys go from module to module, + and - zoom, 0 shows all"});
    gantt.said = make("p", null, {class: "said", "aria-live": "polite"});
    const tools = make("div", null, {class: "tools"});
    const button = (text, label, act) => {
        const made = make("button", text, {type: "button", "aria-label": label, title: label});
        made.addEventListener("click", act);
        tools.append(made);
    };
    button("+", "Zoom in", () => zoom(0.5));
    button("−", "Zoom out", () => zoom(2));
    button("←", "Earlier", () => pan(-0.25));
    button("→", "Later", () => pan(0.25));
    button("All", "The whole run", () => zoom(Infinity));
    (kinds.length > 0 ? kinds.slice(0, 12) : ["a module"]).forEach((kind, i) => {
        const key = make("span", null, {class: "key"});
        const sample = make("i");
        sample.style.background = COLOURS[i % COLOURS.length];
        key.append(sample, cut(kind, 24));
        tools.append(key);
    });
    gantt.box.append(gantt.canvas);
    host.append(tools, gantt.box, gantt.said);
    gantt.canvas.addEventListener("pointermove", ganttMove);
    gantt.canvas.addEventListener("pointerdown", event => {
        gantt.drag = {x: event.offsetX, from: gantt.from, to: gantt.to};
        gantt.canvas.setPointerCapture(event.pointerId);
    });
    gantt.canvas.addEventListener("pointerup", event => {
        const still = gantt.drag && Math.abs(event.offsetX - gantt.drag.x) < 3;
        gantt.drag = null;
        if (still) ganttChoose(ganttFind(event.offsetX, event.offsetY));
    });
    gantt.canvas.addEventListener("wheel", event => {
        if (!event.ctrlKey && !event.shiftKey) return; // the page scrolls
        event.preventDefault();
        zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event.offsetX));
    }, {passive: false});
    gantt.canvas.addEventListener("keydown", ganttKey);
    new ResizeObserver(ganttDraw).observe(gantt.box);
    dark.addEventListener("change", ganttDraw);
}

const run = () => data.points[at].gantt;
const inner = () => gantt.canvas.clientWidth - gantt.left - 10;
const timeAt = x => gantt.from + (x - gantt.left) / inner() * (gantt.to - gantt.from);
const placeAt = t => gantt.left + (t - gantt.from) / (gantt.to - gantt.from) * inner();

function setWindow(from, to) {
    const end = run().end || 1;
    const length = Math.min(Math.max(to - from, end * 1e-6), end);
    gantt.from = Math.min(Math.max(from, 0), end - length);
    gantt.to = gantt.from + length;
    ganttDraw();
}
function zoom(factor, about = (gantt.from + gantt.to) / 2) {
    if (run() == null) return;
    if (factor === Infinity) setWindow(0, run().end);
    else setWindow(about - (about - gantt.from) * factor, about + (gantt.to - about) * factor);
}
const pan = share => run() && setWindow(gantt.from + share * (gantt.to - gantt.from), gantt.to + share * (gantt.to - gantt.from));

function ganttDraw() {
    const of = run();
    if (gantt.canvas == null || gantt.box.clientWidth === 0) return;
    const rows = of ? of.processors.length : 1, ratio = devicePixelRatio || 1;
    gantt.row = rows <= 30 ? 26 : rows <= 100 ? 16 : 6;
    const width = gantt.box.clientWidth, height = rows * gantt.row + gantt.top + gantt.bottom;
    gantt.canvas.style.height = height + "px";
    gantt.canvas.width = width * ratio;
    gantt.canvas.height = height * ratio;
    const pen = gantt.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = css("--ink");
    if (of == null) {
        pen.fillText("This point was not simulated.", gantt.left, 18);
        return;
    }
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    const stride = Math.ceil(13 / gantt.row);
    for (let row = 0; row < rows; row += stride) {
        pen.fillText(of.processors[row], gantt.left - 8, gantt.top + (row + 0.5) * gantt.row);
    }
    ganttAxis(pen, height);
    pen.save();
    pen.beginPath();
    pen.rect(gantt.left, 0, inner(), height);
    pen.clip();
    pen.textAlign = "left";
    const bar = Math.max(gantt.row - 4, 3), b = of.blocks;
    for (let i = 0; i < b.length; i += WIDTH) {
        if (b[i + 2] < gantt.from || b[i + 1] > gantt.to) continue;
        const x = placeAt(b[i + 1]), w = Math.max(placeAt(b[i + 2]) - x, 0.5), y = gantt.top + b[i] * gantt.row + 2;
        const several = b[i + 4] > 1;
        pen.globalAlpha = several && b[i + 2] > b[i + 1] ? 0.25 + 0.75 * b[i + 3] / (b[i + 2] - b[i + 1]) : 1;
        pen.fillStyle = several ? COLOURS[0] : colourOf(b[i + 5]);
        pen.fillRect(x, y, w > 3 ? w - 1 : w, bar);
        pen.globalAlpha = 1;
        if (i === gantt.chosen) {
            pen.strokeStyle = css("--mark");
            pen.lineWidth = 3;
            pen.strokeRect(x, y, Math.max(w - 1, 2), bar);
        }
        if (w > 24 && bar >= 12) {
            const text = several ? b[i + 4] + " modules" : nameOf(b[i + 5]);
            const light = !several && ["#E69F00", "#56B4E9", "#F0E442"].includes(colourOf(b[i + 5]));
            pen.fillStyle = light ? "#111" : "#fff";
            const most = Math.floor((w - 6) / 7);
            if (most > 2) pen.fillText(cut(text, most), x + 4, y + bar / 2 + 0.5);
        }
    }
    if (gantt.chosen >= 0) ganttMessage(pen, b, gantt.chosen);
    pen.restore();
}

// The message that the chosen module waited for, from the module that sent it.
function ganttMessage(pen, b, i) {
    const message = b[i + 7];
    if (!Array.isArray(message)) return;
    for (let j = 0; j < b.length; j += WIDTH) {
        if (b[j + 4] === 1 && b[j + 5] === message[0]) {
            pen.strokeStyle = css("--mark");
            pen.lineWidth = 1.5;
            pen.beginPath();
            pen.moveTo(placeAt(message[1]), gantt.top + (b[j] + 0.5) * gantt.row);
            pen.lineTo(placeAt(message[4]), gantt.top + (b[i] + 0.5) * gantt.row);
            pen.stroke();
            return;
        }
    }
}

function ganttAxis(pen, height) {
    const span = gantt.to - gantt.from, rough = span / Math.max(2, inner() / 110);
    const power = 10 ** Math.floor(Math.log10(rough || 1));
    const step = [1, 2, 5, 10].map(x => x * power).find(x => x >= rough) || power;
    pen.textAlign = "center";
    pen.lineWidth = 1;
    for (let n = Math.ceil(gantt.from / step); n * step <= gantt.to; n++) {
        const x = placeAt(n * step);
        pen.strokeStyle = css("--line");
        pen.beginPath();
        pen.moveTo(x, gantt.top);
        pen.lineTo(x, height - gantt.bottom);
        pen.stroke();
        pen.fillStyle = css("--soft");
        const words = number(n * step) + ((n + 1) * step > gantt.to ? " " + unit : "");
        pen.fillText(words, Math.min(x, gantt.canvas.clientWidth - pen.measureText(words).width / 2 - 4), height - 10);
    }
}

function ganttFind(x, y) {
    const of = run();
    if (of == null || x < gantt.left) return -1;
    const row = Math.floor((y - gantt.top) / gantt.row), t = timeAt(x), slack = 2 * (gantt.to - gantt.from) / inner();
    let found = -1;
    for (let i = 0; i < of.blocks.length; i += WIDTH) {
        if (of.blocks[i] === row && of.blocks[i + 1] - slack <= t && t <= of.blocks[i + 2] + slack) {
            if (of.blocks[i + 1] <= t && t <= of.blocks[i + 2]) return i;
            found = i;
        }
    }
    return found;
}

function ganttWhy(b, i) {
    const before = i > 0 && b[i - WIDTH] === b[i] ? b[i - WIDTH + 2] : 0, other = b[i + 7];
    switch (b[i + 6]) {
    case 0: return "It starts at once.";
    case 1: return "It starts when its processor is free of " + nameOf(other) + ".";
    case 2: return "Its processor waits " + time(b[i + 1] - before) + " for the message of " + nameOf(other[0]) + ": due at " +
        number(other[1]) + ", first served at " + number(other[2]) + ", sent by " + number(other[3]) + ", here at " + number(other[4]) + ".";
    default: return b[i + 1] > before ? "Its processor waits " + time(b[i + 1] - before) + " for data or its start rule." : "";
    }
}

function ganttTell(i) {
    const of = run();
    if (of == null) { gantt.said.textContent = ""; return; }
    const b = of.blocks;
    if (i < 0) {
        gantt.said.textContent = "Point at a module, or choose one with the arrow keys; Ctrl or Shift and the wheel zoom, dragging moves.";
    } else if (b[i + 4] > 1) {
        gantt.said.textContent = plural(b[i + 4], "module") + " on processor " + of.processors[b[i]] + ", " + number(b[i + 1]) + " to " +
            time(b[i + 2]) + ", busy " + number(100 * b[i + 3] / (b[i + 2] - b[i + 1] || 1), 3) + " %.";
    } else {
        const kind = data.kinds[b[i + 5]];
        gantt.said.textContent = nameOf(b[i + 5]) + (kind ? " (" + kind + ")" : "") + " on processor " + of.processors[b[i]] + ", " +
            number(b[i + 1]) + " to " + time(b[i + 2]) + ". " + ganttWhy(b, i);
    }
}

function ganttMove(event) {
    if (gantt.drag) {
        const shift = (gantt.drag.x - event.offsetX) / inner() * (gantt.drag.to - gantt.drag.from);
        setWindow(gantt.drag.from + shift, gantt.drag.to + shift);
        return;
    }
    const i = ganttFind(event.offsetX, event.offsetY);
    ganttTell(i >= 0 ? i : gantt.chosen);
}

function ganttChoose(i) {
    gantt.chosen = i;
    if (i >= 0) {
        const b = run().blocks, y = gantt.top + b[i] * gantt.row;
        if (b[i + 1] > gantt.to || b[i + 2] < gantt.from) setWindow(b[i + 1] - (gantt.to - gantt.from) / 2, b[i + 1] + (gantt.to - gantt.from) / 2);
        if (y < gantt.box.scrollTop || y + gantt.row > gantt.box.scrollTop + gantt.box.clientHeight) gantt.box.scrollTop = y - 40;
    }
    ganttTell(i);
    ganttDraw();
}

function ganttKey(event) {
    const of = run();
    if (of == null) return;
    const count = of.blocks.length / WIDTH, now = gantt.chosen / WIDTH;
    const rowStart = row => { for (let i = 0; i < of.blocks.length; i += WIDTH) if (of.blocks[i] === row) return i; return gantt.chosen; };
    const acts = {
        ArrowRight: () => ganttChoose(Math.min(gantt.chosen < 0 ? 0 : now + 1, count - 1) * WIDTH),
        ArrowLeft: () => ganttChoose(Math.max(gantt.chosen < 0 ? 0 : now - 1, 0) * WIDTH),
        ArrowDown: () => ganttChoose(rowStart(gantt.chosen < 0 ? 0 : of.blocks[gantt.chosen] + 1)),
        ArrowUp: () => ganttChoose(rowStart(gantt.chosen < 0 ? 0 : of.blocks[gantt.chosen] - 1)),
        "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), "0": () => zoom(Infinity),
        Escape: () => ganttChoose(-1),
    };
    if (acts[event.key] && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        acts[event.key]();
    }
}

// ---- Who runs where ----

function usedDraw() {
    const host = byId("used"), point = data.points[at], shown = 64;
    const busiest = [...point.used].sort((a, b) => b.busy - a.busy).slice(0, shown).sort((a, b) => a.processor - b.processor);
    const table = make("table"), body = make("tbody"), head = make("tr");
    for (const title of ["processor", "busy", "", "modules"]) head.append(make("th", title));
    for (const of of busiest) {
        const row = make("tr"), bar = make("span", null, {class: "bar"}), fill = make("i"), cell = make("td");
        const share = point.elapsed > 0 ? of.busy / point.elapsed : 0;
        fill.style.width = Math.min(100, 100 * share) + "%";
        bar.append(fill);
        cell.append(bar);
        const names = data.names.length > 0 ? of.first.slice(0, 12).map(nameOf).join(", ") : "";
        row.append(make("td", of.processor, {class: "n"}), make("td", number(100 * share, 3) + " %", {class: "n"}), cell,
            make("td", plural(of.modules, "module") + (names ? ": " + names + (of.modules > 12 ? ", …" : "") : "")));
        body.append(row);
    }
    table.append(make("thead"), body);
    table.tHead.append(head);
    const wide = make("div", null, {class: "wide"});
    wide.append(table);
    host.replaceChildren(wide);
    if (point.clusters > busiest.length) host.append(make("p", "The " + busiest.length + " busiest of " + point.clusters + " processors.", {class: "note"}));
    const pictures = [...document.querySelectorAll(".clusters")];
    if (pictures.length === 1 && at < data.points.length - 1) {
        host.append(make("p", "The picture below is that of the answer, on " + plural(data.points.at(-1).clusters, "processor") + ".", {class: "note"}));
    }
    for (const picture of pictures) picture.hidden = pictures.length > 1 && Number(picture.dataset.point) !== at;
}

// ---- Charts ----

const charts = [];
function chart(id, series, values, axes, marks) {
    const host = byId(id);
    if (host == null) return;
    const place = make("div");
    host.append(place);
    const make1 = () => {
        const ink = css("--ink"), grid = {stroke: css("--line"), width: 1};
        const options = {
            width: Math.max(280, host.clientWidth), height: 340, legend: {live: true},
            cursor: {drag: {x: true, y: false}},
            scales: {x: {time: false}, y: {range: (u, least, most) => [0, (most || 1) * 1.08]}},
            axes: [{label: axes.x, stroke: ink, grid, ticks: grid, ...(axes.whole ? {incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10000, 100000, 1000000]} : {})},
                {label: axes.y, stroke: ink, grid, ticks: grid, size: (u, texts) => 24 + 7.5 * Math.max(4, ...(texts ?? []).map(text => text.length))}],
            series: [{label: axes.x, value: (u, v) => number(v)}, ...series.map(s => ({
                label: s.label, stroke: css(s.colour), width: 2, dash: s.dash, value: (u, v) => number(v),
                paths: s.steps ? uPlot.paths.stepped({align: 1}) : undefined, points: {show: s.dots === true, size: 6}}))],
            hooks: {draw: [u => {
                for (const mark of marks()) {
                    const x = u.valToPos(mark.x, "x", true), y = u.valToPos(mark.y, "y", true), ratio = devicePixelRatio || 1;
                    u.ctx.beginPath();
                    u.ctx.arc(x, y, 6 * ratio, 0, 2 * Math.PI);
                    u.ctx.fillStyle = css("--mark");
                    u.ctx.fill();
                    u.ctx.font = 12 * ratio + "px system-ui, sans-serif";
                    u.ctx.fillStyle = css("--ink");
                    const right = x > u.bbox.left + u.bbox.width * 0.7;
                    u.ctx.textAlign = right ? "right" : "left";
                    u.ctx.strokeStyle = css("--ground");
                    u.ctx.lineWidth = 4 * ratio;
                    u.ctx.strokeText(mark.text, x + (right ? -10 : 10) * ratio, y - 10 * ratio);
                    u.ctx.fillText(mark.text, x + (right ? -10 : 10) * ratio, y - 10 * ratio);
                }
            }]},
        };
        return new uPlot(options, values, place);
    };
    let plot = make1();
    const again = () => { plot.destroy(); plot = make1(); };
    charts.push(() => plot.redraw(false));
    let width = host.clientWidth;
    new ResizeObserver(() => { if (Math.abs(host.clientWidth - width) > 8) { width = host.clientWidth; again(); } }).observe(host);
    dark.addEventListener("change", again);
}

function chartsSetUp() {
    const front = data.front.filter(p => p.elapsed != null);
    chart("front-chart", [
        {label: "elapsed, " + unit, colour: "--accent", steps: true, dots: front.length < 60},
        {label: "lower bound, " + unit, colour: "--soft", dash: [6, 4]}],
        [front.map(p => p.processors), front.map(p => p.elapsed), front.map(p => p.lower_bound)],
        {x: "processors allowed", y: "time, in " + unit, whole: true},
        () => [{x: data.points[at].processors, y: data.points[at].elapsed, text: time(data.points[at].elapsed)}]);
    const priced = front.filter(p => p.front && p.price != null).sort((a, b) => a.price - b.price);
    if (priced.length > 1) {
        chart("price-chart", [{label: "elapsed, " + unit, colour: "--accent", dots: true}], [priced.map(p => p.price), priced.map(p => p.elapsed)],
            {x: "price of a run", y: "time, in " + unit},
            () => [{x: data.points[at].price, y: data.points[at].elapsed, text: plural(data.points[at].clusters, "processor")}]);
    }
    const frames = data.frames.filter(f => f.elapsed != null);
    if (frames.length > 1) {
        chart("frame-chart", [
            {label: "elapsed, " + unit, colour: "--accent", steps: true, dots: true}],
            [frames.map(f => f.time_frame), frames.map(f => f.elapsed)],
            {x: "time frame T, in " + unit, y: "time, in " + unit},
            () => data.frames[frame] && data.frames[frame].elapsed != null
                ? [{x: data.frames[frame].time_frame, y: data.frames[frame].elapsed, text: plural(data.frames[frame].clusters, "cluster")}] : []);
    }
    if (data.delay) {
        const of = data.delay, word = of.time_unit === "tick" ? "ticks" : of.time_unit;
        chart("delay-chart", [{label: "time of one unit of traffic, " + word, colour: "--accent"}],
            [of.points.map(p => p.load), of.points.map(p => p.tau)], {x: "load of the network, u / u_limit", y: "time, in " + word},
            () => of.at.tau == null ? [] : [{x: of.at.load, y: of.at.tau, text: "this mapping"}]);
    }
    chart("profile-chart", [{label: "modules at once", colour: "--accent", steps: true}],
        [data.parallelism.map(p => p[0]), data.parallelism.map(p => p[1])], {x: "time, in " + unit, y: "modules"}, () => []);
}

// ---- The slider ----

function show(point) {
    at = point;
    const of = data.points[at], out = byId("chosen");
    out.textContent = plural(of.clusters, "processor") + ": " + time(of.elapsed) + (of.elapsed_is === "screen" ? " (a screen)" : "") +
        ", efficiency " + number(of.efficiency, 3) + ", " + number(100 * Math.max(0, of.gap ?? 0), 3) + " % above the bound" +
        (of.price != null ? ", price " + number(of.price, 4) : "") + (of.knee ? " – the knee" : "") + (at === data.points.length - 1 ? " – the answer" : "");
    document.querySelectorAll("#points tbody tr").forEach((row, i) =>
        i === at ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current"));
    gantt.chosen = -1;
    usedDraw();
    if (gantt.canvas) {
        gantt.from = 0;
        gantt.to = run() ? run().end || 1 : 1;
        ganttTell(-1);
        ganttDraw();
    }
    for (const redraw of charts) redraw();
}

function sliderSetUp() {
    const host = byId("slider"), label = make("label", "Processors: "), out = make("output", null, {id: "chosen"});
    const input = make("input", null, {type: "range", min: 0, max: data.points.length - 1, step: 1, value: at, id: "processors",
        "aria-describedby": "chosen", list: "counts"});
    const list = make("datalist", null, {id: "counts"});
    data.points.forEach((p, i) => list.append(make("option", null, {value: i, label: p.clusters})));
    input.value = at;
    input.addEventListener("input", () => show(Number(input.value)));
    label.append(out, input);
    host.append(label, list, make("p", "It moves the run, who runs where, the busy shares and the mark on the curve together.", {class: "note"}));
    if (data.points.length < 2) input.disabled = true;
}

// The slider over T: clusters, elapsed time and shares of T together.
function frameSetUp() {
    const host = byId("frame-slider");
    if (host == null || data.frames.length === 0) return;
    const label = make("label", "T: "), out = make("output", null, {id: "chosen-frame"}), share = make("div");
    const input = make("input", null, {type: "range", min: 0, max: data.frames.length - 1, step: 1, value: frame, id: "frame",
        "aria-describedby": "chosen-frame"});
    const tell = () => {
        const of = data.frames[frame];
        out.textContent = time(of.time_frame) + ": " + plural(of.clusters, "cluster") + ", " +
            (of.elapsed == null ? "more than there are processors" : "elapsed " + time(of.elapsed));
        share.replaceChildren(...[["least busy", of.least], ["mean", of.mean], ["busiest", of.most]].filter(one => one[1] != null).map(([name, part]) => {
            const line = make("p", name + " " + number(100 * part, 4) + " % of T ", {class: "note"}), bar = make("span", null, {class: "bar"}), fill = make("i");
            fill.style.width = Math.min(100, 100 * part) + "%";
            bar.append(fill);
            line.append(bar);
            return line;
        }));
        for (const redraw of charts) redraw();
    };
    input.value = frame;
    input.addEventListener("input", () => { frame = Number(input.value); tell(); });
    label.append(out, input);
    host.append(label, share);
    tell();
}

sliderSetUp();
frameSetUp();
ganttSetUp();
chartsSetUp();
show(at);
})();
