// Which memory and which of its series the chart shows.

const colors = 8;

// shownAtFirst says whether a series is shown before the reader chose: the one the memory is judged by,
// and others where they do not press it flat.
function shownAtFirst(curve, series, judged) {
  if (curve.comparison || series === judged) return true;
  if (curve.grows && !rangeOf(curve, [judged]).zero) return false;
  const top = (s) => Math.max(0, ...s.values);
  return top(series) <= top(judged) * 1.5;
}

class Picker {
  constructor(chart, host, legend) {
    this.chart = chart;
    this.host = host;
    this.legend = legend;
    this.switched = new Map();
    this.prepare();
    this.choices(data.curves);
    this.choose(0);
  }

  // prepare gives each series its colour; chosen says of those that the reader has switched whether they are shown.
  prepare(chosen = new Map()) {
    for (const curve of data.curves) {
      curve.series.forEach((s, i) => {
        s.color = i % colors;
        s.main = i === 0;
        s.on = chosen.get(`${this.nameOf(curve)} ${s.name}`) ?? shownAtFirst(curve, s, curve.series[0]);
      });
    }
  }

  // renew shows the curves as they are now, with what the reader has chosen and pointed at.
  renew() {
    const name = this.nameOf(this.curve), { cursor } = this.chart;
    this.prepare(this.switched);
    if (data.curves.map((c) => this.nameOf(c)).join() !== this.offered) {
      this.host.replaceChildren();
      this.buttons = undefined;
      this.choices(data.curves);
    }
    const at = data.curves.findIndex((c) => this.nameOf(c) === name);
    this.choose(Math.max(at, 0));
    if (this.select) this.select.value = String(Math.max(at, 0));
    if (cursor !== null && at >= 0) this.chart.point(cursor);
  }

  nameOf(curve) { return curve.group ? `${curve.group} · ${curve.name}` : curve.name; }

  // choices offers the memories as buttons while they are few, else as a list.
  choices(curves) {
    this.offered = curves.map((c) => this.nameOf(c)).join();
    this.select = undefined;
    if (curves.length < 2) return;
    if (curves.length <= 4) {
      this.buttons = curves.map((curve, i) => {
        const button = make("button", { type: "button" }, this.nameOf(curve));
        button.addEventListener("click", () => this.choose(i));
        return button;
      });
      this.host.append(...this.buttons);
      return;
    }
    const select = make("select", { "aria-label": say("page.choose") }, ...curves.map((curve, i) => make("option", { value: i }, this.nameOf(curve))));
    select.addEventListener("change", () => this.choose(Number(select.value)));
    this.host.append(select);
    this.select = select;
  }

  choose(i) {
    this.curve = data.curves[i];
    this.buttons?.forEach((b, n) => b.setAttribute("aria-pressed", String(n === i)));
    this.update();
  }

  update() {
    const { curve } = this;
    const shown = curve.series.filter((s) => s.on);
    this.chart.show(curve, shown);
    const entries = curve.series.length < 2 ? [] : curve.series.map((s) => {
      const button = make("button", { type: "button", class: `c${s.color}`, "aria-pressed": String(s.on) }, make("i"), s.name);
      button.addEventListener("click", () => {
        s.on = !s.on;
        this.switched.set(`${this.nameOf(curve)} ${s.name}`, s.on);
        this.update();
      });
      return button;
    });
    if (data.warmup > 0) entries.push(this.symbol("warmup", "M0 0h9v9h-9z", say("page.warmup")));
    for (const kind of new Set(data.marks.map((m) => m.kind))) entries.push(this.symbol(`mark ${kind}`, shapeOf(kind), say(`mark.${kind}`)));
    if (shown.length && !rangeOf(curve, shown).zero) entries.push(make("span", {}, say("page.zero")));
    const focused = [...this.legend.children].indexOf(document.activeElement);
    this.legend.replaceChildren(...entries);
    if (focused >= 0) this.legend.children[focused]?.focus();
  }

  symbol(kind, path, text) {
    const picture = make("svg:svg", { viewBox: "0 0 9 9", "aria-hidden": "true" }, make("svg:path", { class: kind, d: path }));
    return make("span", { class: "chart-symbol" }, picture, text);
  }
}
