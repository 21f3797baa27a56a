// SPDX-License-Identifier: Apache-2.0
// A matrix instruction, or many next to each other: who holds which elements of A, B and C.
import {copyButton, element, fill} from './dom.js';
import {ask} from './library.js';
import {Gallery} from './picture.js';
import {facts, linksTo, quoted} from './view_copy.js';

export class MmaView {
  /** @param tell a sentence for the reader */
  constructor(node, change, tell) {
    this.pictures = new Gallery(tell);
    this.facts = element('div', {class: 'facts'});
    this.buttons = element('div', {class: 'bar wide'},
      copyButton('Copy C++', () => this.answer.cpp), copyButton('Copy CuTe', () => this.answer.cute),
      copyButton('Copy command', () => mmaCommand(this.asked), 'Copy the command that says the same'));
    this.part = element('div', {class: 'part'}, this.buttons, this.pictures.node, this.facts);
    node.replaceChildren(this.part);
  }
  /** @returns the error, or nothing */
  update(fields) {
    const answer = ask({what: 'mma', ...fields});
    this.part.classList.toggle('stale', !answer.figures);
    this.part.hidden = !answer.figures && !this.answer;  // nothing yet that could stay
    if (!answer.figures) return answer.error;
    this.asked = fields;
    this.answer = answer;
    this.pictures.show(answer.figures, {product: 'Who holds what of A, B and C'});
    this.showFacts(answer);
    return answer.error;
  }
  summary() {
    const {mma} = this.answer ?? {};
    return mma ? `Tile ${mma.tile.join(' × ')}, ${mma.threads} threads` : '';
  }
  keys() {
    return this.pictures.keys();
  }
  place() {
    this.pictures.place();
  }
  showFacts({mma, too_large}) {
    const {types} = mma;
    const rows = [
      ['Tile (M, N, K)', mma.tile.join(' × ')], ['Threads', mma.threads], ['D = A B + C', `${types.d} = ${types.a} ${types.b} + ${types.c}`],
      ['Threads: (T, M, N, K) → number', mma.thr_layout_vmnk],
      ...['a', 'b', 'c'].map((x) => [`${x.toUpperCase()}: (thread, value) → tile`, mma[`layout_${x}_tv`]]),
      ...['a', 'b', 'c'].filter((x) => mma[`partition_${x}`]).map((x) => [`${x.toUpperCase()}, a thread’s part`, mma[`partition_${x}`]]),
      ['The atom (M, N, K)', mma.shape_mnk.join(' × ')], ['Its threads', mma.thr_id],
      ...['a', 'b', 'c'].map((x) => [`Its ${x.toUpperCase()}`, mma[`atom_${x}_tv`]]),
    ];
    fill(this.facts, too_large ? element('p', {class: 'note'}, too_large) : null, facts(rows),
      linksTo(['make_tiled_mma', 'partition_A', 'make_tiled_copy_A', 'gemm', 'cooperative_gemm']), mma.notes.map((note) => element('p', {class: 'note'}, note)));
  }
}

/** What to type in a shell for the same answers. */
export function mmaCommand(fields) {
  const options = [['atom', 'atom'], ['atom-layout', 'layout'], ['permutation', 'permutation'], ['a', 'a'], ['b', 'b'], ['c', 'c']];
  return 'cosmati tiled-mma ' + options.filter(([, name]) => fields[name]).map(([option, name]) => `--${option} ${quoted(fields[name])}`).join(' ');
}
