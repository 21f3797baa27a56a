// SPDX-License-Identifier: Apache-2.0
// Which cells are shown together: all with the same thread, value, offset, bank or sector as the one pointed at.

const listeners = new Set();
let follow = 'thread';
let shown = null;  // {key, values: Set}
let pinned = false;

export const followable = ['thread', 'value', 'offset', 'bank', 'sector'];

export function onFellows(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
function tell() {
  for (const listener of listeners) listener(shown);
}

export const followed = () => follow;
export function setFollow(key) {
  follow = key;
  show(null, true);
}

/** @param byKey of the cells pointed at: key -> Set of values */
export function show(byKey, force = false) {
  if (pinned && !force) return;
  if (force) pinned = false;
  const key = byKey && [follow, ...followable].find((k) => byKey[k]?.size > 0);
  const next = key ? {key, values: byKey[key]} : null;
  if (same(next, shown)) return;
  shown = next;
  tell();
}
function same(a, b) {
  if (a === null || b === null) return a === b;
  return a.key === b.key && a.values.size === b.values.size && [...a.values].every((x) => b.values.has(x));
}

/** Keeps what is shown, or lets it go. */
export function pin() {
  pinned = !pinned && shown !== null;
  return pinned;
}
export function forgetFellows() {
  show(null, true);
}
export const isPinned = () => pinned;
export const fellows = () => shown;
