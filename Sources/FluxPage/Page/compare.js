import { element, quoted, button, fill } from './dom.js';
import { ChangesView } from './changed.js';
import { notice, slot, hasSlot } from './pieces.js';

/** Any two steps side by side; at a divergence, what was recorded beside what was replayed. */
export class ComparePane {
  constructor(page) {
    this.page = page;
    this.changes = new ChangesView(page);
    this.first = this.field('First step');
    this.second = this.field('Second step');
    this.bar = element('form', { class: 'pane-bar', onsubmit: (event) => this.submitted(event) },
      this.first, element('span', { 'aria-hidden': 'true', text: '→' }), this.second,
      element('button', { type: 'submit', class: 'plain', text: 'Compare' }),
      button('⇄', 'Swap the two steps', () => this.swap(), { class: 'plain' }),
      button('Previous', 'Compare the selected step with the one before', () => this.compareHere(), { class: 'plain' }));
    this.head = element('div');
    this.node = element('div', { class: 'pane scrolls compare' }, this.bar, this.head, this.changes.node);
  }

  field(label) {
    return element('input', { type: 'text', size: 8, 'aria-label': label, placeholder: label, autocomplete: 'off', spellcheck: 'false' });
  }

  show(row, step) {
    const { a, b } = this.page.compared;
    const divergence = this.page.info.divergences?.find((found) => found.row === row);
    if (a === null && divergence && this.page.fork === null) return this.showDivergence(divergence);
    // On a fork, the step tells what to compare it with.
    if (step === null && (this.shown || this.page.fork !== null)) return undefined;
    this.shown = true;
    return this.draw(a ?? this.counterpart(row, step), b ?? row);
  }

  /** The place to compare a row with: on a fork the recorded step that it repeats, otherwise the step before. */
  counterpart(row, step) {
    if (step?.recordedRow !== undefined && step.fork !== undefined) return { recorded: step.recordedRow };
    return Math.max(this.page.firstRow, row - 1);
  }

  async draw(a, b) {
    const { fork } = this.page;
    fill(this.head);
    const names = await Promise.all([this.nameOf(a), this.nameOf(b)]);
    // The rows of one place are no rows of another.
    if (fork !== this.page.fork) return;
    [this.first.value, this.second.value] = names;
    this.changes.labels = [`at ${this.first.value}`, `at ${this.second.value}`];
    await this.changes.show({ a, b }, { empty: notice('No difference', 'The states after the two steps are equal.') });
  }

  /** Returns the position of a place as people write it; of a row that is no step, that of the step before it. */
  async nameOf(place) {
    if (typeof place === 'number') return this.numberAt(this.page, place, this.page.firstRow);
    if (place.recorded === undefined) return `fork ${place.fork}:${place.index}`;
    const number = await this.numberAt(this.page.source, place.recorded, 0);
    return this.page.fork === null ? number : `recorded ${number}`;
  }

  async numberAt(source, place, first) {
    for (let at = place; at > first; at--) {
      const { rows: [row] } = await source.ask('steps', { from: at, count: 1 });
      if (row?.kind === 'step') return row.n;
    }
    return 'start';
  }

  async submitted(event) {
    event.preventDefault();
    const [a, b] = await Promise.all([this.first, this.second].map((field) => this.locate(field.value)));
    this.page.compare(a, b);
  }

  /** Returns the place that somebody typed: a position, or `fork 1`, or `fork 1:3` for its third step. */
  async locate(position) {
    const found = /^\s*fork\s*(\d+)(?::(\d+))?\s*$/.exec(position);
    if (found) {
      const [fork, index] = [Number(found[1]), found[2]];
      const steps = this.page.forks.find((known) => known.fork === fork)?.steps ?? 0;
      return { fork, index: index === undefined ? steps : Number(index) };
    }
    const recorded = /^\s*recorded\s+(.+)$/.exec(position);
    if (recorded) return { recorded: (await this.page.source.ask('locate', { position: recorded[1].trim(), row: 0 })).row };
    return (await this.page.ask('locate', { position, row: this.page.row })).row;
  }

  swap() {
    [this.first.value, this.second.value] = [this.second.value, this.first.value];
    this.bar.requestSubmit();
  }

  compareHere() {
    const { row, firstRow } = this.page;
    this.page.compare(Math.max(firstRow, row - 1), row);
  }

  showDivergence(divergence) {
    const { row, kind, path, reason, step } = divergence;
    const [first, second] = divergence.sides.map((side) => side[0].toUpperCase() + side.slice(1));
    this.first.value = this.second.value = step;
    fill(this.head, element('div', { class: 'divergence' },
      element('h3', {}, '◆ Diverged: ', quoted(kind)),
      (divergence.text ?? []).map((line) => element('p', {}, quoted(line))),
      divergence.text || path === undefined ? null : element('p', {}, 'First difference at ', quoted(path, 'path')),
      reason ? element('p', {}, quoted(reason)) : null,
      hasSlot(divergence, 'recorded') || hasSlot(divergence, 'replayed')
        ? element('dl', { class: 'sides' },
          element('dt', { text: first }), element('dd', {}, slot(divergence, 'recorded', 400)),
          element('dt', { text: second }), element('dd', {}, slot(divergence, 'replayed', 400))) : null,
      divergence.chain?.length > 1 ? element('p', {}, 'Chain: ', divergence.chain.map((link) => [quoted(`${link.n} ${link.type}`), ' ']).flat()) : null));
    if (!divergence.states) {
      this.changes.say(null);
      return undefined;
    }
    this.changes.labels = ['recorded', 'replayed'];
    return this.changes.show({ a: row, b: row, of: 'replayed' });
  }
}
