// The page: one card for each document, filled from the changes that the proxy sends.
// Rule: whatever comes from outside goes in as text (textContent, className from a fixed list), never as markup.
"use strict";

const byId = (id) => document.getElementById(id);
const cards = new Map();

function made(name) {
  return byId(name).content.firstElementChild.cloneNode(true);
}

function put(parent, name, text) {
  const place = parent.querySelector("." + name);
  if (place.textContent !== text) place.textContent = text;
}

function figure(number) {
  return Number(number).toLocaleString("en");
}

function printable(text) {
  return text.replace(/\n/g, "⏎").replace(/\t/g, "→").replace(/ {2,}/g, " ");
}

function stateOf(shown) {
  if (shown.running) return shown.seam_open ? "seam open" : "running";
  return shown.complete ? "complete" : "incomplete: " + shown.reason;
}

function showKpis(card, kpis) {
  const home = card.querySelector(".kpis");
  while (home.children.length < kpis.length) home.append(made("kpi"));
  kpis.forEach((kpi, at) => {
    const bar = home.children[at];
    put(bar, "name", kpi.id);
    bar.title = kpi.path;
    put(bar, "value", figure(kpi.value) + (kpi.target === null ? "" : " of " + figure(kpi.target)));
    const progress = bar.querySelector("progress");
    progress.max = kpi.target || Math.max(kpi.value, 1);
    progress.value = Math.min(kpi.value, progress.max);
    bar.classList.toggle("reached", kpi.target !== null && kpi.value >= kpi.target);
  });
}

function showSeams(card, seams) {
  const home = card.querySelector(".seams");
  const key = JSON.stringify(seams);
  if (home.dataset.key === key) return;
  home.dataset.key = key;
  home.replaceChildren(...seams.map(seamItem).reverse());
}

function seamItem(seam) {
  const item = made("seam");
  item.classList.toggle("rejected", seam.kind === "rejected");
  put(item, "kind", seam.kind);
  put(item, "reason", seam.reason + (seam.path ? ", in " + seam.path : ""));
  put(item, "sure", "round " + seam.round + " · " + Math.round(seam.sure * 100) + " % sure");
  put(item, "before", printable(seam.before));
  put(item, "dropped", printable(seam.dropped));
  put(item, "inserted", printable(seam.inserted));
  put(item, "after", printable(seam.after));
  return item;
}

function show(shown) {
  let card = cards.get(shown.id);
  if (!card) {
    card = made("card");
    cards.set(shown.id, card);
    byId("documents").prepend(card);
  }
  card.classList.toggle("running", shown.running);
  card.classList.toggle("complete", !shown.running && shown.complete);
  card.classList.toggle("incomplete", !shown.running && !shown.complete);
  put(card, "number", "#" + shown.id);
  put(card, "model", shown.model + (shown.stream ? " · stream" : ""));
  put(card, "state", stateOf(shown));
  put(card, "characters", figure(shown.characters));
  put(card, "rounds", shown.rounds + (shown.most_rounds ? " of " + shown.most_rounds : ""));
  put(card, "held", figure(shown.held));
  put(card, "path", shown.path || "/");
  put(card, "tail", shown.tail);
  put(card, "notes", shown.notes.slice(-4).join(" · "));
  showKpis(card, shown.kpis);
  showSeams(card, shown.seams);
}

function take(changes) {
  changes.documents.forEach(show);
  const kept = new Set(changes.kept);
  for (const [id, card] of cards) {
    if (!kept.has(id)) {
      card.remove();
      cards.delete(id);
    }
  }
  for (const name of ["running", "total", "completed"]) byId(name).textContent = figure(changes[name]);
  byId("nothing").hidden = cards.size > 0;
}

function connected(how, words) {
  byId("link").className = "link " + how;
  byId("link").textContent = words;
}

byId("base").textContent = location.origin + "/v1";
const source = new EventSource("/live/changes");
source.onopen = () => connected("on", "live");
source.onerror = () => connected("off", "connection lost, trying again");
source.onmessage = (message) => take(JSON.parse(message.data));
