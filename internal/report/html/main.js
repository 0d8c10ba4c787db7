// Puts the parts into the page.

let picker = null;

// setUp fills what is there and empty yet.
function setUp() {
  const chart = document.getElementById("chart");
  if (chart && data.curves.length && picker?.chart.host !== chart) {
    picker = new Picker(new Chart(chart), document.getElementById("picker"), document.getElementById("legend"));
  }
  const flame = document.getElementById("flame");
  if (flame && data.sites.length && !flame.hasChildNodes()) {
    new Flame(flame, (size, share) => say("page.share", { size, share })).show(tree(say("page.all"), data.sites));
  }
}

setUp();

document.addEventListener("click", async (e) => {
  const button = e.target.closest?.(".copy");
  if (!button) return;
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.patch);
    button.textContent = say("page.copied");
  } catch {
    getSelection().selectAllChildren(button.parentElement.querySelector("pre"));
    button.textContent = say("page.copyfailed");
  }
  setTimeout(() => { button.textContent = before; }, 2000);
});
