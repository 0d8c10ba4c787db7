// A curve of one memory: drawn as SVG for the width at hand, so that it prints and follows the colours
// of the page. Pointer and arrow keys move a cursor along the steps.

const margin = { top: 26, right: 14, bottom: 34 };

// rangeOf chooses the figures the picture spans. Growth on top of much that stays would be invisible
// from zero, so there the scale begins close to the curve; warm-up may then lie outside.
function rangeOf(curve, shown) {
  const judged = [];
  let high = 0;
  for (const s of shown) {
    s.values.forEach((v, i) => {
      high = Math.max(high, v);
      if (s.steps[i] > data.warmup) judged.push(v);
    });
  }
  const values = judged.length ? judged : shown.flatMap((s) => s.values);
  let low = Infinity, top = -Infinity;
  for (const v of values) { low = Math.min(low, v); top = Math.max(top, v); }
  if (curve.grows && low > 0 && (top - low) / top < 0.35) {
    const room = (top - low) * 0.12 || top * 0.01;
    return { low: low - room, high: top + room, zero: false };
  }
  return { low: 0, high: high * 1.1 || 1, zero: true };
}

// shapeOf is the sign of a mark, in a box of nine by nine: kinds differ in form and not only in colour.
function shapeOf(kind) {
  return {
    evaluation: "M1 8L4.5 1L8 8Z",
    evidence: "M4.5 .5L8 4.5L4.5 8.5L1 4.5Z",
    epoch: "M3.5 .5H5.5V8.5H3.5Z",
  }[kind] ?? "M1 8L4.5 1L8 8Z";
}

// nearest is the index of the step closest to x.
function nearest(steps, x) {
  let low = 0, high = steps.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (steps[middle] < x) low = middle; else high = middle;
  }
  return x - steps[low] <= steps[high] - x ? low : high;
}

class Chart {
  constructor(host) {
    this.host = host;
    this.cursor = null;
    new ResizeObserver(() => { if (this.width !== host.clientWidth) this.draw(); }).observe(host);
  }

  show(curve, shown) {
    this.curve = curve;
    this.shown = shown.filter((s) => s.steps.length > 0);
    this.cursor = null;
    this.draw();
  }

  draw() {
    if (!this.curve) return;
    const focused = this.host.contains(document.activeElement);
    this.width = this.host.clientWidth;
    this.height = this.width < 560 ? 220 : 300;
    if (!this.shown.length) {
      this.host.replaceChildren(make("p", { class: "quiet" }, say("page.nocurve")));
      return;
    }
    this.scales();
    this.svg = make("svg:svg", {
      viewBox: `0 0 ${this.width} ${this.height}`, height: this.height, tabindex: "0", role: "img",
      "aria-label": say("page.keys", { name: this.curve.name }),
    });
    const clip = make("svg:clipPath", { id: "plot" }, make("svg:rect", {
      x: this.left, y: margin.top, width: Math.max(0, this.width - this.left - margin.right), height: this.height - margin.top - margin.bottom,
    }));
    this.svg.append(make("svg:defs", {}, clip));
    this.axes();
    this.events();
    this.lines();
    this.marks();
    this.overlay = make("svg:g");
    this.svg.append(this.overlay);
    this.readout = make("div", { class: "readout", role: "status", hidden: "" });
    this.host.replaceChildren(this.svg, this.readout);
    this.listen();
    if (focused) this.svg.focus({ preventScroll: true });
  }

  scales() {
    const first = Math.min(...this.shown.map((s) => s.steps[0]));
    const last = Math.max(...this.shown.map((s) => s.steps[s.steps.length - 1]));
    this.first = first;
    this.last = Math.max(last, first + 1);
    this.range = rangeOf(this.curve, this.shown);
    const { limit } = this.curve;
    this.limited = limit > 0 && limit <= this.range.high * 1.6 && this.range.zero;
    if (this.limited) this.range.high = Math.max(this.range.high, limit * 1.08);
    this.places = ticks(this.range.low, this.range.high, 5, true);
    const size = this.places.length > 1 ? this.places[1] - this.places[0] : 1;
    this.names = this.places.map((at) => (at === 0 ? "0" : tickText(at, size)));
    this.left = Math.max(...this.names.map((n) => n.length), 4) * 7 + 12;
    this.x = scaleOf(first, this.last, this.left, this.width - margin.right);
    this.y = scaleOf(this.range.low, this.range.high, this.height - margin.bottom, margin.top);
  }

  add(tag, attributes, ...children) { this.svg.append(make(`svg:${tag}`, attributes, ...children)); }

  axes() {
    const right = this.width - margin.right, bottom = this.height - margin.bottom;
    this.places.forEach((at, i) => {
      this.add("line", { class: "grid", x1: this.left, x2: right, y1: this.y(at), y2: this.y(at) });
      this.add("text", { x: this.left - 10, y: this.y(at) + 4, "text-anchor": "end" }, this.names[i]);
    });
    for (const at of ticks(this.first, this.last, clamp(this.width / 90, 3, 10), false)) {
      this.add("text", { x: this.x(at), y: bottom + 24, "text-anchor": this.x(at) > right - 14 ? "end" : "middle" }, count(at));
    }
    this.add("line", { class: "grid", x1: this.left, x2: right, y1: bottom, y2: bottom });
  }

  // events draws warm-up, onset, detection and end of the growth, each with its name.
  events() {
    const top = margin.top, bottom = this.height - margin.bottom, { curve } = this;
    const labels = [];
    if (data.warmup >= this.first) {
      const end = this.x(Math.min(data.warmup, this.last));
      this.add("rect", { class: "warmup", x: this.left, y: top, width: Math.max(0, end - this.left), height: bottom - top });
    }
    const event = (step, kind, text) => {
      if (step < this.first || step > this.last) return;
      const x = this.x(step);
      this.add("line", { class: `event ${kind}`, x1: x, x2: x, y1: top, y2: bottom });
      labels.push({ x, kind, text });
    };
    event(curve.since, curve.until < 0 ? "onset" : "begin", say("page.onset", { step: count(curve.since) }));
    event(curve.detected, "detected", say("page.detected", { step: count(curve.detected) }));
    event(curve.until, "until", say("page.until", { step: count(curve.until) }));
    this.label(labels);
    if (this.limited) {
      const y = this.y(curve.limit);
      this.add("line", { class: "limit", x1: this.left, x2: this.width - margin.right, y1: y, y2: y });
      this.add("text", { class: "limit", x: this.width - margin.right, y: y - 6, "text-anchor": "end" }, `${say("page.limit")} ${bytes(curve.limit)}`);
    }
  }

  // label writes the names of events above the plot, each where the one before leaves room.
  label(labels) {
    let free = 0;
    labels.sort((a, b) => a.x - b.x);
    for (const { x, kind, text } of labels) {
      const label = make("svg:text", { class: kind, y: margin.top - 9 }, text);
      this.svg.append(label);
      const wide = text.length * 6.4 + (/[^\x00-\xff]/.test(text) ? text.length * 5.6 : 0);
      const left = Math.max(x - 3, free);
      if (left + wide > this.width) {
        if (this.width - wide < free) { label.remove(); continue; }
        label.setAttribute("x", this.width - wide);
        free = this.width;
      } else {
        label.setAttribute("x", left);
        free = left + wide + 16;
      }
    }
  }

  lines() {
    const bottom = this.height - margin.bottom, { curve } = this;
    const group = make("svg:g", { "clip-path": "url(#plot)" });
    this.shown.forEach((s, i) => {
      const points = s.steps.map((step, n) => `${this.x(step).toFixed(1)} ${this.y(s.values[n]).toFixed(1)}`);
      const path = `M${points.join("L")}L${points[points.length - 1]}`; // to itself: a single point is drawn too
      if (s.main && !curve.comparison) {
        group.append(make("svg:path", {
          class: `area c${s.color}`, d: `${path}L${this.x(s.steps[s.steps.length - 1])} ${bottom}L${this.x(s.steps[0])} ${bottom}Z`,
        }));
      }
      group.prepend(make("svg:path", { class: `line c${s.color}`, d: path }));
    });
    const main = this.shown.find((s) => s.main);
    if (main && curve.grows && curve.rate > 0 && curve.since >= 0 && curve.until < 0 && !curve.comparison) {
      const last = main.steps.length - 1, end = main.steps[last];
      const back = main.values[last] - curve.rate * (end - curve.since);
      group.append(make("svg:path", { class: "trend", d: `M${this.x(curve.since)} ${this.y(back)}L${this.x(end)} ${this.y(main.values[last])}` }));
    }
    this.svg.append(group);
  }

  // marks draws what happened in single steps along the foot of the plot.
  marks() {
    const bottom = this.height - margin.bottom;
    for (const mark of data.marks) {
      if (mark.step < this.first || mark.step > this.last) continue;
      this.add("path", { class: `mark ${mark.kind}`, d: shapeOf(mark.kind), transform: `translate(${this.x(mark.step) - 4.5} ${bottom + 4})` },
        make("svg:title", {}, `${say(`mark.${mark.kind}`)}, ${say("live.step", { step: count(mark.step) })}`));
    }
  }

  listen() {
    this.svg.addEventListener("pointermove", (e) => {
      const box = this.svg.getBoundingClientRect();
      const x = ((e.clientX - box.left) / box.width) * this.width;
      this.point(this.first + ((x - this.left) / (this.width - this.left - margin.right)) * (this.last - this.first));
    });
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("blur", () => this.point(null));
    this.svg.addEventListener("keydown", (e) => {
      const { steps } = this.shown[0];
      const at = this.cursor === null ? steps.length - 1 : nearest(steps, this.cursor);
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - 10, PageDown: at + 10, Home: 0, End: steps.length - 1 }[e.key];
      if (e.key === "Escape") this.point(null);
      if (to === undefined) return;
      e.preventDefault();
      this.point(steps[clamp(to, 0, steps.length - 1)]);
    });
  }

  // point puts the cursor at the step nearest to x, or takes it away.
  point(x) {
    this.overlay.replaceChildren();
    this.readout.hidden = x === null;
    this.cursor = null;
    if (x === null) return;
    const { steps } = this.shown[0];
    const step = steps[nearest(steps, clamp(x, this.first, this.last))];
    this.cursor = step;
    const at = this.x(step), bottom = this.height - margin.bottom;
    this.overlay.append(make("svg:line", { class: "cursor", x1: at, x2: at, y1: margin.top, y2: bottom }));
    const rows = [make("b", {}, say("live.step", { step: count(step) }))];
    for (const s of this.shown) {
      const n = nearest(s.steps, step);
      const y = this.y(s.values[n]);
      if (y >= margin.top && y <= bottom) this.overlay.append(make("svg:circle", { class: `dot c${s.color}`, cx: this.x(s.steps[n]), cy: y, r: 4.5 }));
      rows.push(make("span", { class: `c${s.color}` }, make("i"), `${s.name} ${bytes(s.values[n])}`));
    }
    for (const mark of data.marks) if (mark.step === step) rows.push(make("span", {}, say(`mark.${mark.kind}`)));
    this.readout.replaceChildren(...rows);
    const left = at < this.width / 2;
    this.readout.style.left = left ? `${at + 14}px` : "auto";
    this.readout.style.right = left ? "auto" : `${this.width - at + 14}px`;
  }
}
