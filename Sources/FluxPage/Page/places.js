import { element, button, byId, fill } from './dom.js';
import { counted } from './text.js';

/** The recording and its forks, of which one is what the whole page shows. */
export class PlacesBar {
  constructor(page) {
    this.page = page;
    this.node = byId('places');
    for (const event of ['forks', 'place', 'row', 'step', 'info']) page.on(event, () => this.draw());
  }

  draw() {
    const { page } = this;
    this.node.hidden = page.forks.length === 0;
    byId('prompt-sign').textContent = `${page.fork === null ? '' : `fork ${page.fork} > `}${this.number} >`;
    if (this.node.hidden) return;
    fill(this.node, this.tab('Recording', null, counted(page.info.steps, 'step')),
      page.forks.map((fork) => this.tab(`Fork ${fork.fork}`, fork, counted(fork.steps, 'step'))),
      page.fork === null ? null : this.remark());
  }

  /** The number of the step whose states the page shows; a mark or a gap shows those of the step before it. */
  get number() {
    const { step, row } = this.page;
    const number = step?.row === row ? step.n ?? step.after : undefined;
    return number ?? (row === this.page.firstRow ? 'start' : '…');
  }

  tab(name, fork, steps) {
    const { page } = this;
    const isHere = (fork?.fork ?? null) === page.fork;
    return element('button', { type: 'button', 'aria-pressed': String(isHere), onclick: () => page.openPlace(fork) },
      name, ' ', element('span', { class: 'soft', text: steps }));
  }

  /** Says where the fork differs from the recording first; nothing of a fork that repeats no step of it. */
  remark() {
    const { page } = this;
    const { first, same } = page.forkHere ?? {};
    if (first === undefined) return same ? element('span', { class: 'soft', text: 'no state differs from the recording' }) : null;
    return element('span', { class: 'remark-first' }, '◆ ', first === page.row ? 'first difference here'
      : button('first difference', 'Go to the first step whose states differ', () => page.go(first), { class: 'link' }));
  }
}
