// The search. Without it, every page still leads to every other one.
"use strict";

(() => {
  const MOST = 30;
  // In which order what matches equally well is listed.
  const KINDS = ["operator", "attribute", "input", "output", "type", "opset", "domain", "code", "rule", "profile rule",
    "runtime", "page", "version"];
  const form = document.getElementById("search");
  const query = document.getElementById("query");
  const results = document.getElementById("results");
  const found = document.getElementById("found");
  const root = form.dataset.root;
  let selected = -1;
  let loading = null;

  // A script, since a page that was opened from a disk may read no other file.
  function load() {
    loading ??= new Promise((done) => {
      const script = document.createElement("script");
      script.src = `${root}search-index.js`;
      script.onload = () => done(window.shapeIndex);
      script.onerror = () => {
        loading = null;
        found.textContent = "The index of the search cannot be read.";
        done([]);
      };
      document.head.append(script);
    });
    return loading;
  }

  /** How well an entry matches; 0 if it does not. */
  function score([kind, name, , says], words) {
    const lower = name.toLowerCase();
    const last = lower.split("::").pop();
    const whole = words.join(" ");
    let sum = 0;
    if ([lower, last, lower.replace(/-/g, " "), last.replace(/-/g, " ")].includes(whole)) sum += 1000;
    else if (lower.startsWith(whole) || last.startsWith(whole)) sum += 150;
    for (const word of words) {
      const at = lower.indexOf(word);
      const starts = at === 0 || last.startsWith(word) || (at > 0 && !/[a-z0-9]/.test(lower[at - 1]));
      if (lower === word || last === word) sum += 200;
      else if (starts) sum += 100;
      else if (at > 0) sum += 40;
      else if (says.toLowerCase().includes(word)) sum += 5;
      else return 0;
    }
    return sum + (KINDS.length - KINDS.indexOf(kind)) - Math.min(lower.length, 60) / 100;
  }

  function search(index, text) {
    const words = text.toLowerCase().split(/[\s@]+|::/).filter(Boolean);
    if (words.length === 0) return [];
    const scored = index.map((entry) => [score(entry, words), entry]).filter(([points]) => points > 0);
    scored.sort((one, other) => other[0] - one[0]);
    return scored.slice(0, MOST).map(([, entry]) => entry);
  }

  function close() {
    results.hidden = true;
    selected = -1;
    query.setAttribute("aria-expanded", "false");
    query.removeAttribute("aria-activedescendant");
  }

  function select(next) {
    const options = results.children;
    if (options.length === 0) return;
    options[selected]?.setAttribute("aria-selected", "false");
    selected = (next + options.length) % options.length;
    const option = options[selected];
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    query.setAttribute("aria-activedescendant", option.id);
  }

  function option([kind, name, to, says], index) {
    const item = document.createElement("li");
    item.id = `result-${index}`;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    item.dataset.to = to;
    const title = document.createElement("strong");
    title.textContent = name;
    const more = document.createElement("small");
    more.textContent = says === "" ? kind : `${kind}: ${says.replaceAll("`", "")}`;
    item.append(title, more);
    return item;
  }

  async function show() {
    const text = query.value;
    const index = await load();
    // What was typed meanwhile has its own turn.
    if (text !== query.value) return;
    const entries = search(index, text);
    results.replaceChildren(...entries.map(option));
    close();
    if (text.trim() === "") {
      found.textContent = "";
      return;
    }
    found.textContent = entries.length === 0 ? "Nothing was found." : `${entries.length} found.`;
    if (entries.length === 0) return;
    results.hidden = false;
    query.setAttribute("aria-expanded", "true");
    select(0);
  }

  function go(item) {
    if (item) window.location.href = root + item.dataset.to;
  }

  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    go(results.children[selected]);
  });
  query.addEventListener("focus", load);
  query.addEventListener("input", show);
  query.addEventListener("blur", () => setTimeout(close, 200));
  query.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (results.hidden) show();
      else select(selected + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Escape") {
      if (results.hidden) query.value = "";
      close();
    }
  });
  // The list must not take the focus away from the text.
  results.addEventListener("mousedown", (event) => event.preventDefault());
  results.addEventListener("click", (event) => go(event.target.closest("li")));
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      query.focus();
    }
  });
})();
