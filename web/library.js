// SPDX-License-Identifier: Apache-2.0
// The library: questions to explorer.cpp, and its pictures' arrays.

let wasm;
let place = 0;  // of two states side by side

/** Starts the library. create_cosmati is emscripten's, from the script before this one. */
export async function startLibrary() {
  wasm = await globalThis.create_cosmati();
}

/** Runs `f`, whose questions are those of that place: each of two places has pictures of its own. */
export function inPlace(number, f) {
  const before = place;
  place = number;
  try {
    return f();
  } finally {
    place = before;
  }
}

/** The answer to a question; what went wrong is its `error`. */
export function ask(question) {
  try {
    return JSON.parse(wasm.ccall('cosmati_ask', 'string', ['string'], [JSON.stringify({...question, place})]));
  } catch (e) {
    // A fault of the library's, or no memory left: it begins anew, and the next keystroke asks that one.
    startLibrary();
    return {error: {text: `The library stopped at this: ${e}`, fields: []}, figures: undefined};
  }
}

/** The order of explorer.cpp's keys. */
export const keyNames = ['color', 'thread', 'value', 'offset', 'bank', 'sector'];

/** The arrays of one grid, copied: the next question overwrites the library's. */
export function cellsOf(picture, grid, cells, outlines) {
  const integers = (name, count) => {
    const at = wasm.ccall(name, 'number', ['number', 'number'], [picture, grid]) >> 2;
    return wasm.HEAP32.slice(at, at + count);
  };
  const all = integers('cosmati_keys', cells * keyNames.length);
  const keys = {};
  keyNames.forEach((name, i) => (keys[name] = all.subarray(i * cells, (i + 1) * cells)));
  const texts = wasm.ccall('cosmati_texts', 'string', ['number', 'number'], [picture, grid]);
  return {keys, outlines: integers('cosmati_outlines', outlines * 4), texts: splitLazily(texts)};
}

/** Texts are looked at when they are drawn: most cells of a big picture never are. */
function splitLazily(all) {
  let split = null;
  return {
    at: (cell) => (split ??= all.split('\x1f'))[cell],
    longest: () => longest(all),
  };
}

/** Letters of the longest line, and the most lines of a text. */
function longest(all) {
  let letters = 0, lines = 1, from = 0, inText = 1;
  for (let i = 0; i <= all.length; ++i) {
    const c = all.charCodeAt(i);
    const ends = c === 31 || i === all.length;
    if (c !== 10 && !ends) continue;
    letters = Math.max(letters, i - from);
    from = i + 1;
    inText = ends ? 1 : inText + 1;
    lines = Math.max(lines, inText);
  }
  return {letters, lines};
}
