// SPDX-License-Identifier: Apache-2.0
// What the page shows, and its form in the URL: #view=copy&thr=(8,4):(1,8)&...

const defaults = {
  view: 'copy',
  // Each warp reads a column of a matrix of floats in shared memory: 992 bank conflicts, and the advice that leaves none.
  copy: {atom: 'UniversalCopy<float>', type: 'float', thr: '(32,8)', val: '1:0', src: '(32,32):(32,1)', dst: '', space: 'shared', bounds: '', arch: '',
         thread: '0', operand: '', mma: '', layout: '', permutation: ''},
  mma: {atom: 'SM80_16x8x16_F32F16F16F32_TN', layout: '(2,2,1)', permutation: '(32,32,16)', a: '', b: '', c: ''},
  algebra: {expression: 'raked_product((8,4):(1,8), 8:1)', bits: '16', step: ''},
  plan: {src: '(4096,4096):(4096,1)', dst: '(4096,4096):(1,4096)', shape: '', permute: '', bytes: '4', threads: ''},
};

export function newState(from = {}) {
  const state = structuredClone(defaults);
  const view = defaults[from.view] ? from.view : defaults.view;
  state.view = view;
  state.beside = from.beside ?? '';  // another state, as its hash: it stands beside this one
  if (Object.keys(from).some((name) => name !== 'view' && name !== 'beside')) {
    // A written state is all there is: what it leaves away is empty, not the default.
    for (const name of Object.keys(state[view])) state[view][name] = from[name] ?? (kept.has(name) ? defaults[view][name] : '');
  }
  return state;
}
const kept = new Set(['type', 'thread', 'bits', 'bytes']);

/** The current view's fields; the others are not part of the link. @param alone without the state beside */
export function hashOf(state, alone = false) {
  const parts = [`view=${state.view}`];
  for (const [name, value] of Object.entries(state[state.view])) {
    const usual = kept.has(name) && value === defaults[state.view][name];
    if (value !== '' && !usual) parts.push(`${name}=${encode(value)}`);
  }
  if (state.beside && !alone) parts.push(`beside=${encodeURIComponent(state.beside)}`);
  return '#' + parts.join('&');
}
/** Layouts stay legible: these characters need no escape in a fragment. */
function encode(text) {
  return encodeURIComponent(text).replace(/%(3A|2C|2F|40|3B)/g, decodeURIComponent);
}

export function stateOf(hash) {
  const from = {};
  for (const part of hash.replace(/^#/, '').split('&')) {
    const equals = part.indexOf('=');
    if (equals < 1) continue;
    try {
      from[part.slice(0, equals)] = decodeURIComponent(part.slice(equals + 1).replace(/\+/g, '%2B'));
    } catch {
      // A link cut off within an escape: the rest of it still counts.
    }
  }
  return newState(from);
}
