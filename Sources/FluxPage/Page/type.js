import { element, named, quotedJSON, button, fill } from './dom.js';
import { Turn, askForRows, isAbandoned } from './answers.js';
import { isExpression } from './glob.js';
import { deltaText } from './text.js';
import { errorNotice, notice, skeleton, stepLink } from './pieces.js';

const STEPS_AT_ONCE = 25;

/** The steps of the selected action's type, before and after it: what the same action did at other times. */
export class TypePane {
  constructor(page) {
    this.page = page;
    this.turn = new Turn();
    this.node = element('div', { class: 'pane scrolls action-pane' });
  }

  show(row, step) {
    // An open list only marks another of its steps, so that walking through it asks for nothing.
    if (this.mark(row)) return undefined;
    if (!step) return this.turn.end();
    this.signal = this.turn.begin();
    this.steps = [];
    if (step.kind !== 'step' || step.type === undefined) {
      fill(this.node, notice('No type', 'There is no step with an action at this row.'));
      return undefined;
    }
    this.list = element('ol', { class: 'links' });
    [this.earlier, this.later] = [element('div', {}, skeleton(2)), element('div', {}, skeleton(2))];
    fill(this.node, element('section', {}, element('h3', {}, 'Steps of type ', named(step.type)), this.earlier, this.list, this.later,
      button('Show only these in the list', `Filter the list by ${step.type}`, () => this.page.setFilter(this.filter), { class: 'plain' })));
    this.filter = this.filterFor(step.type);
    this.shownOn = this.page.fork;
    return Promise.all([this.load('backwards', row), this.load('forwards', row + 1)]);
  }

  /** The filter for a type: its name, which the index of a log finds, unless that reads as something else. */
  filterFor(type) {
    const isPlain = !isExpression(type) && !/[*?]/.test(type);
    return isPlain || !this.page.info.capabilities.expressions ? type : `$.action.type == ${JSON.stringify(type)}`;
  }

  /** Marks a step of the list as the selected one; false if it is not in the list. */
  mark(row) {
    if (this.shownOn !== this.page.fork || !this.steps?.some((step) => step.row === row)) return false;
    this.draw();
    return true;
  }

  /** Adds steps in a direction until there are enough; then a button asks for more. */
  async load(direction, from) {
    const isForwards = direction === 'forwards';
    const { signal } = this;
    const status = isForwards ? this.later : this.earlier;
    const isInside = from >= this.page.firstRow && from < this.page.endRow;
    try {
      const { rows: found, next } = isInside
        ? await askForRows(this.page, 'find', { filter: this.filter, direction, from, limit: STEPS_AT_ONCE }, signal) : { rows: [] };
      if (signal.aborted) return;
      this.steps = isForwards ? [...this.steps, ...found] : [...found.reverse(), ...this.steps];
      this.draw();
      const name = isForwards ? 'Later steps' : 'Earlier steps';
      fill(status, next === undefined ? null : button(name, name, () => this.load(direction, next), { class: 'plain' }));
    } catch (error) {
      if (!isAbandoned(error)) fill(status, errorNotice(error));
    }
  }

  draw() {
    fill(this.list, this.steps.map(({ row, n, t, payload, rejected }, place) => element('li', { class: row === this.page.row ? 'here' : '' },
      stepLink(this.page, row, n), ' ',
      place ? element('span', { class: 'soft', text: `${deltaText(this.steps[place - 1].t, t)} ` }) : null,
      rejected ? element('span', { class: 'gone', text: '✕ rejected ' }) : null,
      payload === undefined ? element('span', { class: 'soft', text: 'without a payload' }) : quotedJSON(payload, 'payload'))));
  }
}
