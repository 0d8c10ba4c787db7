// Puts the pictures into the page, memory by memory.

async function start() {
  const hosts = document.querySelectorAll(".device");
  for (const [i, memory] of data.memories.entries()) {
    const host = hosts[i], numbers = await unpack(memory.pack);
    const curve = new Curve(numbers, memory);
    const origins = Uint32Array.from({ length: curve.length }, () => numbers.next());
    new Timeline(host.querySelector(".course"), host.querySelector(".zoom"), memory, curve, origins);
    const key = host.querySelector(".legend");
    legend(key, memory.bands, new Set(curve.band));
    key.append(make("span", { class: "floor" }, make("i"), say("snap.floor")));
    const flame = new Flame(host.querySelector(".flame"), (size, share) => say("profile.share", { size, share }));
    flame.show(tree(say("profile.all"), memory.sites.map((s) => ({ bytes: s.bytes, stack: s.frames.map((f) => data.frames[f]) }))));
  }
  document.documentElement.dataset.drawn = "";
}

if ("DecompressionStream" in window) {
  start();
} else {
  const failed = document.getElementById("failed");
  failed.textContent = say("snap.oldbrowser");
  failed.hidden = false;
}
