// Puts the parts into the page.

const chartHost = document.getElementById("chart");
if (chartHost && data.curves.length) {
  new Picker(new Chart(chartHost), document.getElementById("picker"), document.getElementById("legend"));
}

const flameHost = document.getElementById("flame");
if (flameHost && data.sites.length) {
  new Flame(flameHost, (size, share) => say("page.share", { size, share })).show(tree(say("page.all"), data.sites));
}

for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", async () => {
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
}
