// SPDX-License-Identifier: Apache-2.0
// A second state beside the one that the fields show: kept as it is, to compare the two.
import {element, fill} from './dom.js';
import {inPlace} from './library.js';
import {hashOf, stateOf} from './state.js';

export class Beside {
  /** @param views name -> class of a view, @param changed called with the kept state when it was changed in its place */
  constructor(views, tell, changed) {
    this.views = views;
    this.tell = tell;
    this.changed = changed;
    this.shown = '';
    this.state = null;
    this.view = null;
    this.differences = element('div', {class: 'words'});
    this.holder = element('div');
    this.node = element('section', {class: 'kept', 'aria-label': 'Kept state', hidden: true},
      element('div', {class: 'top'}, element('h2', {}, 'Kept'), element('div', {class: 'bar'},
        element('button', {type: 'button', click: () => globalThis.explorer.page.swap()}, 'Swap'))),
      this.differences, this.holder);
  }
  /** @param hash of the kept state, or '', @param now the state of the fields */
  show(hash, now) {
    this.node.hidden = hash === '';
    if (hash !== this.shown) this.build(hash);
    if (this.state) this.tellDifferences(now);
  }
  build(hash) {
    this.shown = hash;
    if (hash === '') {
      this.state = this.view = null;
      this.holder.replaceChildren();
      return;
    }
    const state = stateOf(hash);
    if (this.state?.view !== state.view) {
      this.holder.replaceChildren();
      this.view = new this.views[state.view](this.holder, (fields) => this.change(fields), this.tell);
    }
    this.state = state;
    inPlace(1, () => this.view.update({...state[state.view]}));
  }
  /** Advice that is taken in the kept state, a step that is chosen there. */
  change(fields) {
    Object.assign(this.state[this.state.view], fields);
    this.shown = hashOf(this.state, true);
    inPlace(1, () => this.view.update({...this.state[this.state.view]}));
    this.changed(this.state);
  }
  tellDifferences(now) {
    const kept = this.state[this.state.view], other = now[now.view];
    const names = this.state.view === now.view ? Object.keys(kept).filter((name) => kept[name] !== other[name]) : [];
    const said = this.state.view !== now.view ? ['another view']
      : names.length === 0 ? ['The same as the state of the fields: change one.']
      : names.map((name) => `${name} ${kept[name] || '(empty)'}  →  ${other[name] || '(empty)'}`);
    fill(this.differences, said.map((line) => element('div', {}, line)));
  }
  keys() {
    return this.state ? this.view.keys() : [];
  }
  place() {
    if (this.state) this.view.place();
  }
}
