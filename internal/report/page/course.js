// Live memory over a trace, stacked by what holds it.

const binSize = 64; // changes
const exactly = 60000; // changes that are added up one by one to draw; of more, bins are taken

// Curve adds up the changes of live memory. Of every bin it keeps the state in front of it, the state at its highest level,
// and its lowest level.
class Curve {
  constructor(numbers, device) {
    const n = numbers.next();
    this.length = n;
    this.bands = device.bands.length;
    this.entry = new Uint32Array(n);
    this.band = new Uint8Array(n);
    this.bytes = new Float64Array(n);
    for (let i = 0, at = 0; i < n; i++) this.entry[i] = at += numbers.next();
    for (let i = 0; i < n; i++) this.band[i] = numbers.next();
    for (let i = 0; i < n; i++) this.bytes[i] = numbers.signed() * device.unit;
    this.sum(device.older);
  }

  sum(older) {
    const { bands } = this, bins = Math.ceil(this.length / binSize);
    this.before = new Float64Array((bins + 1) * bands);
    this.top = new Float64Array(bins * bands);
    this.high = new Float64Array(bins).fill(-Infinity);
    this.low = new Float64Array(bins).fill(Infinity);
    const state = new Float64Array(bands);
    let total = state[bands - 1] = older;
    for (let i = 0; i < this.length; i++) {
      const bin = Math.floor(i / binSize);
      if (i % binSize === 0) this.before.set(state, bin * bands);
      state[this.band[i]] += this.bytes[i];
      total += this.bytes[i];
      if (total > this.high[bin]) {
        this.high[bin] = total;
        this.top.set(state, bin * bands);
      }
      if (total < this.low[bin]) this.low[bin] = total;
    }
    this.before.set(state, bins * bands);
  }

  // since is the first change at an entry or behind it.
  since(entry) { return below(this.entry, entry); }

  // columns cuts a part of the trace into columns: of each the state at its highest level, that level and the lowest.
  columns(span, count) {
    const out = new Columns(this.bands, count, span);
    let i = this.since(span.from);
    const end = this.since(span.to);
    const bin = Math.floor(i / binSize);
    out.begin(this.before, bin * this.bands);
    if (end - i > exactly) {
      for (let b = bin; b * binSize < end; b++) out.bin(this, b);
    } else {
      for (let skipped = bin * binSize; skipped < i; skipped++) out.skip(this.band[skipped], this.bytes[skipped]);
      for (; i < end; i++) out.change(this.entry[i], this.band[i], this.bytes[i]);
    }
    out.fill(count - 1);
    return out;
  }
}

class Columns {
  constructor(bands, count, span) {
    this.bands = bands;
    this.count = count;
    this.first = span.from;
    this.scale = count / span.size;
    this.top = new Float64Array(bands * count);
    this.high = new Float64Array(count);
    this.low = new Float64Array(count);
    this.state = new Float64Array(bands);
    this.total = 0;
    this.done = -1;
  }

  begin(from, at) {
    for (let b = 0; b < this.bands; b++) this.state[b] = from[at + b];
    this.total = this.state.reduce((a, b) => a + b, 0);
  }

  skip(band, bytes) {
    this.state[band] += bytes;
    this.total += bytes;
  }

  // fill carries the state on up to a column.
  fill(column) {
    while (this.done < column) {
      this.done++;
      this.top.set(this.state, this.done * this.bands);
      this.high[this.done] = this.low[this.done] = this.total;
    }
  }

  column(entry) { return clamp(Math.floor((entry - this.first) * this.scale), 0, this.count - 1); }

  change(entry, band, bytes) {
    const c = this.column(entry);
    this.fill(c);
    this.skip(band, bytes);
    if (this.total > this.high[c]) {
      this.high[c] = this.total;
      this.top.set(this.state, c * this.bands);
    }
    if (this.total < this.low[c]) this.low[c] = this.total;
  }

  bin(curve, b) {
    const c = this.column(curve.entry[b * binSize]), at = b * this.bands;
    this.fill(c);
    if (curve.high[b] > this.high[c]) {
      this.high[c] = curve.high[b];
      for (let k = 0; k < this.bands; k++) this.top[c * this.bands + k] = curve.top[at + k];
    }
    if (curve.low[b] < this.low[c]) this.low[c] = curve.low[b];
    this.begin(curve.before, at + this.bands);
  }
}

// below is how many of a sorted list lie below a place.
function below(list, x) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < x) low = middle + 1; else high = middle;
  }
  return low;
}

const plot = { top: 20, right: 10, bottom: 24 };

class Course extends Picture {
  constructor(host, buttons, device, curve) {
    super(host, buttons, say("snap.keyscourse", { name: device.name }), device.entries, 16);
    this.device = device;
    this.curve = curve;
    this.shown = null; // the entry that the cursor is at
  }

  tall() { return this.width < 560 ? 240 : 340; }

  draw() {
    const { span } = this;
    const inner = this.height - plot.top - plot.bottom;
    this.left = 76;
    const image = this.image(this.width - this.left - plot.right, inner);
    this.columns = this.curve.columns(span, image.width);
    this.most = this.columns.high.reduce((a, b) => Math.max(a, b), 0) * 1.04 || 1;
    this.paint(image);
    this.put(image, this.left, plot.top);
    this.x = scaleOf(span.from, span.to, this.left, this.width - plot.right);
    this.y = scaleOf(0, this.most, this.height - plot.bottom, plot.top);
    this.axes();
    this.ends();
    this.pen.fillStyle = this.color("--bad");
    for (const entry of this.failures()) this.pen.fillRect(this.x(entry) - 1, plot.top, 2, inner);
  }

  // failures are the entries shown at which memory ran out.
  failures() { return this.device.oom.filter((entry) => entry >= this.span.from && entry < this.span.to); }

  paint(image) {
    const { columns } = this, { width, height } = image;
    const colors = this.palette(this.device.bands), ground = packed(this.color("--card")), floor = packed(this.color("--ink"));
    const pixels = new Uint32Array(image.data.buffer).fill(ground);
    const scale = height / this.most;
    for (let c = 0; c < width; c++) {
      let sum = 0, y = height;
      for (let n = 0; n < columns.bands; n++) {
        const band = this.order(n);
        sum += columns.top[c * columns.bands + band];
        const end = Math.max(0, height - Math.round(sum * scale));
        for (; y > end; y--) pixels[(y - 1) * width + c] = colors[band];
      }
      const low = height - 1 - Math.round(columns.low[c] * scale);
      if (columns.low[c] < columns.high[c] && low >= 0 && low < height) pixels[low * width + c] = floor;
    }
  }

  // order puts what is older than the trace at the bottom.
  order(n) { return n === 0 ? this.curve.bands - 1 : n - 1; }

  axes() {
    const { pen } = this, right = this.width - plot.right, bottom = this.height - plot.bottom;
    const places = ticks(0, this.most, 5, true), size = places.length > 1 ? places[1] - places[0] : 1;
    pen.fillStyle = this.color("--soft");
    pen.textAlign = "right";
    for (const at of places) pen.fillText(at === 0 ? "0" : tickText(at, size), this.left - 10, this.y(at) + 4);
    pen.strokeStyle = this.color("--line");
    pen.strokeRect(this.left - 0.5, plot.top - 0.5, right - this.left + 1, bottom - plot.top + 1);
    pen.textAlign = "center";
    this.places();
  }

  // places names places of the trace.
  places() {
    const { pen } = this, right = this.width - plot.right, bottom = this.height - plot.bottom;
    for (const at of ticks(this.span.from, this.span.to, clamp((right - this.left) / 110, 2, 9), false)) {
      pen.fillText(count(Math.round(at)), clamp(this.x(at), this.left + 10, right - 24), bottom + 17);
    }
  }

  // ends marks where steps end, each while there is room, and names some.
  ends() {
    const { pen, span } = this, { steps } = this.device;
    const first = below(steps, span.from), last = below(steps, span.to), room = this.width - this.left;
    const each = ticks(0, last - first, Math.max(1, room / 90), false)[1] ?? 1;
    pen.textAlign = "left";
    for (let i = first; i < last; i++) {
      const named = (i + 1) % each === 0, x = Math.round(this.x(steps[i])) + 0.5;
      if (!named && last - first > room / 5) continue;
      pen.fillStyle = this.color("--soft");
      pen.fillRect(x - 0.5, plot.top - (named ? 6 : 3), 1, named ? 6 : 3);
      if (named && x < this.width - 60) pen.fillText(say("snap.step", { step: count(i + 1) }), x + 3, plot.top - 6);
    }
  }

  at(x) { return this.span.from + ((x - this.left) / (this.width - this.left - plot.right)) * this.span.size; }

  cursor() { return this.shown; }

  point(x, y) { this.show(clamp(this.at(x), this.span.from, this.span.to), y); }

  go(columns) {
    const one = Math.max(this.span.size / (this.width - this.left - plot.right), 1);
    const from = this.shown ?? (columns > 0 ? this.span.from : this.span.to);
    const to = { [Infinity]: this.span.to, [-Infinity]: this.span.from }[columns] ?? from + columns * one;
    let entry = clamp(to, 0, this.device.entries - 1);
    if (one === 1) entry = Math.floor(entry) + 0.5; // the middle of an entry that is wider than a pixel
    this.span.reveal(entry);
    this.show(entry);
    this.later();
  }

  show(entry, y = null) {
    this.shown = entry;
    this.pointed = y;
    this.mark();
  }

  leave() {
    this.shown = null;
    this.mark();
  }

  // mark draws the cursor and says what is below it.
  mark() {
    if (!this.columns) return;
    const pen = this.erase();
    this.readout.hidden = this.shown === null;
    if (this.shown === null) return;
    const c = this.columns.column(this.shown), x = this.x(this.shown);
    pen.fillStyle = this.color("--ink");
    pen.fillRect(Math.round(x), plot.top, 1, this.height - plot.top - plot.bottom);
    this.tell(x, plot.top + 6, ...this.rows(c));
  }

  // rows is what the readout says of a column: where it is, the level, and who holds most.
  rows(c) {
    const { columns } = this, high = bytes(columns.high[c]), low = bytes(columns.low[c]);
    const level = columns.high[c] === columns.low[c] ? [say("snap.total", { size: high })] : [say("snap.most", { size: high }), say("snap.least", { size: low })];
    return [make("b", {}, this.where(c).join(" · ")), make("span", {}, level.join(" · ")), ...this.holders(c)];
  }

  where(c) {
    const { steps } = this.device, entry = Math.floor(this.shown), time = this.time(entry);
    const out = [say("snap.entry", { entry: count(entry) })];
    if (steps.length) out.push(say("snap.step", { step: count(Math.min(below(steps, entry) + 1, steps.length)) }));
    if (time) out.push(time);
    if (this.failures().some((at) => this.columns.column(at) === c)) out.push(say("snap.oom"));
    return out;
  }

  holders(c) {
    const { bands, top } = this.columns, under = this.under(c);
    const held = Array.from({ length: bands }, (_, band) => ({ band, size: top[c * bands + band] })).filter((p) => p.size > 0);
    return held.sort((a, b) => b.size - a.size).slice(0, 6).map(({ band, size }) => {
      const { name, class: color } = this.device.bands[band];
      return make("span", { class: `${color}${band === under ? " under" : ""}` }, make("i"), `${bytes(size)}  ${name}`);
    });
  }

  // under is the band that the pointer is on.
  under(c) {
    if (this.pointed === null) return -1;
    let sum = 0;
    for (let n = 0; n < this.columns.bands; n++) {
      const band = this.order(n);
      sum += this.columns.top[c * this.columns.bands + band];
      if (this.y(sum) <= this.pointed) return this.pointed <= this.height - plot.bottom ? band : -1;
    }
    return -1;
  }

  // time is about when an entry happened, in seconds since the first.
  time(entry) {
    const { every, micro } = this.device.clock;
    if (!micro.length) return "";
    const i = Math.min(Math.floor(entry / every), micro.length - 1), next = Math.min(i + 1, micro.length - 1);
    const share = Math.min(entry / every - i, 1);
    return `${((micro[i] + (micro[next] - micro[i]) * share) / 1e6).toFixed(3)} s`;
  }
}
