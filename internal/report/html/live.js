// Renews the page while the training runs. What the reader has chosen, and what has not changed, stays as it is.

const state = document.getElementById("live");
const shownSections = new Map([...document.querySelectorAll("main > *")].map((e) => [e.getAttribute("aria-labelledby"), null]));

// renewSections takes over the sections that have changed. Their markup comes escaped, and no script in it would run.
function renewSections(markup) {
  const fresh = document.createElement("template");
  fresh.innerHTML = markup;
  const main = document.querySelector("main");
  const old = new Map([...main.children].map((e) => [e.getAttribute("aria-labelledby"), e]));
  const sections = [...fresh.content.children].map((e) => {
    const name = e.getAttribute("aria-labelledby"), text = e.outerHTML;
    const drawn = name === "curves-title" && old.has(name);
    const same = drawn || shownSections.get(name) === text;
    shownSections.set(name, text);
    return same ? old.get(name) : e;
  });
  const kept = new Set(sections);
  for (const e of [...main.children]) if (!kept.has(e)) e.remove();
  sections.forEach((e, i) => { if (main.children[i] !== e) main.insertBefore(e, main.children[i] ?? null); });
}

function renew({ title, main, data: fresh }) {
  document.title = title;
  Object.assign(data, { ...fresh, words: data.words });
  renewSections(main);
  picker?.renew();
  setUp();
}

function tell(key, kind) {
  state.textContent = say(key);
  state.className = `live ${kind}`;
}

const source = new EventSource("events");
source.addEventListener("report", (e) => { tell("page.live", ""); renew(JSON.parse(e.data)); });
for (const [event, key] of [["ended", "page.liveended"], ["gone", "page.livegone"]]) {
  source.addEventListener(event, () => { source.close(); tell(key, "over"); });
}
source.addEventListener("error", () => tell("page.livelost", "lost"));
