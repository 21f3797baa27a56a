// SPDX-License-Identifier: Apache-2.0
// An expression of the algebra: its value drawn, and each operation on the way, one at a time.
import {copyButton, element, fill, saveText} from './dom.js';
import {ask} from './library.js';
import {Gallery} from './picture.js';
import {sentenceOf} from './sentences.js';
import {linksTo} from './view_copy.js';

export class AlgebraView {
  constructor(node, change, tell) {
    this.change = change;
    this.gallery = new Gallery(tell);
    this.stepGallery = new Gallery(tell);
    this.result = element('output', {class: 'result', 'aria-label': 'Result'});
    this.facts = element('div', {class: 'facts'});
    this.buttons = element('div', {class: 'bar wide'}, copyButton('Copy result', () => this.answer.result),
      copyButton('Copy C++', () => this.answer.cpp), copyButton('Copy CuTe', () => this.answer.cute),
      copyButton('Copy command', () => `cosmati eval '${this.asked.expression}'`, 'Copy the command that says the same'));
    this.list = element('ol', {class: 'steps', 'aria-label': 'Operations, innermost first', keydown: (e) => this.key(e)});
    this.source = element('pre', {class: 'expression', 'aria-hidden': 'true'});
    this.sentence = element('div', {class: 'sentence', 'aria-live': 'polite'});
    this.stepper = element('div', {class: 'part steps-part'}, element('h2', {}, 'Step by step'), this.source, this.list,
      this.sentence, this.stepGallery.node);
    this.arrows = element('div', {class: 'arrows'});
    this.arrowsPart = element('figure', {'data-role': 'arrows'}, element('div', {class: 'top'}, element('figcaption', {}, 'Arrows: which mode goes where'),
      element('div', {class: 'bar'}, element('button', {type: 'button', 'aria-label': 'Save the arrows as SVG',
        click: () => saveText('cosmati.svg', this.answer.arrows, 'image/svg+xml')}, 'Save SVG'))), this.arrows);
    this.whole = element('div', {class: 'part'}, this.result, this.buttons, this.gallery.node, this.arrowsPart, this.facts);
    node.replaceChildren(this.whole, this.stepper);
  }
  update(fields) {
    const bits = Number(fields.bits) || 16;
    const answer = ask({what: 'algebra', expression: fields.expression, bits});
    this.whole.classList.toggle('stale', Boolean(answer.error));
    this.stepper.classList.toggle('stale', Boolean(answer.error));
    this.whole.hidden = Boolean(answer.error) && !this.answer;  // nothing yet that could stay
    if (answer.error) return answer.error;
    this.asked = fields;
    this.answer = answer;
    this.result.textContent = answer.result;
    this.gallery.show(answer.figures, {result: 'Result', modes: 'Which mode goes where'});
    this.gallery.node.hidden = answer.figures.length === 0;
    this.arrowsPart.hidden = !answer.arrows;
    // As an image: its style is its own, and follows the reader's dark mode as the page does.
    fill(this.arrows, answer.arrows ? element('img', {src: 'data:image/svg+xml,' + encodeURIComponent(answer.arrows), alt: arrowsInWords(answer.arrows)}) : null);
    this.showFacts(answer.layout, answer.too_large);
    this.showSteps(fields, bits);
    for (const button of this.buttons.children) button.disabled = false;
    if (!answer.cpp) [...this.buttons.children].slice(1, 3).forEach((button) => (button.disabled = true));
    return undefined;
  }
  summary() {
    return this.answer?.result ?? '';
  }
  keys() {
    return [...this.gallery.keys(), ...this.stepGallery.keys()];
  }
  place() {
    this.gallery.place();
    this.stepGallery.place();
  }
  showFacts(layout, tooLarge) {
    const say = (truth) => (truth === null ? 'too large to say' : truth ? 'yes' : 'no');
    fill(this.facts, tooLarge ? element('p', {class: 'note'}, tooLarge) : null, !layout ? null : element('dl', {class: 'short'},
      [['Size', layout.size], ['Cosize', layout.cosize], ['Rank', layout.rank], ['Depth', layout.depth],
       ['Injective', say(layout.injective)], ['Bijective', say(layout.bijective)]]
        .map(([name, text]) => element('div', {}, element('dt', {}, name), element('dd', {}, String(text))))));
  }
  showSteps(fields, bits) {
    const steps = this.answer.steps;
    this.stepper.hidden = steps.length === 0;
    if (steps.length === 0) {
      this.stepGallery.show([]);
      return;
    }
    const last = steps.length - 1;
    const wanted = fields.step === '' ? last : Math.min(last, Math.max(0, Number.parseInt(fields.step, 10) - 1 || 0));
    const step = steps[wanted];
    this.current = wanted;
    fill(this.list, steps.map((s, i) => element('li', {}, element('button',
      {type: 'button', 'data-step': String(i), 'aria-current': i === wanted ? 'step' : null, tabindex: i === wanted ? '0' : '-1'},
      element('code', {}, nameOf(s)), ' ', element('span', {}, s.result)))));
    // Listeners go with the markup that `fill` compares, so they are set here.
    for (const button of this.list.querySelectorAll('button')) button.onclick = () => this.go(Number(button.dataset.step));
    const e = fields.expression;
    fill(this.source, e.slice(0, step.begin), element('mark', {}, e.slice(step.begin, step.end)), e.slice(step.end));
    const called = `${nameOf(step)}(${step.arguments.join(', ')}) = ${step.result}`;
    fill(this.sentence, element('code', {}, writtenOut(step) ?? called), ' ', sentenceOf(step.name),
      linksTo([step.name.replace(/^method compose$/, 'composition')]));
    // The result of the last step is drawn above: only what it is made of is drawn here.
    const drawn = [...step.arguments.map((text, i) => [text, `argument ${i + 1}`]), ...(wanted === last ? [] : [[step.result, 'step']])];
    const figures = [];
    const headings = {step: 'Its result'};
    for (const [text, role] of drawn) {
      const answer = ask({what: 'draw', text, bits, role});
      if (!answer.figures?.length) continue;
      figures.push(answer.figures[0]);
      if (role !== 'step') headings[role] = `Argument ${role.slice(9)}: ${text}`;
    }
    this.stepGallery.show(figures, headings);
  }
  go(index) {
    const last = this.answer.steps.length - 1;
    const to = Math.max(0, Math.min(last, index));
    this.change({step: to === last ? '' : String(to + 1)});
    this.list.querySelector('[aria-current]')?.focus();
  }
  key(event) {
    const moves = {ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1};
    if (!moves[event.key]) return;
    event.preventDefault();
    this.go(this.current + moves[event.key]);
  }
}

/** For who cannot see them: the title of the picture, which names the operation. */
function arrowsInWords(svg) {
  const title = /<title>([^<]*)<\/title>/.exec(svg);
  return `arrows from each mode to where it goes: ${title ? title[1].replaceAll('&lt;', '<').replaceAll('&gt;', '>') : ''}`;
}

function nameOf(step) {
  return {'( )': 'at', 'method compose': 'compose', 'method tile': 'tile', 'method apply': 'apply'}[step.name] ?? step.name;
}
/** Operators as they are written; functions are written as calls. */
function writtenOut(step) {
  const [a, b, c] = step.arguments;
  if (step.name === '( )') return `(${a})(${step.arguments.slice(1).join(', ')}) = ${step.result}`;
  if (step.name === 'o') return `${a} o ${b} o ${c} = ${step.result}`;
  if (/^[^A-Za-z]/.test(step.name)) return `${a} ${step.name} ${b} = ${step.result}`;
  return null;
}
