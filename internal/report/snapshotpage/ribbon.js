// What lies where in the segments: all of them as one ribbon, laid in rows.

// Pieces is what the segments of a moment consist of, in columns.
class Pieces {
  constructor(numbers, device, stacks) {
    this.segments = [];
    this.list = { from: [], stack: [], band: [], pending: [], asked: [], born: [], segment: [] };
    let at = 0;
    for (let n = numbers.next(); n > 0; n--) {
      const [addr, size, lane, expandable, used] = [numbers.next(), numbers.next(), numbers.next(), numbers.next(), numbers.next()];
      this.segments.push({ at, addr, size, lane: device.lanes[lane], expandable: expandable === 1 });
      const end = at + size;
      for (let i = 0; i < used; i++) {
        const gap = numbers.next();
        if (gap > 0) this.add(at, -1, 0, 0, 0, 0);
        at += gap;
        const bytes = numbers.next(), asked = numbers.next(), stack = numbers.next(), kind = numbers.next();
        this.add(at, stack, Math.floor(kind / 2), kind % 2, asked, numbers.next() - 1);
        at += bytes;
      }
      if (at < end) this.add(at, -1, 0, 0, 0, 0);
      at = end;
    }
    this.total = at;
    this.length = this.list.from.length;
    this.from = Float64Array.from([...this.list.from, at]);
    this.stacks = stacks;
  }

  add(at, stack, band, pending, asked, born) {
    const { list } = this;
    list.from.push(at);
    list.stack.push(stack);
    list.band.push(band);
    list.pending.push(pending);
    list.asked.push(asked);
    list.born.push(born);
    list.segment.push(this.segments.length - 1);
  }

  size(i) { return this.from[i + 1] - this.from[i]; }

  free(i) { return this.list.stack[i] < 0; }

  segment(i) { return this.segments[this.list.segment[i]]; }

  // begins says whether a piece is the first of its segment.
  begins(i) { return this.from[i] === this.segment(i).at; }

  // at is the piece that a place of the ribbon is in.
  at(place) { return clamp(below(this.from, place + 1e-9) - 1, 0, this.length - 1); }

  site(i) { return this.free(i) ? say("snap.free") : this.stacks[this.list.stack[i]].site; }

  // sites is what the flame view is made of.
  sites() {
    const sizes = new Map();
    for (let i = 0; i < this.length; i++) {
      const stack = this.list.stack[i];
      if (stack >= 0) sizes.set(stack, (sizes.get(stack) ?? 0) + this.size(i));
    }
    return [...sizes].map(([stack, size]) => ({ memory: "", bytes: size, stack: this.stacks[stack].frames.map((f) => data.frames[f]) }));
  }
}

const row = { height: 17, gap: 7 };

class Ribbon extends Picture {
  constructor(host, buttons, panel, device) {
    super(host, buttons, say("snap.keysmap", { name: device.name }), 1, 1);
    this.panel = panel;
    this.device = device;
    this.chosen = null;
  }

  show(pieces) {
    this.pieces = pieces;
    this.span = new Span(pieces.total, 4096);
    this.chosen = null;
    this.panel.replaceChildren(make("p", { class: "quiet" }, say("snap.point")));
    this.later();
  }

  tall() {
    this.rows = this.width < 560 ? 10 : 14;
    return this.rows * (row.height + row.gap);
  }

  // perRow is how many bytes a row spans.
  get perRow() { return this.span.size / this.rows; }

  draw() {
    const { pieces } = this;
    if (!pieces?.length) return;
    const image = this.image(this.width, row.height);
    const colors = this.palette(this.device.bands);
    this.tones = { colors, free: packed(this.color("--void")), ground: packed(this.color("--card")) };
    for (let n = 0; n < this.rows; n++) {
      this.paint(image, this.span.from + n * this.perRow);
      this.put(image, 0, n * (row.height + row.gap));
    }
  }

  // paint draws a row of the ribbon: of each column of pixels what lies in it, the largest part's colour as strong as its
  // share is.
  paint(image, from) {
    const { width, height } = image, { pieces } = this, each = this.perRow / width;
    const pixels = new Uint32Array(image.data.buffer);
    let i = pieces.at(from);
    for (let c = 0; c < width; c++) {
      const left = from + c * each, right = left + each;
      while (i + 1 < pieces.length && pieces.from[i + 1] <= left) i++;
      let used = 0, best = -1, most = 0, begins = false;
      for (let j = i; j < pieces.length && pieces.from[j] < right; j++) {
        const part = Math.min(pieces.from[j + 1], right) - Math.max(pieces.from[j], left);
        if (pieces.from[j] >= left) begins = true;
        if (pieces.free(j)) continue;
        used += part;
        if (part > most) [most, best] = [part, j];
        i = j;
      }
      this.column(pixels, width, height, c, { best, share: used / each, edge: begins && pieces.size(i) > 4 * each, past: left >= pieces.total });
    }
  }

  column(pixels, width, height, c, { best, share, edge, past }) {
    const { colors, free, ground } = this.tones;
    const tone = past || edge ? ground : best < 0 ? free : mixed(free, colors[this.pieces.list.band[best]], Math.min(share, 1));
    const striped = best >= 0 && this.pieces.list.pending[best] === 1;
    for (let y = 0; y < height; y++) pixels[y * width + c] = striped && (y + c) % 6 < 3 ? free : tone;
  }

  at(x, y) {
    const n = clamp(Math.floor(y / (row.height + row.gap)), 0, this.rows - 1);
    return clamp(this.span.from + (n + clamp(x / this.width, 0, 1)) * this.perRow, 0, this.span.length);
  }

  cursor() { return this.chosen === null ? null : this.pieces.from[this.chosen]; }

  point(x, y) {
    if (this.pieces?.length) this.choose(this.pieces.at(this.at(x, y)), [x, y]);
  }

  leave() {
    this.readout.hidden = true;
  }

  go(pieces) {
    if (!this.pieces?.length) return;
    this.choose(clamp((this.chosen ?? -1) + pieces, 0, this.pieces.length - 1));
    this.span.reveal(this.pieces.from[this.chosen]);
    this.later();
  }

  choose(i, pointer = null) {
    const changed = i !== this.chosen;
    this.chosen = i;
    if (changed) this.describe(i);
    this.mark();
    const [x, y] = pointer ?? this.place(i);
    this.tell(x, y + row.height + 4, make("b", {}, bytes(this.pieces.size(i))), make("span", {}, this.pieces.site(i)));
  }

  // place is where a piece begins on the canvas.
  place(i) {
    const along = Math.max(this.pieces.from[i] - this.span.from, 0) / this.perRow;
    return [(along % 1) * this.width, Math.floor(along) * (row.height + row.gap)];
  }

  // mark frames the chosen piece.
  mark() {
    const pen = this.erase();
    if (this.chosen === null || !this.pieces?.length) return;
    pen.strokeStyle = this.color("--ink");
    pen.lineWidth = 2;
    const from = (this.pieces.from[this.chosen] - this.span.from) / this.perRow, to = (this.pieces.from[this.chosen + 1] - this.span.from) / this.perRow;
    for (let n = Math.max(Math.floor(from), 0); n < Math.min(to, this.rows); n++) {
      const left = Math.max(from - n, 0) * this.width, right = Math.min(to - n, 1) * this.width;
      pen.strokeRect(left, n * (row.height + row.gap) + 1, Math.max(right - left, 2), row.height - 2);
    }
  }

  // describe writes below the map what a piece is.
  describe(i) {
    const { pieces } = this, segment = pieces.segment(i);
    const facts = [bytes(pieces.size(i))];
    if (!pieces.free(i)) {
      if (pieces.list.asked[i] !== pieces.size(i)) facts.push(say("snap.asked", { size: bytes(pieces.list.asked[i]) }));
      if (pieces.list.born[i] >= 0) facts.push(say("snap.born", { entry: count(pieces.list.born[i]) }));
      else if (this.device.entries > 0) facts.push(say("snap.older"));
    }
    if (pieces.list.pending[i]) facts.push(say("snap.pending"));
    facts.push(say("snap.segment", { size: bytes(segment.size), lane: segment.lane }));
    if (segment.expandable) facts.push(say("snap.expandable"));
    const stack = pieces.free(i) ? [] : [...pieces.stacks[pieces.list.stack[i]].frames].reverse();
    this.panel.replaceChildren(make("p", {}, make("b", {}, pieces.site(i))), make("p", { class: "quiet" }, facts.join(" · ")),
      make("ol", { class: "stack" }, ...stack.map((f) => make("li", {}, make("code", {}, data.frames[f].place), " ", make("span", { class: "fn" }, data.frames[f].function)))));
  }
}
