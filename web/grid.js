// SPDX-License-Identifier: Apache-2.0
// One grid of a picture on a canvas, as large as what is visible of it: only visible cells are ever drawn.
import {element} from './dom.js';
import {cellsOf, keyNames} from './library.js';
import {fellows, forgetFellows, isPinned, onFellows, pin, show} from './fellows.js';

const smallest = 2;      // pixels of a cell
const letter = 6.7;      // pixels of a letter of the cells' font
const usualFont = 11, smallFont = 9;  // pixels of the cells' letters
const headHeight = 20;
let theme = null;        // colours from style.css, read once
let palette = [];

export function setPalette(colors) {
  palette = colors;
}
export function colorOf(index) {
  return palette[index];
}
const schemes = globalThis.matchMedia?.('(prefers-color-scheme: dark)');

function themeNow() {
  if (theme) return theme;
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  theme = {paper: color('--paper'), cell: color('--cell'), ink: color('--ink'), quiet: color('--quiet'), ring: color('--ring'), outline: color('--outline')};
  return theme;
}

/** The colours of cells as pixels, from that of no colour on: as they are, and faint. */
function mosaicColors() {
  const t = themeNow();
  if (t.mosaic) return t.mosaic;
  const rgb = (color) => {
    const hex = color.length === 4 ? [...color.slice(1)].map((c) => c + c).join('') : color.slice(1);
    return [0, 2, 4].map((i) => Number.parseInt(hex.slice(i, i + 2), 16));
  };
  const under = rgb(t.paper);
  const pixel = (color, share) => {
    const [r, g, b] = color.map((x, i) => Math.round(share * x + (1 - share) * under[i]));
    return (255 << 24) | (b << 16) | (g << 8) | r;
  };
  const all = [t.cell, ...palette].map(rgb);
  t.mosaic = {bright: all.map((c) => pixel(c, 1)), faint: all.map((c) => pixel(c, 0.2))};
  return t.mosaic;
}

export class Grid {
  /** @param tell called with a sentence on the cell that is pointed at */
  constructor(tell) {
    this.tell = tell;
    this.shown = 'label';
    this.full = false;     // cells at their natural size, scrolled; else all of them in sight
    this.cursor = null;    // {row, column}; -1 is the heading
    this.canvas = element('canvas', {'aria-hidden': 'true'});
    this.spacer = element('div', {class: 'spacer'}, this.canvas);
    this.box = element('div', {class: 'cells', tabindex: '0', role: 'application', 'aria-roledescription': 'table of cells',
      scroll: () => this.draw(),
      pointermove: (e) => this.point(e), pointerdown: (e) => this.point(e), pointerleave: () => this.leave(),
      click: () => this.click(), keydown: (e) => this.key(e), blur: () => this.blur(), focus: () => this.focus()},
    this.spacer);
    this.caption = element('div', {class: 'grid-title'});
    this.node = element('div', {class: 'grid'}, this.caption, this.box);
    this.stopListening = onFellows(() => this.draw());
    // What is out of sight is drawn when it comes into sight.
    this.inSight = true;
    this.sight = new IntersectionObserver((entries) => {
      this.inSight = entries[entries.length - 1].isIntersecting;
      if (this.inSight && this.late) this.draw();
    }, {rootMargin: '200px'});
    this.sight.observe(this.box);
    this.onScheme = () => {
      theme = null;
      this.draw();
    };
    schemes?.addEventListener('change', this.onScheme);
  }
  remove() {
    this.stopListening();
    this.sight.disconnect();
    schemes?.removeEventListener('change', this.onScheme);
    this.node.remove();
  }

  /** Another content in the same place. */
  set(picture, index, words) {
    this.words = words;
    const n = words.rows * words.columns;
    this.data = cellsOf(picture, index, n, words.outlines);
    this.measure();
    this.keys = keyNames.slice(1).filter((name) => this.data.keys[name].some((x) => x >= 0) || (name === 'thread' && words.lanes));
    this.caption.replaceChildren(element('span', {}, words.title), element('span', {class: 'axes'}, words.axes ?? ''));
    this.caption.hidden = words.title === '' && !words.axes;
    const name = words.title || 'cells';
    this.box.setAttribute('aria-label', `${name}: ${words.rows} rows, ${words.columns} columns. Arrow keys move, Enter keeps the marked cells, Escape lets them go.`);
    if (this.cursor && (this.cursor.row >= words.rows || this.cursor.column >= words.columns)) this.cursor = null;
  }

  /** What cells and labels show: 'label' is what the library writes, a label a vector; else a key, or the coordinate. */
  setShown(shown) {
    this.shown = shown;
    this.measure();
  }
  /** How many letters stand in a cell, and how many a label has for each of its cells: in one line, and in several. */
  measure() {
    const labels = this.shown === 'label' ? this.words.labels : null;
    this.covered = null;
    let cells = this.data.texts.longest();
    if (this.shown !== 'label') {
      let letters = 1;
      for (let i = 0; i < this.data.keys.color.length; ++i) letters = Math.max(letters, this.textOf(i).length);
      cells = {letters, lines: 1};
    }
    if (!labels) {
      this.forms = [{labels: [], longest: cells}];
      [this.form] = this.forms;
      return;
    }
    this.covered = this.coveredCells(labels);
    cells = {letters: 0, lines: 0};
    for (let i = 0; i < this.covered.length; ++i) {
      if (this.covered[i]) continue;
      const lines = this.data.texts.at(i).split('\n');
      cells = {letters: Math.max(cells.letters, ...lines.map((line) => line.length)), lines: Math.max(cells.lines, lines.length)};
    }
    this.forms = [false, true].map((stacked) => {
      const all = labels.map((text, i) => this.labelOf(text, i, stacked)).filter((l) => l);
      const longest = {...cells};
      for (const l of all) {
        longest.letters = Math.max(longest.letters, l.letters / l.columns);
        longest.lines = Math.max(longest.lines, l.lines.length / l.rows);
      }
      return {labels: all, longest};
    });
    [this.form] = this.forms;
  }
  coveredCells(labels) {
    const {columns} = this.words, o = this.data.outlines;
    const covered = new Uint8Array(this.data.keys.color.length);
    labels.forEach((text, i) => {
      for (let r = 0; text && r < o[4 * i + 2]; ++r) {
        const from = (o[4 * i] + r) * columns + o[4 * i + 1];
        covered.fill(1, from, from + o[4 * i + 3]);
      }
    });
    return covered;
  }
  /** A label in one line where it is wider than high, unless it is to be as narrow as it can. */
  labelOf(text, index, stacked) {
    if (!text) return null;
    const [rows, columns] = this.data.outlines.subarray(4 * index + 2, 4 * index + 4);
    const lines = columns > rows && !stacked ? [text.replaceAll('\n', ' ')] : text.split('\n');
    return {index, rows, columns, lines, letters: Math.max(...lines.map((line) => line.length))};
  }
  get longest() {
    return this.form.longest;
  }
  /** Pixels of a letter, of the size that was chosen. */
  get letter() {
    return (letter * this.font) / usualFont;
  }
  /** The width that a cell needs at least, with small letters. */
  least() {
    return (this.forms[this.forms.length - 1].longest.letters * letter * smallFont) / usualFont + (this.covered ? 0 : 3);
  }
  /** The largest letters, and labels in one line, that fit cells of that many pixels. */
  choose(room) {
    this.font = usualFont;
    [this.form] = this.forms;
    for (const [form, font] of [[0, usualFont], [this.forms.length - 1, usualFont], [this.forms.length - 1, smallFont]]) {
      const width = (this.forms[form].longest.letters * letter * font) / usualFont + (this.covered ? 0 : 3);
      if (room < width) continue;
      this.form = this.forms[form];
      this.font = font;
      return;
    }
  }
  textOf(cell) {
    if (this.shown === 'label') return this.data.texts.at(cell);
    if (this.shown === 'coordinate') return `${Math.floor(cell / this.words.columns)},${cell % this.words.columns}`;
    const value = this.data.keys[this.shown][cell];
    return value < 0 ? '' : String(value);
  }
  /** What a reader may choose to see in the cells. */
  choices() {
    return ['label', 'coordinate', ...keyNames.slice(1).filter((name) => this.data.keys[name].some((x) => x >= 0))];
  }

  rowHeading(row) {
    return this.words.row_label ? this.words.row_label[row] : String(row);
  }
  columnHeading(column) {
    return this.words.column_label ? this.words.column_label[column] : String(column);
  }

  /** Would the letters of all cells fit? */
  legibleIn(available) {
    return (available - 30) / this.words.columns >= this.least();
  }
  /** Sizes for a place of that many pixels. */
  place(available) {
    const {rows, columns} = this.words;
    this.choose(Infinity);
    const natural = Math.max(this.covered ? 4 : 34, this.longest.letters * letter + (this.covered ? 2 : 8));
    let label = 1;
    for (let row = 0; row < rows; ++row) label = Math.max(label, this.rowHeading(row).length);
    this.headWidth = label * letter + 10;
    const room = (available - this.headWidth - 2) / columns;
    this.fits = room >= natural;
    this.choose(this.full || this.fits ? natural : room);
    const {lines} = this.longest;
    const naturalHeight = lines > 2 ? 10 + 12 * lines : lines === 2 ? 32 : lines >= 1 ? 25 : Math.max(4, 16 * lines);
    if (this.full || this.fits) {
      this.cellWidth = natural;
      this.cellHeight = naturalHeight;
    } else {
      const legible = this.least();
      this.cellWidth = Math.max(smallest, room);
      this.cellHeight = room >= legible ? naturalHeight : Math.min(naturalHeight, Math.max(this.cellWidth, Math.min(16, 300 / rows)));
    }
    const width = this.headWidth + columns * this.cellWidth + 1;
    const height = headHeight + rows * this.cellHeight + 1;
    this.width = Math.min(available, width);
    this.height = Math.min(height, Math.max(260, innerHeight * 0.78));
    const scrolls = width > this.width + 1 || height > this.height + 1;
    this.spacer.style.width = `${width}px`;
    this.spacer.style.height = `${height}px`;
    this.box.style.width = `${Math.ceil(this.width) + (height > this.height + 1 ? 14 : 0)}px`;
    this.box.style.height = `${Math.ceil(this.height) + (width > this.width + 1 ? 14 : 0)}px`;
    this.box.classList.toggle('scrolls', scrolls);
    const ratio = devicePixelRatio || 1;
    const w = Math.round(this.width * ratio), h = Math.round(this.height * ratio);
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
      this.canvas.style.width = `${this.width}px`;
      this.canvas.style.height = `${this.height}px`;
    }
    this.draw();
  }

  lanesOf(cell) {
    return this.words.lanes?.[cell];
  }
  /** Is the cell one of those that are shown? */
  belongs(cell, which) {
    if (which.key === 'thread') {
      const lanes = this.lanesOf(cell);
      if (lanes) return lanes.some((lane) => which.values.has(lane));
    }
    return which.values.has(this.data.keys[which.key][cell]);
  }

  draw() {
    if (!this.words || !this.cellWidth) return;
    this.late = !this.inSight;
    if (this.late) return;
    const t = themeNow();
    const context = this.canvas.getContext('2d');
    const ratio = this.canvas.width / this.width;
    const {rows, columns} = this.words;
    const left = this.box.scrollLeft, top = this.box.scrollTop;
    const cw = this.cellWidth, ch = this.cellHeight;
    const x0 = this.headWidth - left, y0 = headHeight - top;
    const span = (from, size, extent, count) => [Math.max(0, Math.floor(from / size)), Math.min(count, Math.ceil((from + extent) / size))];
    const [c0, c1] = span(left, cw, this.width - this.headWidth, columns);
    const [r0, r1] = span(top, ch, this.height - headHeight, rows);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = t.paper;
    context.fillRect(0, 0, this.width, this.height);
    const marks = fellows();
    const which = marks && this.keys.includes(marks.key) ? marks : null;  // what has no threads is not dimmed by one
    const gap = cw >= 8 && ch >= 8 ? 1 : 0;
    const texts = cw >= this.longest.letters * this.letter && ch >= this.font * this.longest.lines;
    context.font = `${this.font}px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    if (gap === 0) this.drawMosaic(context, which, x0, y0);
    for (let r = r0; r < (gap === 0 ? r0 : r1); ++r) {
      for (let c = c0; c < c1; ++c) {
        const cell = r * columns + c;
        const color = this.data.keys.color[cell];
        const bright = which === null || this.belongs(cell, which);
        context.globalAlpha = bright ? 1 : 0.2;
        context.fillStyle = color < 0 ? t.cell : palette[color];
        context.fillRect(x0 + c * cw, y0 + r * ch, cw - gap, ch - gap);
        if (!texts) continue;
        const text = this.covered?.[cell] ? '' : this.textOf(cell);
        if (text === '') continue;
        context.globalAlpha = bright ? 1 : 0.35;
        context.fillStyle = color < 0 || !bright ? t.ink : '#111';
        const lines = text.split('\n');
        lines.forEach((line, i) =>
          context.fillText(line, x0 + c * cw + cw / 2, y0 + r * ch + ch / 2 + (i - (lines.length - 1) / 2) * (this.font + 1)));
      }
    }
    context.globalAlpha = 1;
    if (cw >= 7 || this.covered) this.drawOutlines(context, t, which, x0, y0);
    this.drawLabels(context, t, which, x0, y0);
    this.drawHeadings(context, t, c0, c1, r0, r1, x0, y0);
    this.drawCursor(context, t, x0, y0);
  }
  /** Cells too small for lines and letters: one pixel each, and the canvas makes them larger. */
  drawMosaic(context, which, x0, y0) {
    const {rows, columns} = this.words;
    const colors = mosaicColors();
    this.mosaic ??= document.createElement('canvas');
    if (this.mosaic.width !== columns || this.mosaic.height !== rows) [this.mosaic.width, this.mosaic.height] = [columns, rows];
    const of = this.mosaic.getContext('2d');
    const image = of.createImageData(columns, rows);
    const pixels = new Uint32Array(image.data.buffer);
    const color = this.data.keys.color;
    for (let cell = 0; cell < pixels.length; ++cell) {
      const bright = which === null || this.belongs(cell, which);
      pixels[cell] = (bright ? colors.bright : colors.faint)[color[cell] + 1];
    }
    of.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.mosaic, x0, y0, columns * this.cellWidth, rows * this.cellHeight);
  }
  /** A label in the middle of its outline, where it fits. */
  drawLabels(context, t, which, x0, y0) {
    const o = this.data.outlines, cw = this.cellWidth, ch = this.cellHeight, {columns} = this.words;
    for (const l of this.form.labels) {
      if (l.columns * cw < l.letters * this.letter || l.rows * ch < this.font * l.lines.length) continue;
      const y = y0 + o[4 * l.index] * ch, x = x0 + o[4 * l.index + 1] * cw;
      if (x > this.width || y > this.height || x + l.columns * cw < 0 || y + l.rows * ch < 0) continue;
      const cell = o[4 * l.index] * columns + o[4 * l.index + 1];
      const bright = which === null || this.belongs(cell, which);
      context.globalAlpha = bright ? 1 : 0.35;
      context.fillStyle = this.data.keys.color[cell] < 0 || !bright ? t.ink : '#111';
      l.lines.forEach((line, i) =>
        context.fillText(line, x + (l.columns * cw) / 2, y + (l.rows * ch) / 2 + (i - (l.lines.length - 1) / 2) * (this.font + 1)));
    }
    context.globalAlpha = 1;
  }
  drawOutlines(context, t, which, x0, y0) {
    const o = this.data.outlines, cw = this.cellWidth, ch = this.cellHeight;
    context.strokeStyle = t.outline;
    context.lineWidth = cw >= 20 ? 1.5 : 1;
    context.beginPath();
    for (let i = 0; i < o.length; i += 4) {
      const y = y0 + o[i] * ch, x = x0 + o[i + 1] * cw;
      if (x > this.width || y > this.height || x + o[i + 3] * cw < 0 || y + o[i + 2] * ch < 0) continue;
      if (which !== null && !this.belongs(o[i] * this.words.columns + o[i + 1], which)) continue;
      context.rect(x + 0.5, y + 0.5, o[i + 3] * cw - 2, o[i + 2] * ch - 2);
    }
    context.stroke();
  }
  /** They stay in sight while the cells scroll. */
  drawHeadings(context, t, c0, c1, r0, r1, x0, y0) {
    context.fillStyle = t.paper;
    context.fillRect(0, 0, this.width, headHeight - 1);
    context.fillRect(0, 0, this.headWidth - 2, this.height);
    context.fillStyle = t.quiet;
    const widest = Math.max(this.columnHeading(this.words.columns - 1).length, this.columnHeading(0).length) * letter + 6;
    const everyColumn = niceStep(widest / this.cellWidth), everyRow = niceStep(13 / this.cellHeight);
    for (let c = c0; c < c1; ++c) {
      const x = x0 + c * this.cellWidth + this.cellWidth / 2;
      if (c % everyColumn === 0 && x > this.headWidth) context.fillText(this.columnHeading(c), x, headHeight / 2);
    }
    context.textAlign = 'right';
    for (let r = r0; r < r1; ++r) {
      const y = y0 + r * this.cellHeight + this.cellHeight / 2;
      if (r % everyRow === 0 && y > headHeight) context.fillText(this.rowHeading(r), this.headWidth - 6, y);
    }
  }
  drawCursor(context, t, x0, y0) {
    if (!this.cursor || document.activeElement !== this.box) return;
    const {row, column} = this.cursor, cw = this.cellWidth, ch = this.cellHeight;
    const x = column < 0 ? 1 : x0 + column * cw, y = row < 0 ? 1 : y0 + row * ch;
    context.strokeStyle = t.ring;
    context.lineWidth = 2.5;
    context.strokeRect(x, y, (column < 0 ? this.headWidth - 2 : cw) - 1, (row < 0 ? headHeight : ch) - 1);
  }

  cellAt(event) {
    const at = this.canvas.getBoundingClientRect();
    const x = event.clientX - at.left, y = event.clientY - at.top;
    const column = x < this.headWidth ? -1 : Math.floor((x - this.headWidth + this.box.scrollLeft) / this.cellWidth);
    const row = y < headHeight ? -1 : Math.floor((y - headHeight + this.box.scrollTop) / this.cellHeight);
    const inside = row < this.words.rows && column < this.words.columns && (row >= 0 || column >= 0);
    return inside ? {row, column} : null;
  }
  /** The cells of a place: one, or a row's or column's of its heading. */
  cellsOfPlace({row, column}) {
    const {rows, columns} = this.words;
    const cells = [];
    for (let r = row < 0 ? 0 : row; r < (row < 0 ? rows : row + 1); ++r) {
      for (let c = column < 0 ? 0 : column; c < (column < 0 ? columns : column + 1); ++c) cells.push(r * columns + c);
    }
    return cells;
  }
  keysOf(cells) {
    const all = {};
    for (const name of keyNames.slice(1)) all[name] = new Set();
    for (const cell of cells) {
      for (const name of keyNames.slice(1)) {
        const value = this.data.keys[name][cell];
        if (value >= 0) all[name].add(value);
      }
      for (const lane of this.lanesOf(cell) ?? []) all.thread.add(lane);
    }
    return all;
  }
  mark(place) {
    const cells = this.cellsOfPlace(place);
    show(this.keysOf(cells));
    if (!isPinned()) this.tell(this.sentence(place, cells));
  }
  /** "row 3, column 5: thread 12, value 1, offset 35, bank 17" */
  sentence(place, cells) {
    const where = place.row < 0 ? `column ${this.columnHeading(place.column)}`
      : place.column < 0 ? `row ${this.rowHeading(place.row)}`
      : `row ${this.rowHeading(place.row)}, column ${this.columnHeading(place.column)}`;
    const parts = [];
    if (cells.length === 1) {
      const lanes = this.lanesOf(cells[0]);
      if (lanes) parts.push(`lanes ${this.data.texts.at(cells[0])}`);
      for (const name of keyNames.slice(1)) {
        const value = this.data.keys[name][cells[0]];
        if (value >= 0) parts.push(`${name} ${value}`);
      }
      if (parts.length === 0) parts.push(this.data.texts.at(cells[0]).replaceAll('\n', ' ') || 'nothing');
    }
    const which = fellows();
    const few = which && [...which.values].slice(0, 4).join(', ') + (which.values.size > 4 ? ', …' : '');
    return `${where}${parts.length ? ': ' + parts.join(', ') : ''}` + (which ? `. Marked: ${which.key} ${few}` : '');
  }

  point(event) {
    const place = this.cellAt(event);
    if (!place) return this.leave();
    if (this.cursor?.row === place.row && this.cursor?.column === place.column && fellows()) return;
    this.cursor = place;
    this.mark(place);
  }
  leave() {
    if (document.activeElement !== this.box) this.cursor = null;
    show(null);
  }
  click() {
    if (pin()) return;
    if (this.cursor) this.mark(this.cursor);
  }
  focus() {
    if (!this.words) return;
    this.cursor ??= {row: 0, column: 0};
    if (this.box.matches(':focus-visible')) this.mark(this.cursor);
    this.draw();
  }
  blur() {
    show(null);
    this.draw();
  }
  key(event) {
    const moves = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
    if (event.key === 'Enter' || event.key === ' ') {
      this.click();
    } else if (event.key === 'Escape') {
      forgetFellows();
    } else if (moves[event.key] || event.key === 'Home' || event.key === 'End') {
      const {rows, columns} = this.words;
      const at = this.cursor ?? {row: 0, column: 0};
      const next = {row: at.row + (moves[event.key]?.[0] ?? 0), column: at.column + (moves[event.key]?.[1] ?? 0)};
      if (event.key === 'Home') next.column = 0;
      if (event.key === 'End') next.column = columns - 1;
      next.row = Math.max(-1, Math.min(rows - 1, next.row));
      next.column = Math.max(-1, Math.min(columns - 1, next.column));
      if (next.row >= 0 || next.column >= 0) this.cursor = next;
      this.scrollTo(this.cursor);
      this.mark(this.cursor);
      this.draw();
    } else {
      return;
    }
    event.preventDefault();
  }
  scrollTo({row, column}) {
    const see = (from, size, start, extent) => {
      if (from < start) return from;
      return from + size > start + extent ? from + size - extent : start;
    };
    if (column >= 0) this.box.scrollLeft = see(column * this.cellWidth, this.cellWidth, this.box.scrollLeft, this.width - this.headWidth);
    if (row >= 0) this.box.scrollTop = see(row * this.cellHeight, this.cellHeight, this.box.scrollTop, this.height - headHeight);
  }
}

/** 1, 2, 4, 8, ...: every how many headings one is written. */
function niceStep(least) {
  let step = 1;
  while (step < least) step *= 2;
  return step;
}
