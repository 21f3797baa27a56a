// SPDX-License-Identifier: Apache-2.0
// The inputs of a view, each with a place for what the library says of it.
import {element} from './dom.js';

const atoms = ['UniversalCopy<uint128_t>', 'UniversalCopy<uint64_t>', 'UniversalCopy<uint32_t>', 'UniversalCopy<uint16_t>', 'UniversalCopy<uint8_t>',
  'AutoVectorizingCopy', 'AutoVectorizingCopyWithAssumedAlignment<128>', 'DefaultCopy', 'SM80_CP_ASYNC_CACHEALWAYS<uint32_t>',
  'SM80_CP_ASYNC_CACHEALWAYS<uint64_t>', 'SM80_CP_ASYNC_CACHEALWAYS<uint128_t>', 'SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>', 'SM75_U32x1_LDSM_N',
  'SM75_U32x2_LDSM_N', 'SM75_U32x4_LDSM_N', 'SM75_U16x2_LDSM_T', 'SM75_U16x4_LDSM_T', 'SM75_U16x8_LDSM_T', 'SM90_U32x1_STSM_N', 'SM90_U32x2_STSM_N',
  'SM90_U32x4_STSM_N', 'SM90_U16x2_STSM_T', 'SM90_U16x4_STSM_T', 'SM90_U16x8_STSM_T'];
const spaces = ['', 'global', 'shared', 'global,shared', 'shared,global', 'global,global', 'shared,shared'];

const usual = new Set(['0']);  // texts of fields under "More" that say nothing

/** What the library calls an option is a field here. */
const spoken = {type: 'the value type', thr: 'the thread layout', val: 'the value layout', src: 'the source', dst: 'the destination',
  space: 'the memory', bounds: 'the bounds', arch: 'the architecture', operand: 'the operand of a product', mma: 'the product’s atom',
  'atom-layout': 'the layout of atoms', permutation: 'the permutation', atom: 'the atom', shape: 'the extents', permute: 'the order of the modes',
  bytes: 'the bytes of an element', threads: 'the threads of a block', a: 'A', b: 'B', c: 'C'};
const viewNames = {'tiled-copy': 'Tiled copy', check: 'Tiled copy', 'tiled-mma': 'Tiled MMA', eval: 'Algebra', plan: 'Plan'};
export function inWordsOfThePage(text) {
  const [sentence, ...rest] = text.split('\n');  // what was typed, and the caret below it, stay as they are
  const said = sentence
    .replace(/'cosmati (tiled-copy|check|tiled-mma|eval|plan)(?: --[a-z-]+)?'/g, (all, name) => `the page’s “${viewNames[name]}”`)
    .replace(/--([a-z-]+)/g, (all, name) => spoken[name] ?? all);
  return [said, ...rest].join('\n');
}

/** name, words, hint; `choices` makes a list, `suggestions` a text with a list. */
const fieldsOf = {
  copy: ({types, mma_atoms}) => [
    {name: 'atom', words: 'Atom', hint: 'As in CuTe, or a line make_tiled_copy(…)', suggestions: atoms},
    {name: 'type', words: 'Value type', hint: 'Of an element', choices: types},
    {name: 'thr', words: 'Thread layout', hint: '(m,n) → thread', unless: 'operand'},
    {name: 'val', words: 'Value layout', hint: '(m,n) → value', unless: 'operand'},
    {name: 'src', words: 'Source', hint: 'Its layout; empty: no costs', empty: '(4096,4096):(4096,1)'},
    {name: 'dst', words: 'Destination', hint: 'Its layout, swizzled or not', empty: 'Sw<3,3,3> o 0 o (64,4):(1,64)'},
    {name: 'space', words: 'Memory', hint: 'Of the tensors', choices: spaces, labels: {'': 'as usual: global to shared'}, more: true},
    {name: 'bounds', words: 'Bounds', hint: 'Extents, where tiles reach beyond', empty: '(70,101)', more: true},
    {name: 'arch', words: 'Architecture', hint: 'Empty: sm_90', empty: 'sm_90', more: true},
    {name: 'thread', words: 'Thread', hint: 'Whose first offsets are told', more: true},
    {name: 'operand', words: 'Operand of a product', hint: 'make_tiled_copy_A, B or C, in place of thread and value layout', choices: ['', 'A', 'B', 'C'], labels: {'': 'none'}, more: true},
    {name: 'mma', words: 'Its atom', hint: 'The matrix instruction', suggestions: mma_atoms, empty: 'SM80_16x8x16_F32F16F16F32_TN', more: true, of: 'operand'},
    {name: 'layout', words: 'Its layout of atoms', hint: '(M,N,K) → which one', empty: '(2,2,1)', more: true, of: 'operand'},
    {name: 'permutation', words: 'Its permutation', hint: 'Of M, N and K: the tile', empty: '(32,32,16)', more: true, of: 'operand'},
  ],
  mma: (about) => [
    {name: 'atom', words: 'Atom', hint: 'The instruction, as in CuTe', suggestions: about.mma_atoms},
    {name: 'layout', words: 'Layout of atoms', hint: '(M,N,K) → which one', empty: '(2,2,1)'},
    {name: 'permutation', words: 'Permutation', hint: 'Of M, N and K: the tile', empty: '(32,32,16)'},
    {name: 'a', words: 'A', hint: 'Layout of (M,K), for its partition', empty: '(128,64):(64,1)'},
    {name: 'b', words: 'B', hint: 'Layout of (N,K)', empty: '(128,64):(64,1)'},
    {name: 'c', words: 'C', hint: 'Layout of (M,N)', empty: '(128,128):(128,1)'},
  ],
  algebra: () => [
    {name: 'expression', words: 'Expression', hint: 'A layout, or any function of the algebra', tall: true},
    {name: 'bits', words: 'Bits of an element', hint: 'For banks and sectors', choices: ['8', '16', '32', '64', '128']},
  ],
  plan: () => [
    {name: 'src', words: 'Source', hint: 'Its layout, in elements'},
    {name: 'dst', words: 'Destination', hint: 'Its layout, the same shape'},
    {name: 'shape', words: 'Or: extents', hint: 'Of an array in C order', empty: '512,768,384'},
    {name: 'permute', words: 'Order of its modes', hint: 'As numpy’s transpose', empty: '2,0,1'},
    {name: 'bytes', words: 'Bytes of an element', hint: '', choices: ['1', '2', '4', '8', '16']},
    {name: 'threads', words: 'Threads of a block', hint: 'For a kernel of your own, by tiled copies', empty: '256'},
  ],
};

/** The sentence may be broken into lines, the text above the caret may not. */
function sentenceAndPlace(text) {
  const parts = /^([^]*\n)([^\n]*\n *\^)([^]*)$/.exec(text);
  return parts ? [parts[1], element('span', {class: 'place'}, parts[2]), parts[3]] : [text];
}

export class Fields {
  /** @param changed called with a field's name and text */
  constructor(form, about, changed) {
    this.form = form;
    this.about = about;
    this.changed = changed;
    this.inputs = {};
    this.view = null;
    this.closed = false;  // "More", by the reader
    form.addEventListener('submit', (e) => e.preventDefault());
  }
  /** Shows a view's fields, with these texts. */
  set(view, texts) {
    if (view !== this.view) this.build(view);
    for (const [name, input] of Object.entries(this.inputs)) {
      if (input.value !== texts[name]) input.value = texts[name];
      // What is told by a field under "More" is in sight.
      if (input.closest('details') && texts[name] && !usual.has(texts[name])) input.closest('details').open = true;
    }
    this.offer(texts);
  }
  /** Fields that belong to another one are hidden without it; the hint of those that it makes idle says so. */
  offer(texts) {
    for (const field of this.all) {
      const row = this.inputs[field.name].closest('.field');
      row.hidden = Boolean(field.of && !texts[field.of]);
      if (field.unless) row.querySelector('.hint').textContent = texts[field.unless] ? 'Not used: the product says it' : field.hint;
    }
  }
  /** Opens "More" where fields of it matter to what is shown, unless the reader has closed it. */
  reveal(names) {
    const more = this.form.querySelector('details');
    if (more && !this.closed && names.some((name) => more.contains(this.inputs[name] ?? null))) more.open = true;
  }
  build(view) {
    this.view = view;
    this.inputs = {};
    this.all = fieldsOf[view](this.about);
    this.closed = false;
    const less = this.all.filter((f) => !f.more).map((f) => this.row(f));
    const more = this.all.filter((f) => f.more).map((f) => this.row(f));
    this.form.replaceChildren(...less);
    const close = (e) => (this.closed = e.currentTarget.parentNode.open);
    if (more.length) this.form.append(element('details', {}, element('summary', {click: close}, 'More'), ...more));
  }
  row(field) {
    const id = `field-${field.name}`;
    const common = {id, name: field.name, 'aria-describedby': `${id}-hint ${id}-error`,
      input: (e) => this.changed(field.name, e.target.value)};
    const text = {...common, placeholder: field.empty, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off'};
    let input;
    if (field.choices) {
      input = element('select', common, field.choices.map((c) => element('option', {value: c}, field.labels?.[c] ?? c)));
    } else if (field.tall) {
      input = element('textarea', {...text, rows: '3'});
    } else {
      input = element('input', {...text, type: 'text', list: field.suggestions ? `${id}-list` : null});
    }
    this.inputs[field.name] = input;
    return element('div', {class: 'field'}, element('label', {for: id}, field.words),
      element('span', {class: 'hint', id: `${id}-hint`}, field.hint), input,
      field.suggestions ? element('datalist', {id: `${id}-list`}, field.suggestions.map((s) => element('option', {value: s}))) : null,
      element('pre', {class: 'error', id: `${id}-error`, role: 'alert', hidden: true}));
  }
  /** Puts the library's sentence beside the fields that it names. @returns whether there was a place for it */
  setError(error) {
    let placed = false;
    for (const [name, input] of Object.entries(this.inputs)) {
      const at = this.form.querySelector(`#field-${name}-error`);
      const mine = error && error.fields.includes(name);
      input.setAttribute('aria-invalid', String(Boolean(mine)));
      const text = mine && !placed ? inWordsOfThePage(error.text) : '';
      if (at.textContent !== text) at.replaceChildren(...sentenceAndPlace(text));
      at.hidden = text === '';
      if (mine) {
        placed = true;
        input.closest('details')?.setAttribute('open', '');
        input.closest('.field').hidden = false;
      }
    }
    return placed;
  }
}
