// SPDX-License-Identifier: Apache-2.0
// The tiled copy: who moves what, its partitions, whether it is right, and what it costs.
import {capital, copyButton, element, fill} from './dom.js';
import {ask} from './library.js';
import {pageOf} from './links.js';
import {Gallery} from './picture.js';

const headings = {copy: 'Who moves what', 'source tile': 'Source: offsets of the first tile', 'destination tile': 'Destination: offsets of the first tile'};

export class CopyView {
  /** @param change (fields) => changes the inputs, @param tell a sentence for the reader */
  constructor(node, change, tell) {
    this.change = change;
    this.copyPictures = new Gallery(tell);
    this.costPictures = new Gallery(tell);
    this.facts = element('div', {class: 'facts'});
    this.verdicts = element('div', {class: 'verdicts'});
    this.buttons = element('div', {class: 'bar wide'},
      copyButton('Copy C++', () => this.answer.cpp), copyButton('Copy CuTe', () => this.answer.cute),
      copyButton('Copy command', () => command({...this.asked, ...this.answer.taken}), 'Copy the command that says the same'));
    this.tensors = element('div', {class: 'part'}, this.verdicts, this.costPictures.node);
    this.copyPart = element('div', {class: 'part'}, this.buttons, this.copyPictures.node, this.facts);
    node.replaceChildren(this.tensors, this.copyPart);  // the verdict first
  }
  /** @returns the error, or nothing */
  update(fields) {
    const question = {what: 'copy', ...fields};
    question.thread = Number.parseInt(fields.thread, 10) || 0;
    const answer = ask(question);
    this.copyPart.classList.toggle('stale', !answer.figures);
    this.copyPart.hidden = !answer.figures && !this.answer;  // nothing yet that could stay
    this.tensors.classList.toggle('stale', Boolean(answer.error) && !answer.check);
    if (!answer.figures) return answer.error;
    this.asked = fields;
    this.answer = answer;
    const of = (...roles) => answer.figures.filter((f) => roles.includes(f.role));
    this.copyPictures.show(of('copy'), headings);
    this.showFacts(answer, question.thread);
    const hasTensors = fields.src !== '' || fields.dst !== '';
    this.tensors.hidden = !hasTensors || Boolean(answer.atom);
    if (answer.check || this.tensors.hidden) {
      this.showVerdicts(answer.check);
      this.costPictures.show(of('source cost', 'source tile', 'destination cost', 'destination tile').sort(byOrder), headings);
    }
    return answer.error;
  }
  /** Fields under "More" that what is shown depends on. */
  matters() {
    const {src, dst, operand} = this.asked ?? {};
    const names = src || dst ? ['space', 'thread'] : [];
    if (operand) names.push('operand');
    if (/^(out_of_bounds|bounds)$/.test(this.answer?.check?.verify.fault)) names.push('bounds');
    return names;
  }
  /** One line for who sees no more of the page. */
  summary() {
    const {check, copy, atom} = this.answer ?? {};
    if (check) {
      const sides = [check.source, check.destination].filter((side) => side).map((side) => side.verdict.split(':')[0]);
      return `${check.verify.ok ? 'Right' : 'Wrong'}: ${check.verify.ok ? sides.join('; ') : check.verify.message}`;
    }
    return copy ? `Tile ${copy.tiler}, ${copy.threads} threads, ${copy.values} values each` : atom ? atom.name : '';
  }
  keys() {
    return [...this.copyPictures.keys(), ...(this.tensors.hidden ? [] : this.costPictures.keys())];
  }
  place() {
    this.copyPictures.place();
    this.costPictures.place();
  }
  showFacts(answer, thread) {
    const c = answer.copy;
    if (answer.atom) return this.showAtom(answer.atom);
    if (!c) return;
    const rows = [['Tile', c.tiler], ['Threads', c.threads], ['Values of each', c.values], ['(thread, value) → tile', c.layout_tv]];
    if (c.src_tv !== c.dst_tv) rows.push(['of the source', c.src_tv], ['of the destination', c.dst_tv]);
    for (const side of ['src', 'dst']) {
      if (!c[`partition_${side}`]) continue;
      const name = side === 'src' ? 'Source' : 'Destination';
      rows.push([`${name}, a thread’s part`, c[`partition_${side}`]]);
      if (c[`${side}_offsets`]) rows.push([`${name}, thread ${thread} begins at`, c[`${side}_offsets`][0]]);
    }
    fill(this.facts, answer.too_large ? element('p', {class: 'note'}, answer.too_large) : null,
      facts(rows), pagesOf(answer, this.asked),
      c.notes.map((note) => element('p', {class: 'note'}, note)));
  }
  showAtom(atom) {
    fill(this.facts, facts([['Threads of the atom', atom.threads], ['Its source', atom.val_layout_src], ['Its destination', atom.val_layout_dst],
      ['Its reference', atom.val_layout_ref]]), element('p', {class: 'note'}, 'With a thread and a value layout it becomes a tiled copy.'));
  }
  showVerdicts(check) {
    if (!check) return this.verdicts.replaceChildren();
    const cards = [check.source && this.card('Source', check.source), check.destination && this.card('Destination', check.destination)];
    const vector = check.vector ? ` Vectors of ${check.vector.bytes} bytes: ${check.vector.why_not_wider}.` : '';
    this.verdicts.replaceChildren(
      element('h2', {}, 'Is it right, and what does it cost?'),
      element('p', {class: check.verify.ok ? 'right' : 'wrong'}, element('strong', {}, check.verify.ok ? 'Right. ' : 'Wrong. '), `${capital(check.verify.message)}.${vector}`),
      element('div', {class: 'cards'}, cards), ...check.notes.map((note) => element('p', {class: 'note'}, note)));
    this.showUndo();
  }
  /** As long as the advice stands as it was taken. */
  showUndo() {
    this.verdicts.querySelector('.undo')?.remove();
    if (!this.advised || Object.entries(this.advised.after).some(([key, text]) => this.asked[key] !== text)) return;
    const {before} = this.advised;
    this.verdicts.append(element('button', {type: 'button', class: 'try undo', click: () => {
      this.advised = null;
      this.change(before);
    }}, 'Undo the advice'));
  }
  card(name, side) {
    const better = side.advice ?? side.better;
    const share = Math.round(side.efficiency * 100);
    const rows = side.space === 'global'
      ? [['', 'here', 'needed'], ['instructions of warps', side.instructions, ''], ['sectors of 32 bytes', side.sectors, side.sectors_ideal],
         ['lines of 128 bytes', side.lines, side.lines_ideal], ['bytes', side.bytes_moved, side.bytes_used]]
      : [['', 'here', 'needed'], ['instructions of warps', side.instructions, ''], ['wavefronts', side.wavefronts, side.wavefronts_floor],
         ['bank conflicts', side.bank_conflicts, 0]];
    const table = element('table', {}, rows.map((row, i) => element('tr', {},
      row.map((cell, k) => element(i === 0 || k === 0 ? 'th' : 'td', {scope: i === 0 ? 'col' : k === 0 ? 'row' : null}, numbered(cell))))));
    return element('article', {class: 'card', 'data-side': name.toLowerCase()},
      element('h3', {}, `${name}: ${side.space} memory`, element('code', {}, side.instruction)),
      element('p', {class: 'verdict'}, capital(side.verdict)),
      element('div', {class: 'share', role: 'img', 'aria-label': `${share} % of what is moved is of use`},
        element('span', {style: `width:${share}%`}), element('b', {}, `${share} %`)),
      table, better ? this.tryButton(name, better) : null);
  }
  /** The library's advice, a click away. */
  tryButton(name, better) {
    const fields = {};
    for (const key of ['atom', 'thr', 'val']) if (better[key]) fields[key] = better[key];
    if (better.layout) fields[name === 'Source' ? 'src' : 'dst'] = better.layout;
    const before = Object.fromEntries(Object.keys(fields).map((key) => [key, this.asked[key]]));
    return element('button', {type: 'button', class: 'try', click: () => {
      this.change(fields);
      this.advised = {before, after: fields};
      this.showUndo();
    }}, 'Do as advised');
  }
}

/** Links to the pages of the functions that a program calls for this copy. */
function pagesOf(answer, fields) {
  const names = [fields.operand ? `make_tiled_copy_${fields.operand}` : 'make_tiled_copy', 'partition_S', 'partition_D', 'copy',
    ...(answer.check ? ['verify', 'copy_cost_of'] : [])];
  return linksTo(names);
}
/** Nothing where no page is known. */
export function linksTo(names) {
  const known = [...new Set(names)].filter((name) => pageOf(name));
  if (known.length === 0) return null;
  return element('p', {class: 'note pages'}, 'In the documents: ',
    known.flatMap((name, i) => [i === 0 ? '' : ', ', element('a', {href: pageOf(name), target: '_blank', rel: 'noopener'}, name)]));
}

/** Pairs of words and what they stand for. */
export function facts(rows) {
  return element('dl', {}, rows.flatMap(([name, text]) => [element('dt', {}, name), element('dd', {}, String(text))]));
}
function byOrder(a, b) {
  const rank = (f) => (f.role.startsWith('source') ? 0 : 2) + (f.role.endsWith('tile') ? 1 : 0);
  return rank(a) - rank(b);
}
function numbered(cell) {
  return typeof cell === 'number' ? cell.toLocaleString('en') : cell;
}

export function quoted(text) {
  return /^[A-Za-z0-9_.,:-]+$/.test(text) ? text : `'${text}'`;
}
/** What to type in a shell for the same answers. */
export function command(fields) {
  const name = fields.src || fields.dst ? 'check' : 'tiled-copy';
  const copied = fields.operand ? ['mma', 'layout', 'permutation', 'operand'] : ['thr', 'val'];
  const options = ['atom', 'type', ...copied, 'src', 'dst', ...(name === 'check' ? ['space', 'bounds', 'arch'] : [])];
  const named = (o) => (o === 'layout' ? 'atom-layout' : o);
  return `cosmati ${name} ` + options.filter((o) => fields[o]).map((o) => `--${named(o)} ${quoted(fields[o])}`).join(' ');
}
