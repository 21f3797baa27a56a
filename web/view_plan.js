// SPDX-License-Identifier: Apache-2.0
// How the library would copy one tensor to another, what else it could do, and the C++ that does it.
import {copyButton, element} from './dom.js';
import {ask} from './library.js';

export class PlanView {
  constructor(node) {
    this.part = element('div', {class: 'part'});
    this.node = node;
    node.replaceChildren(this.part);
  }
  update(fields) {
    const answer = ask({what: 'plan', ...fields, bytes: Number(fields.bytes) || 4});
    this.part.classList.toggle('stale', Boolean(answer.error));
    if (answer.error) return answer.error;
    this.answer = answer;
    const {plans, problem, considered} = answer.plan;
    const most = Math.max(...plans.flatMap((p) => parts.map(([key]) => p[key])), 0.1); // the longest bar; in a copy of nothing much, none
    this.part.replaceChildren(
      element('h2', {}, 'The plan'), element('p', {}, element('code', {}, problem)),
      plans.length === 0 ? element('p', {class: 'note'}, 'Nothing to copy.') : element('ol', {class: 'plans'}, plans.map((p, i) => planCard(p, i, most))),
      element('p', {class: 'note'}, `Of ${considered} plans considered. Times are predictions for an H200.`),
      answer.cpp ? element('div', {class: 'bar wide'}, copyButton('Copy C++', () => this.answer.cpp),
        copyButton('Copy command', () => planCommand(fields), 'Copy the command that says the same')) : '',
      answer.cpp ? element('pre', {class: 'code', tabindex: '0', 'aria-label': 'C++ of the best plan'}, answer.plan.code) : '');
    return undefined;
  }
  summary() {
    const best = this.answer?.plan.plans[0];
    return best ? `Best: ${best.route}, ${inMicroseconds(best.us)}` : '';
  }
  keys() {
    return [];
  }
  place() {}
}

const parts = [['memory_us', 'memory'], ['shared_us', 'multiprocessors'], ['issue_us', 'waiting, instructions']];

function inMicroseconds(us) {
  return `${us.toFixed(us < 10 ? 1 : 0)} µs`;
}

function planCard(plan, i, most) {
  return element('li', {class: 'card', 'data-route': plan.route},
    element('h3', {}, i === 0 ? 'Best: ' : '', plan.route, element('code', {}, inMicroseconds(plan.us))),
    element('p', {}, plan.what),
    element('div', {class: 'bars', role: 'img', 'aria-label': parts.map(([key, words]) => `${words} ${inMicroseconds(plan[key])}`).join(', ')},
      parts.map(([key, words]) => element('div', {}, element('span', {}, words),
        element('i', {style: `width:${Math.max(0.5, (100 * plan[key]) / most)}%`}), element('b', {}, inMicroseconds(plan[key]))))),
    element('p', {class: 'why'}, plan.why));
}

function planCommand(fields) {
  const options = fields.shape ? ['shape', 'permute'] : ['src', 'dst'];
  return 'cosmati plan ' + [...options, 'bytes', 'threads'].filter((o) => fields[o]).map((o) => `--${o} '${fields[o]}'`).join(' ');
}
