// Puts the pictures into the page, device by device.

// Device shows one device: its course, and one of its moments at a time.
class Device {
  constructor(host, device, numbers) {
    this.host = host;
    this.device = device;
    const [first, second] = host.querySelectorAll(".zoom");
    const curve = new Curve(numbers, device);
    if (device.entries > 0) new Course(host.querySelector(".course"), first, device, curve);
    this.pieces = device.moments.map(() => new Pieces(numbers, device, data.stacks));
    this.ribbon = new Ribbon(host.querySelector(".ribbon"), second ?? first, host.querySelector(".piece"), device);
    this.flame = new Flame(host.querySelector(".flame"), (size, share) => say("snap.share", { size, share }));
    const used = new Set(curve.band);
    for (const { list } of this.pieces) for (const band of list.band) used.add(band);
    if (device.entries > 0 && device.older > 0) used.add(device.bands.length - 1);
    this.legend(host.querySelector(".legend"), used);
    this.choices();
    this.choose(device.asked);
  }

  // legend names the bands that are used, and says how the curve is to be read.
  legend(host, used) {
    const { bands, every, entries } = this.device;
    legend(host, bands, used);
    if (entries > 0) host.append(make("span", { class: "floor" }, make("i"), say("snap.floor")));
    if (every > 1) host.append(make("p", { class: "quiet" }, say("snap.thinned", { every: count(every) })));
  }

  choices() {
    const { moments } = this.device;
    this.buttons = moments.map((moment, i) => {
      const button = make("button", { type: "button" }, moment.name);
      button.addEventListener("click", () => this.choose(i));
      return button;
    });
    if (moments.length > 1) this.host.querySelector(".moments").append(...this.buttons);
  }

  choose(i) {
    const each = this.device.moments.length;
    this.buttons.forEach((b, n) => b.setAttribute("aria-pressed", String(n === i)));
    this.host.querySelectorAll(".moment").forEach((part, n) => { part.hidden = n % each !== i; });
    this.ribbon.show(this.pieces[i]);
    const sites = this.pieces[i].sites();
    if (sites.length) this.flame.show(tree(say("snap.all"), sites));
    else this.flame.host.replaceChildren(make("p", { class: "quiet" }, say("snap.nothing")));
  }
}

async function start() {
  const hosts = document.querySelectorAll(".device");
  for (const [i, device] of data.devices.entries()) new Device(hosts[i], device, await unpack(device.pack));
  document.documentElement.dataset.drawn = "";
}

if ("DecompressionStream" in window) {
  start();
} else {
  const failed = document.getElementById("failed");
  failed.textContent = say("snap.oldbrowser");
  failed.hidden = false;
}
