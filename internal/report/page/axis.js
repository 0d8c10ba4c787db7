// Scales and their ticks.

// scaleOf maps [low, high] to [from, to].
const scaleOf = (low, high, from, to) => (x) => from + ((x - low) / (high - low || 1)) * (to - from);

// ticks lists round places between low and high: steps in powers of ten, bytes in powers of two.
function ticks(low, high, wanted, binary) {
  const rough = (high - low) / wanted;
  let size;
  if (binary) {
    size = 2 ** Math.round(Math.log2(Math.max(rough, 1)));
  } else {
    const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
    size = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough);
  }
  const out = [];
  for (let at = Math.ceil(low / size) * size; at <= high; at += size) out.push(at);
  return out;
}

// tickText prints a tick of bytes with as many digits as tell it from its neighbours.
function tickText(at, size) {
  const names = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let unit = 0;
  while (unit + 1 < names.length && Math.abs(at) >= 1024 ** (unit + 1)) unit++;
  const step = size / 1024 ** unit; // a power of two: a half has one digit behind the point, a quarter two
  return `${(at / 1024 ** unit).toFixed(clamp(-Math.log2(step), 0, 3))} ${names[unit]}`;
}
