// SPDX-License-Identifier: Apache-2.0
// The site's search. The index is a script, because a browser reads no other file of a page that is opened from file://.
(function () {
  'use strict';
  const input = document.getElementById('mkdocs-search-query');
  const list = document.getElementById('mkdocs-search-results');
  if (!input || !list) return;
  const most = 40;
  let asked = false;

  function load() {
    if (asked) return;
    asked = true;
    const script = document.createElement('script');
    script.src = base_url.replace(/\/?$/, '/') + 'search/index.js';
    script.onload = show;
    script.onerror = () => (list.textContent = 'The index of the search, search/index.js, could not be read.');
    document.head.append(script);
  }

  /** How well an entry answers: a name that is the word, one that begins with it, one that has it, then the text. */
  function worth(entry, words) {
    let sum = 0;
    for (const word of words) {
      const title = entry.low_title.indexOf(word);
      const text = entry.low_text.indexOf(word);
      if (title < 0 && text < 0) return 0;
      if (entry.low_title === word) sum += 1000;
      else if (title === 0) sum += 200;
      else if (title > 0) sum += 100;
      if (text >= 0) sum += 1 + Math.min(20, entry.low_text.split(word).length - 1);
    }
    return entry.location.includes('#') ? sum : sum * 1.5;  // a page before its parts
  }

  function excerpt(entry, word) {
    const at = Math.max(0, entry.low_text.indexOf(word));
    const from = Math.max(0, at - 60);
    return (from > 0 ? '… ' : '') + entry.text.slice(from, at + 140).replace(/\s+/g, ' ') + (at + 140 < entry.text.length ? ' …' : '');
  }

  function show() {
    const index = globalThis.cosmati_search;
    const words = input.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
    list.replaceChildren();
    if (!index || words.length === 0) return;
    for (const entry of index) {
      entry.low_title ??= entry.title.toLowerCase();
      entry.low_text ??= entry.text.toLowerCase();
    }
    const found = index.map((entry) => [worth(entry, words), entry]).filter(([w]) => w > 0).sort((a, b) => b[0] - a[0]);
    for (const [, entry] of found.slice(0, most)) {
      const article = document.createElement('article');
      const heading = document.createElement('h3');
      const link = document.createElement('a');
      const text = document.createElement('p');
      link.href = base_url.replace(/\/?$/, '/') + entry.location;
      link.textContent = entry.title;
      text.textContent = excerpt(entry, words[0]);
      heading.append(link);
      article.append(heading, text);
      list.append(article);
    }
    if (found.length === 0) list.textContent = `Nothing has all of: ${words.join(', ')}.`;
    else if (found.length > most) list.append(`${found.length - most} more; another word leaves fewer.`);
  }

  input.form.addEventListener('submit', (event) => {
    event.preventDefault();  // Enter opens what stands first
    list.querySelector('a')?.click();
  });
  input.addEventListener('focus', load);
  input.addEventListener('input', () => {
    load();
    show();
  });
  const term = new URLSearchParams(location.search).get('q');
  if (term) {
    input.value = term;
    load();
  }
})();
