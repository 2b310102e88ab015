import { element, quoted, button, byId, fill } from './dom.js';
import { deltaText, instantText, secondsText, microseconds } from './text.js';
import { ChangesView } from './changed.js';
import { StatePane } from './state.js';
import { ActionPane } from './action.js';
import { ComparePane } from './compare.js';
import { WritesPanel } from './writes.js';
import { notice, errorNotice, stepLink } from './pieces.js';
import { Turn, isAbandoned } from './answers.js';

export const TABS = ['changed', 'state', 'action', 'compare'];

/** The selected step: its heading, and what the chosen tab shows of it. */
export class DetailPane {
  constructor(page) {
    this.page = page;
    this.turn = new Turn();
    this.changes = new ChangesView(page, { showsBlame: true });
    this.panes = {
      changed: { node: this.changes.node, show: (row, step) => this.showChanges(row, step) },
      state: new StatePane(page),
      action: new ActionPane(page),
      compare: new ComparePane(page),
    };
    this.writes = new WritesPanel(page);
    this.buildTabs();
    page.on('row', (row) => this.moved(row));
    page.on('step', (step) => this.arrived(step));
    page.on('tab', () => this.showTab());
    page.on('reveal', (path) => {
      page.setTab('state');
      this.panes.state.reveal(path);
    });
  }

  buildTabs() {
    this.tabs = TABS.map((name, place) => element('button', {
      type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': 'panel', 'aria-keyshortcuts': String(place + 1),
      onclick: () => this.page.setTab(name), onkeydown: (event) => this.tabKey(event, place),
    }, name[0].toUpperCase() + name.slice(1)));
    fill(byId('tabs'), this.tabs);
  }

  tabKey(event, place) {
    const moves = { ArrowRight: 1, ArrowLeft: -1 };
    if (!(event.key in moves)) return;
    const next = (place + moves[event.key] + TABS.length) % TABS.length;
    this.page.setTab(TABS[next]);
    this.tabs[next].focus();
    event.preventDefault();
    event.stopPropagation();
  }

  get pane() {
    return this.panes[this.page.tab] ?? this.panes.changed;
  }

  showTab() {
    this.tabs.forEach((tab, place) => {
      const isChosen = TABS[place] === this.page.tab;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    });
    byId('panel').setAttribute('aria-labelledby', `tab-${this.page.tab}`);
    if (byId('panel').firstElementChild !== this.pane.node) fill(byId('panel'), this.pane.node);
    if (this.page.info) this.pane.show(this.page.row, this.page.step);
  }

  // What is known of the row

  moved(row) {
    byId('heading').classList.add('late');
    this.pane.show(row, null);
  }

  arrived(step) {
    byId('heading').classList.remove('late');
    this.drawHeading(step);
    if (this.pane !== this.panes.changed || step.kind !== 'step' || step.rejected) this.pane.show(step.row, step);
  }

  drawHeading(step) {
    const signal = this.turn.begin();
    const heading = byId('heading');
    if (step.kind !== 'step') {
      fill(heading, element('h2', {}, step.kind === 'start' ? 'Start' : quoted(step.text ?? step.kind)),
        element('p', { class: 'facts' }, rowFacts(step)));
      return;
    }
    this.related = element('span', { class: 'related' });
    fill(heading,
      element('h2', { class: step.rejected ? 'rejected' : '' }, element('span', { class: 'number', text: step.n }), ' ', quoted(step.type)),
      element('p', { class: 'facts' },
        element('time', { title: instantText(this.page.info.created, step.t), text: secondsText(microseconds(step.t)) }),
        element('span', { id: 'delta' }),
        step.source ? element('span', {}, quoted(step.source)) : null,
        this.related),
      step.rejected ? element('p', { class: 'rejection' }, element('strong', { text: `✕ ${step.rejected.reason}` }), ' ', quoted(step.rejected.message)) : null);
    this.drawRelated(step, signal);
  }

  /** Adds links to the cause and to the effects, as soon as they are known. */
  async drawRelated(step, signal) {
    const { page } = this;
    const cause = step.cause === undefined ? null
      : step.causeRow === undefined ? element('span', { text: `cause ${step.cause}, not in this log` })
        : element('span', {}, '◂ cause ', stepLink(page, step.causeRow, step.cause));
    fill(this.related, cause);
    try {
      const [earlier, effects] = await Promise.all([
        page.ask('steps', { from: Math.max(page.firstRow, step.row - 1), count: 1 }, signal),
        page.ask('effects', { row: step.row, limit: 6 }, signal),
      ]);
      if (signal.aborted) return;
      const before = earlier.rows[0];
      if (before?.t !== undefined) byId('delta').textContent = deltaText(before.t, step.t);
      if (!effects.steps.length) return;
      this.related.append(element('span', {}, 'effects ▸ ',
        effects.steps.slice(0, 5).map((effect, place) => [place ? ', ' : '', stepLink(page, effect.row, effect.n)]).flat(),
        effects.steps.length > 5 || effects.next !== undefined ? ' …' : ''));
    } catch (error) {
      if (!isAbandoned(error)) page.explain(error);
    }
  }

  // The tab of changes

  showChanges(row, step) {
    if (row === this.page.firstRow) {
      this.changes.say(notice('The initial states', 'The recording begins here. The State tab shows the states before the first step.',
        button('Show the state', 'Show the state', () => this.page.setTab('state'), { class: 'plain' })));
    } else if (step?.kind === 'error') {
      this.changes.say(errorNotice({ message: step.text }));
    } else if (step && step.kind !== 'step') {
      this.changes.say(notice(step.kind === 'mark' ? 'A mark' : 'Not a step', step.text ?? ''));
    } else if (step?.rejected) {
      this.changes.say(notice('Rejected', `${step.rejected.message}${step.rejected.store ? ` (${step.rejected.store})` : ''}. Nothing changed.`));
    } else {
      this.changes.show({ a: null, b: row }, { row, empty: notice('No change', 'The step was accepted, and the state is as before.') });
    }
  }
}

function rowFacts(step) {
  if (step.kind === 'start') return 'The states before the first step';
  const time = step.t === undefined ? '' : `${secondsText(microseconds(step.t))}, `;
  return `${time}${step.kind} between two steps`;
}
