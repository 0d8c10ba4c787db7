// Memory by allocation site: callers on top, the width of a place is its share of the whole.

// tree sums the bytes of all sites along their stacks, under a name for the whole.
function tree(name, sites) {
  const root = { name, bytes: 0, children: new Map(), depth: 0 };
  const memories = new Set(sites.map((s) => s.memory));
  for (const site of sites) {
    const path = site.stack.map((f) => (f.function ? `${f.function}  ${f.place}` : f.place));
    if (memories.size > 1) path.unshift(site.memory);
    root.bytes += site.bytes;
    let node = root;
    for (const name of path) {
      if (!node.children.has(name)) node.children.set(name, { name, bytes: 0, children: new Map(), parent: node, depth: node.depth + 1 });
      node = node.children.get(name);
      node.bytes += site.bytes;
    }
  }
  return root;
}

class Flame {
  // share says what a place has of the whole: it is given a size and per cent of it.
  constructor(host, share) {
    this.host = host;
    this.say = share;
    this.said = make("p", { class: "said", role: "status" });
    host.addEventListener("keydown", (e) => {
      if (e.key !== "Escape" || this.top === this.root) return;
      this.zoom(this.top.parent);
    });
  }

  show(root) {
    this.root = root;
    this.zoomed = false;
    this.zoom(root);
  }

  // zoom lays the view out below node, under the places that lead to it.
  zoom(node) {
    this.top = node;
    const levels = [];
    const place = (n, left, width) => {
      (levels[n.depth] ??= []).push(this.frame(n, left, width));
      let at = left;
      for (const child of [...n.children.values()].sort((a, b) => b.bytes - a.bytes)) {
        const share = (width * child.bytes) / n.bytes;
        if (share > 0.15) place(child, at, share);
        at += share;
      }
    };
    for (let up = node.parent; up; up = up.parent) levels[up.depth] = [this.frame(up, 0, 100)];
    place(node, 0, 100);
    this.host.replaceChildren(...levels.map((frames) => make("div", { class: "level" }, ...frames)), this.said);
    this.describe(node);
    if (node !== this.root || this.zoomed) levels[node.depth][0].focus({ preventScroll: true });
    this.zoomed = true;
  }

  frame(node, left, width) {
    const heat = node === this.root ? 0 : clamp(Math.ceil((node.bytes / this.root.bytes) * 5), 1, 5);
    const button = make("button", { type: "button", class: `h${heat}`, title: `${node.name}\n${this.share(node)}` }, node.name);
    button.style.left = `${left}%`;
    button.style.width = `calc(${width}% - 2px)`;
    button.addEventListener("click", () => this.zoom(this.top === node && node.parent ? node.parent : node));
    button.addEventListener("pointerenter", () => this.describe(node));
    button.addEventListener("focus", () => this.describe(node));
    return button;
  }

  share(node) {
    return this.say(bytes(node.bytes), ((node.bytes / this.root.bytes) * 100).toFixed(0));
  }

  describe(node) { this.said.textContent = `${node.name}: ${this.share(node)}`; }
}
