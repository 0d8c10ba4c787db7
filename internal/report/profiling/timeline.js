// Live memory over the steps, stacked by category. Below it stand the parts of the steps, and the readout names the operator
// that had run.

class Timeline extends Course {
  constructor(host, buttons, memory, curve, origins) {
    super(host, buttons, { ...memory, oom: [], clock: { every: 1, micro: [] } }, curve);
    this.origins = origins;
  }

  // begun is the last of some parts that had begun with an entry.
  begun(parts, entry) { return parts.findLast((p) => p.entry <= entry)?.name; }

  where() {
    const entry = Math.floor(this.shown);
    const out = [this.begun(this.device.steps, entry), this.begun(this.device.parts, entry)].filter(Boolean);
    return out.length ? out : [say("profile.older")];
  }

  rows(c) {
    const [where, ...rest] = super.rows(c);
    const at = this.device.origins[this.origins[this.curve.since(Math.floor(this.shown) + 1) - 1] - 1];
    return [where, ...(at ? [make("span", {}, at.operator), make("span", {}, at.place)] : []), ...rest];
  }

  // ends marks where steps begin, and the peak.
  ends() {
    const { pen, device } = this, right = this.width - plot.right;
    pen.textAlign = "left";
    let free = this.left;
    const name = (entry, text, color) => {
      if (entry < this.span.from || entry > this.span.to) return;
      const x = Math.round(this.x(entry)) + 0.5, wide = pen.measureText(text).width + 12;
      pen.fillStyle = this.color(color);
      pen.fillRect(x - 0.5, plot.top - 6, 1, 6);
      const left = Math.min(x + 3, right - wide + 12);
      if (left < free) return;
      pen.fillText(text, left, plot.top - 6);
      free = left + wide;
    };
    const marks = device.steps.map((s) => [s.entry, s.name, "--soft"]);
    marks.push([device.peak + 0.5, say("profile.peakword"), "--bad"]);
    for (const mark of marks.sort((a, b) => a[0] - b[0])) name(...mark);
  }

  // places names the parts that there is room for.
  places() {
    const { pen, device } = this, bottom = this.height - plot.bottom, right = this.width - plot.right;
    device.parts.forEach((part, i) => {
      const from = Math.max(this.x(part.entry), this.left), to = Math.min(this.x(device.parts[i + 1]?.entry ?? device.entries), right);
      if (to - from < 6) return;
      pen.fillStyle = this.color("--line");
      if (part.entry >= this.span.from) pen.fillRect(Math.round(from), bottom, 1, 8);
      pen.fillStyle = this.color("--soft");
      if (pen.measureText(part.name).width < to - from - 8) pen.fillText(part.name, (from + to) / 2, bottom + 17);
    });
  }
}
