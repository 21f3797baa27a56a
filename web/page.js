// SPDX-License-Identifier: Apache-2.0
// The page: inputs on one side, answers on the other, and the URL that keeps both.
import {copyButton, element} from './dom.js';
import {fellows, followable, followed, forgetFellows, setFollow} from './fellows.js';
import {Beside} from './beside.js';
import {Fields, inWordsOfThePage} from './fields.js';
import {setPalette} from './grid.js';
import {ask, startLibrary} from './library.js';
import {presets} from './presets.js';
import {sentenceOf} from './sentences.js';
import {hashOf, newState, stateOf} from './state.js';
import {AlgebraView} from './view_algebra.js';
import {CopyView} from './view_copy.js';
import {MmaView} from './view_mma.js';
import {PlanView} from './view_plan.js';

const views = {copy: CopyView, mma: MmaView, algebra: AlgebraView, plan: PlanView};
const at = (id) => document.getElementById(id);

class Page {
  constructor() {
    this.state = stateOf(location.hash);
    this.parts = {};
    this.turnedAt = -Infinity;  // when what was typed got an entry of the browser's history
    this.tell = (sentence) => (at('readout').textContent = sentence);
    this.fields = new Fields(at('fields'), ask({what: 'about'}), (name, text) => this.change({[name]: text}, false));
    at('fields').addEventListener('paste', (e) => {
      if (this.takeApart(e.clipboardData.getData('text'))) e.preventDefault();
    });
    this.trouble = element('pre', {class: 'error', role: 'alert', hidden: true});
    this.follow = followBar();
    this.holders = {};
    this.notes = element('div', {class: 'note', role: 'status', hidden: true});
    this.beside = new Beside(views, this.tell, (state) => this.besideChanged(state));
    this.now = element('div', {class: 'now'}, element('h2', {class: 'of-two'}, 'Now'));
    at('answers').replaceChildren(this.trouble, this.notes, this.follow, element('div', {class: 'states'}, this.beside.node, this.now));
    for (const [name, View] of Object.entries(views)) {
      this.holders[name] = element('div', {hidden: true});
      this.now.append(this.holders[name]);
      this.parts[name] = new View(this.holders[name], (fields) => this.change(fields, true), this.tell);
    }
    this.tabs();
    this.presets();
    at('links').replaceChildren(copyButton('Copy link', () => this.link(), 'Copy a link to this page as it is'),
      copyButton('Copy embed', () => `<iframe src="${this.link().replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="100%" height="900" title="Cosmati explorer"></iframe>`,
        'Copy HTML that shows this page within another'),
      element('button', {type: 'button', id: 'keep', click: () => this.keep()}, 'Keep beside'));
    // What waits to be written belongs to the entry that was left.
    addEventListener('popstate', () => clearTimeout(this.hashTimer));
    addEventListener('hashchange', () => {
      if (location.hash !== hashOf(this.state)) this.go(stateOf(location.hash));
    });
    addEventListener('resize', () => this.place());
    this.update();
  }
  place() {
    this.parts[this.state.view].place();
    this.beside.place();
  }
  /** This state stays where it is seen, and the fields go on from it; or the kept state goes. */
  keep() {
    this.turnPage();
    this.state.beside = this.state.beside ? '' : hashOf(this.state, true);
    this.update();
  }
  /** The kept state was changed where it stands. */
  besideChanged(state) {
    this.turnPage();
    this.state.beside = hashOf(state, true);
    this.update();
  }
  /** The kept state gets the fields, and theirs is kept. */
  swap() {
    if (!this.state.beside) return;
    const other = stateOf(this.state.beside);
    other.beside = hashOf(this.state, true);
    this.turnPage();
    this.go(other);
  }
  /** A line of C++ that makes a tiled copy or product, as fields. @returns whether the text was one */
  takeApart(text) {
    const count = (sign) => text.split(sign).length;
    if (!/\bmake_(tiled|cotiled)_\w+\(/.test(text) || count('(') !== count(')')) return false;  // no such line, or not all of it yet
    const {view, fields, notes, error} = ask({what: 'pasted', text});
    if (error) {
      this.say([inWordsOfThePage(error.text)]);
      return true;
    }
    if (!view) return false;
    this.turnPage();
    this.state.view = view;
    if (fields.operand) fields.thr = '';
    Object.assign(this.state[view], fields);
    at('presets').value = '';
    this.update();
    this.say(['The line was taken apart into the fields.', ...notes.map((n) => inWordsOfThePage(`${n}.`))]);
    return true;
  }
  /** What the page has to say for itself, until the next change. */
  say(sentences) {
    this.notes.hidden = sentences.length === 0;
    this.notes.textContent = sentences.join(' ');
  }
  /** Where this state is found again. */
  link() {
    return location.href.replace(/#.*/, '') + hashOf(this.state);
  }
  go(state, isPreset = false) {
    this.turnedFor = null;
    this.state = state;
    if (!isPreset) at('presets').value = '';  // else its name stays, and arrow keys go on from it
    if (isPreset) this.turnPage();
    this.update();
  }
  /** What is shown stays behind the browser's Back: the next state has an entry of its own. Within another page, Back
      is that page's. */
  turnPage() {
    clearTimeout(this.hashTimer);
    this.replaceHash();
    this.turns = window.parent === window;
  }
  /** Keystrokes in one field, one soon after the other, are one step back. */
  turnPageAt(name) {
    const now = performance.now();
    if (name !== this.turnedFor || now - this.turnedAt > 2000) this.turnPage();
    this.turnedFor = name;
    this.turnedAt = now;
  }
  /** Fields of the current view. @param fromPage the inputs do not have them yet */
  change(fields, fromPage) {
    if (Object.values(fields).some((text) => this.takeApart(text))) return;
    this.turnPageAt(Object.keys(fields).join());
    Object.assign(this.state[this.state.view], fields);
    if (!('step' in fields)) at('presets').value = '';
    if ('expression' in fields && !('step' in fields)) this.state.algebra.step = '';
    this.update(fromPage);
  }
  update(setInputs = true) {
    const began = performance.now();
    const {view} = this.state;
    this.say([]);
    this.showBeside();
    if (view !== this.shownView) {
      forgetFellows();
      this.tell('');
      this.shownView = view;
    }
    for (const tab of document.querySelectorAll('[role=tab]')) {
      const chosen = tab.dataset.view === view;
      tab.setAttribute('aria-selected', String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    at('view').setAttribute('aria-labelledby', `tab-${view}`);
    for (const [name, holder] of Object.entries(this.holders)) holder.hidden = name !== view;
    if (setInputs) this.fields.set(view, this.state[view]);
    const error = this.parts[view].update({...this.state[view]});
    this.fields.offer(this.state[view]);
    this.fields.reveal(this.parts[view].matters?.() ?? []);
    const placed = this.fields.setError(error);
    offer(this.follow, new Set([...this.parts[view].keys(), ...this.beside.keys()]));
    this.trouble.hidden = !error || placed;
    this.trouble.textContent = error && !placed ? inWordsOfThePage(error.text) : '';
    at('summary').textContent = error && !this.parts[view].answer ? '' : this.parts[view].summary();
    this.writeHash();
    const took = performance.now() - began;
    document.body.dataset.milliseconds = took.toFixed(2);
    document.body.dataset.answers = String(Number(document.body.dataset.answers ?? 0) + 1);
    at('time').textContent = `${took.toFixed(took < 10 ? 1 : 0)} ms`;
  }

  showBeside() {
    const {beside} = this.state;
    at('answers').classList.toggle('two', beside !== '');
    at('keep').textContent = beside ? 'Close the kept state' : 'Keep beside';
    at('keep').setAttribute('aria-label', beside ? 'Close the kept state' : 'Keep this state beside the next');
    this.beside.show(beside, this.state);
  }

  /** At most every 300 ms: browsers refuse to write the URL at every keystroke. */
  writeHash() {
    clearTimeout(this.hashTimer);
    this.hash = hashOf(this.state);
    if (this.turns) history.pushState(null, '', this.hash);
    this.turns = false;
    const wait = 300 - (performance.now() - (this.hashWritten ?? -300));
    if (location.hash === this.hash) return;
    if (wait <= 0) this.replaceHash();
    else this.hashTimer = setTimeout(() => this.replaceHash(), wait);
  }
  replaceHash() {
    this.hashWritten = performance.now();
    if (location.hash !== this.hash) history.replaceState(null, '', this.hash);
  }

  tabs() {
    const all = [...document.querySelectorAll('[role=tab]')];
    const choose = (tab) => {
      if (this.state.view === tab.dataset.view) return;
      this.turnPage();
      this.state.view = tab.dataset.view;
      at('presets').value = '';
      this.update();
      tab.focus();
    };
    for (const tab of all) {
      tab.addEventListener('click', () => choose(tab));
      tab.addEventListener('keydown', (e) => {
        const step = {ArrowRight: 1, ArrowLeft: -1}[e.key];
        if (step) choose(all[(all.indexOf(tab) + step + all.length) % all.length]);
      });
    }
  }
  presets() {
    const select = at('presets');
    select.append(element('option', {value: ''}, 'Choose one'));
    for (const group of presets) {
      select.append(element('optgroup', {label: group.name}, group.all.map((p, i) =>
        element('option', {value: `${group.name}/${i}`}, p.name))));
    }
    select.addEventListener('change', () => {
      const group = presets.find((g) => select.value.startsWith(g.name + '/'));
      if (!group) return;
      this.go(newState(group.all[Number(select.value.slice(group.name.length + 1))].state), true);
    });
  }
}

/** What marked cells have in common. */
function followBar() {
  const choose = (e) => setFollow(e.target.value);
  return element('fieldset', {class: 'follow'}, element('legend', {}, 'Point at a cell to mark all of the same'),
    followable.map((key) => element('label', {}, element('input', {type: 'radio', name: 'follow', value: key, checked: key === followed(), change: choose}), key)));
}

/** Shows the choices that there are; where the chosen one is not, the first of them takes its place. */
function offer(bar, keys) {
  bar.hidden = keys.size === 0;
  const chosen = keys.has(followed()) ? followed() : followable.find((key) => keys.has(key));
  for (const input of bar.querySelectorAll('input')) {
    input.parentNode.hidden = !keys.has(input.value);
    input.checked = input.value === chosen;
  }
}

/** The browser compiles better what has run: so that the first keystroke is as fast as the next. */
function warmUp() {
  for (let i = 0; i < 2; ++i)
    ask({what: 'copy', atom: 'UniversalCopy<uint128_t>', type: 'half', thr: '(16,16):(16,1)', val: '(4,8):(8,1)', src: '(64,128):(128,1)'});
}

try {
  await startLibrary();
  setPalette(ask({what: 'about'}).palette);
  warmUp();
  globalThis.explorer = {page: new Page(), ask, fellows, presets, sentenceOf};  // for tests, and for who opens the console
  document.body.dataset.ready = 'true';
} catch (e) {
  at('answers').replaceChildren(element('p', {class: 'error'}, `The library did not start: ${e}. It needs a browser with WebAssembly's exceptions: Firefox 100, Chrome 95, Safari 15.2 or later.`));
  throw e;
}
