// What the page shows in numbers and elements. The Go side prints the same way (package units).

const data = JSON.parse(document.getElementById("data").textContent);

const digits = (x) => (x < 9.95 ? x.toFixed(1) : x.toFixed(0));

function bytes(n) {
  const names = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let size = Math.abs(n), unit = 0;
  const sign = n < 0 ? "-" : "";
  if (size < 1024) return `${sign}${size.toFixed(0)} B`;
  while (unit + 1 < names.length && size >= 1023.5) { size /= 1024; unit++; }
  return `${sign}${digits(size)} ${names[unit]}`;
}

const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

// say fills the {names} of a sentence; what is filled in is not searched again.
function say(key, values = {}) {
  return (data.words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

const spaces = { svg: "http://www.w3.org/2000/svg" };

// make builds an element; texts are set as text, never as markup.
function make(tag, attributes = {}, ...children) {
  const [space, name] = tag.includes(":") ? tag.split(":") : [null, tag];
  const element = space ? document.createElementNS(spaces[space], name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
