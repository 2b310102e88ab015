import { element, named, quoted, button, byId, fill } from './dom.js';
import { clipped, deltaText, instantText, secondsText, microseconds, startName } from './text.js';
import { ChangesView } from './changed.js';
import { StatePane } from './state.js';
import { ActionPane } from './action.js';
import { ComparePane } from './compare.js';
import { TypePane } from './type.js';
import { WritesPanel } from './writes.js';
import { notice, errorNotice, stepLink } from './pieces.js';
import { summaryCard } from './summary.js';

export const TABS = ['changed', 'state', 'action', 'compare', 'type'];

/** The name of a tab, as people read it. */
export function tabName(tab) {
  return tab[0].toUpperCase() + tab.slice(1);
}

/** The selected step: its heading, and what the chosen tab shows of it. */
export class DetailPane {
  constructor(page) {
    this.page = page;
    this.changes = new ChangesView(page, { showsBlame: true });
    this.panes = {
      changed: { node: this.changes.node, show: (row, step) => this.showChanges(row, step) },
      state: new StatePane(page),
      action: new ActionPane(page),
      compare: new ComparePane(page),
      type: new TypePane(page),
    };
    this.writes = new WritesPanel(page);
    this.buildTabs();
    page.on('row', (row) => this.moved(row));
    page.on('step', (step) => this.arrived(step));
    page.on('tab', () => this.showTab());
    page.on('place', () => { this.showsSummary = false; });
    page.on('summary', () => {
      this.showsSummary = !this.showsSummary;
      this.drawSummary();
    });
    page.on('facts', () => {
      if (this.showsSummary && !byId('summary').contains(document.activeElement)) this.drawSummary();
    });
    page.on('reveal', (path) => {
      page.set('tab', 'state');
      this.panes.state.reveal(path);
    });
  }

  buildTabs() {
    this.tabs = TABS.map((name, place) => element('button', {
      type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': 'panel', 'aria-keyshortcuts': String(place + 1),
      onclick: () => this.page.set('tab', name), onkeydown: (event) => this.tabKey(event, place),
    }, tabName(name)));
    fill(byId('tabs'), this.tabs);
  }

  tabKey(event, place) {
    const moves = { ArrowRight: 1, ArrowLeft: -1 };
    if (!(event.key in moves)) return;
    const next = (place + moves[event.key] + TABS.length) % TABS.length;
    this.page.set('tab', TABS[next]);
    this.tabs[next].focus();
    event.preventDefault();
    event.stopPropagation();
  }

  get pane() {
    return this.panes[this.page.tab] ?? this.panes.changed;
  }

  showTab() {
    // A link may name a view that this page does not have.
    if (!TABS.includes(this.page.tab)) this.page.tab = TABS[0];
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
    if (this.showsSummary && step.row !== this.page.info.landing?.row) this.showsSummary = false;
    this.drawSummary();
    this.pane.show(step.row, step);
  }

  /** Shows the summary above the step that the page opened at, until the person moves or closes it. */
  drawSummary() {
    const node = byId('summary');
    node.hidden = !this.showsSummary;
    if (this.showsSummary) {
      fill(node, summaryCard(this.page, () => {
        this.showsSummary = false;
        this.drawSummary();
      }));
    }
  }

  drawHeading(step) {
    const heading = byId('heading');
    if (step.kind !== 'step' && step.kind !== 'inflight') {
      fill(heading, element('h2', {}, step.kind === 'start' ? startName(step) : named(step.text ?? step.kind)),
        element('p', { class: 'facts' }, rowFacts(step), this.counterpart(step)));
      return;
    }
    fill(heading,
      element('h2', { class: step.rejected ? 'rejected' : '' }, element('span', { class: 'number', text: step.n }), ' ',
        named(step.type ?? 'an action of an unknown type')),
      element('p', { class: 'facts' },
        element('time', { title: instantText(this.page.info.created, step.t), text: secondsText(microseconds(step.t)) }),
        step.before === undefined ? null : element('span', { text: deltaText(step.before, step.t) }),
        step.source ? element('span', {}, quoted(step.source)) : null,
        this.counterpart(step), this.cause(step), this.caused(step), this.whatIf(step)),
      step.rejected ? element('p', { class: 'rejection' }, element('strong', {}, '✕ ', quoted(clipped(step.rejected.reason, 60))), ' ', quoted(clipped(step.rejected.message, 300))) : null,
      step.kind === 'inflight' ? element('p', { class: 'rejection' }, element('strong', { text: '✕ in flight' }), ' ', quoted(step.text)) : null);
  }

  /** Links a step of a fork to the recorded step that it repeats. */
  counterpart(step) {
    if (step.recordedRow === undefined) return null;
    const name = step.repeats === undefined ? 'the recording' : `recorded step ${step.repeats}`;
    return element('span', {}, button(name, `Open ${name}`, () => this.page.goToPlace(null, step.recordedRow), { class: 'link' }));
  }

  cause(step) {
    if (step.cause === undefined) return element('span', { text: 'root action, without a cause' });
    if (step.causeRow === undefined) return element('span', { text: `cause ${step.cause}, not in this ${this.page.fork === null ? 'log' : 'fork'}` });
    return element('span', {}, '◂ cause ', stepLink(this.page, step.causeRow, step.cause));
  }

  /** Offers to replay the recording without the step, if there is an app for it. */
  whatIf(step) {
    const { info, fork } = this.page;
    if (!info.capabilities.app || fork !== null || step.kind !== 'step') return null;
    return button('What if not?', 'Replay the rest of the recording without this step', () => this.page.runWithout(step), { class: 'plain', 'aria-keyshortcuts': 'w' });
  }

  caused({ caused, moreCaused }) {
    if (!caused?.length) return null;
    return element('span', {}, 'effects ▸ ',
      caused.slice(0, 5).map((effect, place) => [place ? ', ' : '', stepLink(this.page, effect.row, effect.n)]).flat(),
      caused.length > 5 || moreCaused ? ' …' : '');
  }

  // The tab of changes

  showChanges(row, step) {
    if (row === this.page.firstRow) {
      const whole = this.page.fork !== null ? 'fork' : row > 0 ? 'report' : 'recording';
      this.changes.say(notice(row > 0 ? 'The first states' : 'The initial states', `The ${whole} begins here. The State tab shows the states before the first step.`,
        button('Show the state', 'Show the state', () => this.page.set('tab', 'state'), { class: 'plain' })));
    } else if (step?.kind === 'error') {
      this.changes.say(errorNotice({ message: step.text }));
    } else if (step?.kind === 'inflight') {
      this.changes.say(notice('No change is known', step.committed
        ? 'The step committed, but the app ended before its line was written.'
        : 'The app ended while its reducers handled this action. The State tab shows the states before it.'));
    } else if (step?.kind === 'left') {
      this.changes.say(notice('Left out', 'The fork goes on without this recorded step.'));
    } else if (step && step.kind !== 'step') {
      this.changes.say(notice(step.kind === 'mark' ? 'A mark' : 'Not a step', step.text ?? ''));
    } else if (step?.rejected) {
      const { message, store } = step.rejected;
      const why = [message, store && `(${store})`].filter(Boolean).join(' ');
      this.changes.say(notice('Rejected', `${why ? `${why}. ` : ''}Nothing changed.`));
    } else {
      const empty = notice('No change', 'The step was accepted, and the state is as before.');
      // The answer about the step has its changes, unless another tab was open when it was asked for.
      if (!step) this.changes.await();
      else if (step.difference) this.changes.take(step.difference, { empty, request: { a: null, b: row }, written: step.written });
      else this.changes.show({ a: null, b: row }, { empty });
    }
  }
}

function rowFacts(step) {
  if (step.kind === 'start' && step.fork) return 'The states that the fork begins with';
  if (step.kind === 'error') return 'This row cannot be shown';
  if (step.kind === 'left') return 'A recorded step that is not on this fork';
  if (step.kind === 'start') return `The states before the first step${step.isPart ? ' of the report' : ''}`;
  const time = step.t === undefined ? '' : `${secondsText(microseconds(step.t))}, `;
  return `${time}${step.kind} between two steps`;
}
