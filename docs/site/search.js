// SPDX-License-Identifier: MIT
// Searches the index of names, headings and comments that stands in search_index.js: [name, path, where it belongs, text].
const field = document.getElementById("search");
const found = document.getElementById("found");

/// How well an entry answers all of these words: 0 if it does not.
function score(entry, words) {
  const name = entry[0].toLowerCase(), text = (entry[2] + " " + entry[3]).toLowerCase();
  let total = 0;
  for (const word of words) {
    const short = name.split("::").pop();
    if (short === word || name === word) total += 100;
    else if (short.startsWith(word)) total += 40;
    else if (name.includes(word)) total += 20;
    else if (text.includes(word)) total += 3;
    else return 0;
  }
  const kinds = { op: 8, page: 6, header: 4 };
  return total + (kinds[entry[2]] || 0) - name.length / 100;
}

function show() {
  const words = field.value.toLowerCase().replace(/etch::/g, "").split(/\s+/).filter(Boolean);
  found.replaceChildren();
  found.hidden = words.length === 0;
  if (found.hidden) return;
  const hits = search_index.map((entry) => [score(entry, words), entry]).filter((hit) => hit[0] > 0);
  hits.sort((a, b) => b[0] - a[0]);
  for (const [, [name, path, kind, text]] of hits.slice(0, 30)) {
    const link = document.createElement("a");
    link.href = up + path;
    const where = document.createElement("span");
    where.className = "kind";
    where.textContent = kind;
    const line = document.createElement("small");
    line.textContent = text;
    link.append(where, name, line);
    found.append(link);
  }
  if (found.childElementCount === 0) found.textContent = "Nothing is called so.";
  else found.firstChild.classList.add("chosen");
}

field.addEventListener("input", show);
field.addEventListener("keydown", (event) => {
  const chosen = found.querySelector(".chosen");
  if (event.key === "Enter" && chosen) location.href = chosen.href;
  if (event.key === "Escape") found.hidden = true;
  const next = event.key === "ArrowDown" ? chosen?.nextElementSibling : event.key === "ArrowUp" ? chosen?.previousElementSibling : null;
  if (next) {
    chosen.classList.remove("chosen");
    next.classList.add("chosen");
    next.scrollIntoView({ block: "nearest" });
    event.preventDefault();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== field) {
    field.focus();
    event.preventDefault();
  }
});
document.addEventListener("click", (event) => {
  if (!found.contains(event.target) && event.target !== field) found.hidden = true;
});
