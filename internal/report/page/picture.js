// What pictures have in common: a canvas for the drawing, one above it for the cursor, a readout, and the ways to
// move about with wheel, pointer, keys and buttons. They are drawn pixel by pixel, so that the work does not grow with the
// number of events.

const closer = 0.7; // what one turn of the wheel leaves of the part that is shown

const ink = make("canvas").getContext("2d");

// packed makes one number of a colour, as a pixel stands in memory.
function packed(color) {
  ink.fillStyle = color; // which then reads #2f63a8
  const n = parseInt(ink.fillStyle.slice(1), 16);
  return (0xff000000 | ((n & 255) << 16) | (n & 0xff00) | (n >> 16)) >>> 0;
}

// mixed lies between two pixels: at 0 the first, at 1 the second.
function mixed(a, b, share) {
  const part = (shift) => Math.round(((a >>> shift) & 255) * (1 - share) + ((b >>> shift) & 255) * share) << shift;
  return (0xff000000 | part(16) | part(8) | part(0)) >>> 0;
}

// legend names the bands that are used.
function legend(host, bands, used) {
  bands.forEach((band, i) => {
    if (used.has(i)) host.append(make("span", { class: band.class }, make("i"), band.name));
  });
}

class Picture {
  constructor(host, buttons, label, length, least) {
    this.host = host;
    this.span = new Span(length, least);
    this.canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": label });
    this.above = make("canvas", { class: "above", "aria-hidden": "true" });
    this.readout = make("div", { class: "readout", role: "status", hidden: "" });
    host.append(this.canvas, this.above, this.readout);
    this.listen();
    this.offer(buttons);
    new ResizeObserver(() => this.later()).observe(host);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.later());
  }

  // later draws with the next frame, once however often it is asked for.
  later() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.fit();
      this.draw();
      this.mark();
    });
  }

  // fit sizes the canvases in pixels of the screen.
  fit() {
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    this.width = this.host.clientWidth;
    this.height = this.tall();
    for (const canvas of [this.canvas, this.above]) {
      canvas.style.height = `${this.height}px`;
      canvas.width = Math.max(1, Math.round(this.width * this.ratio));
      canvas.height = Math.round(this.height * this.ratio);
    }
    this.pen = this.canvas.getContext("2d", { alpha: false });
    this.pen.scale(this.ratio, this.ratio);
    this.pen.fillStyle = this.color("--card");
    this.pen.fillRect(0, 0, this.width, this.height);
    this.pen.font = `12px ${getComputedStyle(this.host).fontFamily}`;
  }

  color(name) { return getComputedStyle(this.host).getPropertyValue(name).trim(); }

  // palette is the colours of bands.
  palette(bands) {
    const swatch = this.host.appendChild(make("i"));
    const colors = bands.map((band) => {
      swatch.className = band.class;
      return packed(getComputedStyle(swatch).getPropertyValue("--c").trim());
    });
    swatch.remove();
    return colors;
  }

  // image is as many pixels of the screen as a part of the canvas has.
  image(width, height) { return this.pen.createImageData(Math.max(1, Math.round(width * this.ratio)), Math.max(1, Math.round(height * this.ratio))); }

  put(image, left, top) { this.pen.putImageData(image, Math.round(left * this.ratio), Math.round(top * this.ratio)); }

  // erase returns a pen for the canvas above, which is empty then.
  erase() {
    const pen = this.above.getContext("2d");
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    return pen;
  }

  listen() {
    const { canvas } = this;
    const place = (e) => {
      const box = canvas.getBoundingClientRect();
      return [e.clientX - box.left, e.clientY - box.top];
    };
    canvas.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && !e.metaKey && document.activeElement !== canvas) return; // it scrolls the page
      e.preventDefault();
      this.span.zoom(e.deltaY > 0 ? 1 / closer : closer, this.at(...place(e)));
      this.later();
    }, { passive: false });
    canvas.addEventListener("dblclick", (e) => {
      this.span.zoom(closer ** 3, this.at(...place(e)));
      this.later();
    });
    let held = null;
    canvas.addEventListener("pointerdown", (e) => {
      canvas.focus({ preventScroll: true });
      canvas.setPointerCapture(e.pointerId);
      held = this.at(...place(e));
    });
    canvas.addEventListener("pointerup", () => { held = null; });
    canvas.addEventListener("pointermove", (e) => {
      const [x, y] = place(e);
      if (held !== null && e.buttons) {
        const from = this.span.from;
        this.span.move(from + held - this.at(x, y));
        if (this.span.from !== from) this.later();
      }
      this.point(x, y);
    });
    canvas.addEventListener("pointerleave", () => this.leave());
    canvas.addEventListener("blur", () => this.leave());
    canvas.addEventListener("keydown", (e) => this.key(e));
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const act = {
      "+": () => this.turn(closer), "=": () => this.turn(closer), "-": () => this.turn(1 / closer), Escape: () => this.whole(),
      ArrowLeft: () => this.go(-1), ArrowRight: () => this.go(1), PageUp: () => this.go(-20), PageDown: () => this.go(20),
      Home: () => this.go(-Infinity), End: () => this.go(Infinity),
    }[e.key];
    if (!act) return;
    e.preventDefault();
    act();
  }

  turn(times) {
    this.span.zoom(times, this.cursor() ?? (this.span.from + this.span.to) / 2);
    this.later();
  }

  whole() {
    this.span.whole();
    this.leave();
    this.later();
  }

  offer(host) {
    for (const [sign, name, act] of [["−", "snap.wider", () => this.turn(1 / closer ** 2)], ["+", "snap.closer", () => this.turn(closer ** 2)], ["⤢", "snap.whole", () => this.whole()]]) {
      const button = make("button", { type: "button", title: say(name), "aria-label": say(name) }, sign);
      button.addEventListener("click", act);
      host.append(button);
    }
  }

  // tell shows the readout beside a place.
  tell(x, y, ...rows) {
    this.readout.hidden = false;
    this.readout.replaceChildren(...rows);
    const left = x < this.width / 2;
    this.readout.style.left = left ? `${x + 14}px` : "auto";
    this.readout.style.right = left ? "auto" : `${this.width - x + 14}px`;
    this.readout.style.top = `${Math.min(y, this.height)}px`;
  }
}
