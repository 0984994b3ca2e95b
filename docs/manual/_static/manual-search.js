// SPDX-License-Identifier: BSD-3-Clause
// Searches the index of the manual as `orrery help WORD` does: same lines, same order. The index is
// `manualIndex`, records of [page, anchor, headings, text, address], of manual-index.js.
"use strict";

const manualSearch = (() => {
  const ofPage = 3;
  const mostHits = 50;
  const mostWords = 16;

  // Letters of ASCII match in either case.
  const fold = (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

  const isLetter = (c) => c !== undefined && (/[0-9A-Za-z_]/.test(c) || c >= "\x80");

  // Where a word is, as a word of its own if it is one anywhere.
  const findWord = (text, word) => {
    const first = text.indexOf(word);
    for (let at = first; at >= 0; at = text.indexOf(word, at + 1)) {
      if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return { at, whole: true };
    }
    return { at: first, whole: false };
  };

  const rate = (text, word) => {
    const found = findWord(text, word);
    return found.at < 0 ? 0 : found.whole ? 3 : 1;
  };

  // The nearest heading says most, then those above it, then the text; a short text is about less else.
  const score = (record, words) => {
    const last = record.headings.split(" > ").pop();
    // Pages with a heading for each name of Python, or for each command: guides say more of a word.
    const weight = record.page.startsWith("python-") || record.page === "commands.md" ? 1 : 4;
    let sum = 0;
    let found = 0;
    for (const word of words) {
      const one = 2 * weight * rate(last, word) + weight * rate(record.headings, word) + 3 * rate(record.text, word) +
        (record.page === word + ".md" ? 12 : 0);
      sum += one;
      found += one > 0 ? 1 : 0;
    }
    return { found, sum: sum + (record.bytes < 240 ? 1 : 0) };
  };

  const records = manualIndex.map(([page, anchor, headings, text, address], number) => ({
    page: fold(page), anchor, address, number, shown: { headings, text },
    headings: fold(headings), text: fold(text), bytes: new TextEncoder().encode(text).length,
  }));

  // The records that have most of the words, best first, a few of each page.
  const find = (query) => {
    const words = fold(query).split(/\s+/).filter((word) => word !== "").slice(0, mostWords);
    const scored = records.map((record) => ({ record, ...score(record, words) })).filter((hit) => hit.found > 0);
    const most = Math.max(0, ...scored.map((hit) => hit.found));
    const hits = scored.filter((hit) => hit.found === most)
      .sort((a, b) => b.sum - a.sum || a.record.number - b.record.number);
    const places = new Set();
    const pages = new Map();
    const chosen = [];
    for (const { record } of hits) {
      const place = record.page + "#" + record.anchor;
      const n = pages.get(record.page) ?? 0;
      if (n >= ofPage || places.has(place)) continue;
      places.add(place);
      pages.set(record.page, n + 1);
      chosen.push(record);
    }
    return { words, hits: chosen.slice(0, mostHits) };
  };

  // A line of text around the first of the words, with the words marked.
  const addContext = (to, record, words) => {
    const places = words.map((word) => findWord(record.text, word).at).filter((at) => at >= 0);
    const first = places.length > 0 ? Math.min(...places) : 0;
    const start = first < 80 ? 0 : record.text.indexOf(" ", first - 60) + 1;
    const end = record.text.length <= start + 240 ? record.text.length : record.text.lastIndexOf(" ", start + 240);
    let at = start;
    if (start > 0) to.append("… ");
    while (at < end) {
      const next = words.map((word) => ({ word, at: record.text.indexOf(word, at) }))
        .filter((one) => one.at >= 0 && one.at + one.word.length <= end)
        .sort((a, b) => a.at - b.at || b.word.length - a.word.length)[0];
      const until = next ? next.at : end;
      to.append(record.shown.text.slice(at, until));
      if (!next) break;
      const mark = document.createElement("mark");
      mark.textContent = record.shown.text.slice(next.at, next.at + next.word.length);
      to.append(mark);
      at = next.at + next.word.length;
    }
    if (end < record.text.length) to.append(" …");
  };

  const show = (query) => {
    const { words, hits } = find(query);
    const list = document.getElementById("search-hits");
    const said = document.getElementById("search-said");
    list.replaceChildren();
    said.textContent = words.length === 0 ? "" : hits.length === 0 ? "No page has these words." :
      hits.length === 1 ? "One place." : hits.length + " places.";
    for (const record of hits) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = record.address;
      link.textContent = record.shown.headings;
      const context = document.createElement("p");
      addContext(context, record, words);
      item.append(link, context);
      list.append(item);
    }
  };

  return { find, show };
})();

{
  const query = new URLSearchParams(location.search).get("q") ?? "";
  const box = document.getElementById("search-words");
  box.value = query;
  box.addEventListener("input", () => manualSearch.show(box.value));
  document.getElementById("search-form").addEventListener("submit", (event) => event.preventDefault());
  manualSearch.show(query);
}
