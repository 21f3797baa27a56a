// SPDX-License-Identifier: Apache-2.0
// A picture: its words, its grids, and what can be done with it.
import {capital, copyButton, element, fill, saveText} from './dom.js';
import {Grid, colorOf} from './grid.js';
import {ask} from './library.js';

/** One <figure>, which takes other pictures of the same kind without being built anew. */
export class Picture {
  constructor(tell) {
    this.tell = tell;
    this.grids = [];
    this.title = element('figcaption');
    this.notes = element('div', {class: 'words'});
    this.key = element('div', {class: 'key'});
    this.signs = element('div', {class: 'words'});
    this.shown = element('select', {'aria-label': 'What the cells show', change: () => this.show(this.shown.value)});
    this.row = element('div', {class: 'grids'});
    this.sizes = element('button', {type: 'button', 'aria-pressed': 'false', click: () => this.toggleSize()}, 'Full size');
    this.bar = element('div', {class: 'bar'}, this.shown, this.sizes,
      copyButton('Copy Typst', () => this.exported('typst'), 'Copy this picture as Typst'),
      element('button', {type: 'button', 'aria-label': 'Save this picture as SVG',
        click: () => saveText('cosmati.svg', this.exported('svg'), 'image/svg+xml')}, 'Save SVG'));
    this.node = element('figure', {class: 'picture'}, element('div', {class: 'top'}, this.title, this.bar), this.notes, this.key, this.row, this.signs);
  }
  exported(format) {
    const text = ask({what: 'export', figure: this.words.id, format}).text;
    document.body.dataset.exported = text.slice(0, 400);
    return text;
  }
  remove() {
    for (const grid of this.grids) grid.remove();
    this.node.remove();
  }

  set(words, heading) {
    this.words = words;
    this.node.dataset.role = words.role;
    this.title.textContent = heading ?? capital(words.title);
    fill(this.notes, words.words.map((line) => element('div', {}, line)));
    fill(this.signs, (words.notes ?? []).map((line) => element('div', {}, line)));
    fill(this.key, words.caption ? [words.caption, ...words.key.map(([color, text]) =>
      element('span', {}, element('i', {style: `background:${colorOf(color)}`}), text))] : []);
    while (this.grids.length > words.grids.length) this.grids.pop().remove();
    while (this.grids.length < words.grids.length) {
      const grid = new Grid(this.tell);
      this.grids.push(grid);
      this.row.append(grid.node);
    }
    this.grids.forEach((grid, i) => grid.set(words.id, i, words.grids[i]));
    this.full = this.full ?? false;
    const choices = [...new Set(this.grids.flatMap((grid) => grid.choices()))];
    if (!choices.includes(this.shown.value)) this.grids.forEach((grid) => grid.setShown('label'));
    fill(this.shown, choices.map((name) => element('option', {value: name, selected: name === (this.grids[0]?.shown ?? 'label') || null}, name === 'label' ? 'labels' : `${name}s`)));
    this.shown.hidden = choices.length <= 2;
  }
  /** Lays the grids out in the width that there is: side by side where cells stay legible. */
  place() {
    const room = this.node.clientWidth - 2;
    if (room <= 0 || !this.words) return;
    const columns = Math.max(...this.words.grids.map((g) => g.right), 0) + 1;
    const gap = 20;
    // Grids one below the other have one width; those of more columns have more of the room.
    const widest = Array.from({length: columns}, (_, i) => Math.max(1, ...this.grids.filter((g) => g.words.right === i).map((g) => g.words.columns * g.least() + 40)));
    const all = widest.reduce((sum, n) => sum + n, 0);
    const share = (grid) => ((room - gap * (columns - 1)) * widest[grid.words.right]) / all;
    // Flat pictures are better one above the other, where that makes their cells larger.
    const flat = this.grids.every((grid) => grid.words.rows <= 12 && !grid.legibleIn(share(grid) - 15));
    const beside = columns > 1 && room >= 560 && !flat;
    this.row.classList.toggle('crossed', beside);
    for (const grid of this.grids) {
      grid.full = this.full;
      grid.node.style.gridArea = beside ? `${grid.words.down + 1} / ${grid.words.right + 1}` : '';
      // A grid that is narrow leaves its room to none: sizes must not jump while one types.
      grid.place(this.grids.length === 1 ? room : (beside ? share(grid) : room) - 15);
    }
    const small = this.grids.some((grid) => !grid.fits);
    this.sizes.hidden = !small;
  }
  show(name) {
    for (const grid of this.grids) grid.setShown(grid.choices().includes(name) ? name : 'label');
    this.place();
  }
  toggleSize() {
    this.full = !this.full;
    this.sizes.textContent = this.full ? 'Fit' : 'Full size';
    this.sizes.setAttribute('aria-pressed', String(this.full));
    this.place();
  }
}

/** The pictures of one part of the page, in their order. */
export class Gallery {
  constructor(tell) {
    this.tell = tell;
    this.pictures = [];
    this.node = element('div', {class: 'gallery'});
  }
  /** @param headings role -> heading */
  show(figures, headings = {}) {
    while (this.pictures.length > figures.length) this.pictures.pop().remove();
    while (this.pictures.length < figures.length) {
      const picture = new Picture(this.tell);
      this.pictures.push(picture);
      this.node.append(picture.node);
    }
    this.pictures.forEach((picture, i) => picture.set(figures[i], headings[figures[i].role]));
    this.place();
  }
  place() {
    for (const picture of this.pictures) picture.place();
  }
  /** What its cells have in common with others. */
  keys() {
    return this.pictures.flatMap((picture) => picture.grids.flatMap((grid) => grid.keys));
  }
}
