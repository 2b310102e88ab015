import { element, quoted, quotedJSON, button, fill } from './dom.js';
import { Turn, isAbandoned } from './answers.js';
import { TreeView } from './tree.js';
import { openPathMenu } from './menu.js';
import { instantText, shown } from './text.js';
import { jsonText, kindOf } from './values.js';
import { errorNotice, notice, stepLink, valueText } from './pieces.js';

/** The action of the selected step: payload, causes, effects, and where it came from. */
export class ActionPane {
  constructor(page) {
    this.page = page;
    this.turn = new Turn();
    this.node = element('div', { class: 'pane scrolls action-pane' });
    [this.open, this.closed] = [new Set(), new Set()];
    this.payload = new TreeView(page, {
      label: 'Payload', open: this.open, closed: this.closed,
      request: () => ({ place: page.row, of: 'payload', path: '', depth: 3 }),
      menu: (row, rect, opener) => openPathMenu(page, row, rect, opener, { place: page.row, of: 'payload' }),
      ondrawn: () => this.fit(),
    });
  }

  /** Makes the tree of the payload as tall as its rows, up to a limit. */
  fit() {
    const { list, node } = this.payload;
    node.style.height = `${Math.min(12, Math.max(1, list.total)) * list.rowHeight}px`;
  }

  show(row, step) {
    if (!step) return this.turn.end();
    const signal = this.turn.begin();
    if (step.kind === 'inflight') {
      fill(this.node, section('Payload', element('p', {}, quotedJSON(step.payload ?? 'none'))), section('In flight', element('p', {}, quoted(step.text))));
      return undefined;
    }
    if (step.kind !== 'step') {
      fill(this.node, notice('No action', 'There is no step at this row.'));
      return undefined;
    }
    const [causes, effects] = [element('ol', { class: 'links' }), element('ol', { class: 'links' })];
    fill(this.node,
      this.payloadSection(step),
      section('Causes', causes),
      section('Effects', effects),
      section('Origin', facts(step, this.page.info)),
      this.experiments(step));
    this.fillLinks(causes, 'chain', { row: step.row }, signal, (answer) => this.causes(answer));
    return this.fillLinks(effects, 'effects', { row: step.row, limit: 50 }, signal, (answer) => this.effects(answer));
  }

  payloadSection(step) {
    const { payload, payloadCut } = step;
    const isTree = payloadCut || (payload !== undefined && /array|object/.test(kindOf(payload)));
    if (payload === undefined && !payloadCut) return section('Payload', element('p', { class: 'soft', text: 'The action has no payload.' }));
    if (!isTree) return section('Payload', element('p', {}, valueText(payload, 2000)));
    this.open.clear();
    this.closed.clear();
    this.payload.refresh({ forget: true });
    return section('Payload', this.payload.view);
  }

  /** Asks for links of a step, and fills a list with them. */
  async fillLinks(list, name, request, signal, itemsOf) {
    try {
      const answer = await this.page.ask(name, request, signal);
      if (!signal.aborted) fill(list, itemsOf(answer));
    } catch (error) {
      if (!isAbandoned(error)) fill(list, errorNotice(error));
    }
  }

  causes({ chain, missing }) {
    const items = chain.slice(1).map((link) => this.link(link));
    if (missing !== undefined) items.push(element('li', { class: 'soft', text: `step ${missing}, which is not in this log` }));
    return items.length ? items : element('li', { class: 'soft', text: 'No step of the log caused it.' });
  }

  effects({ steps, asked, next }) {
    const items = steps.map((effect) => this.link(effect));
    if (next !== undefined) items.push(element('li', { class: 'soft', text: 'and more' }));
    if (!items.length) items.push(element('li', { class: 'soft', text: 'No step in the log has it as its cause.' }));
    if (asked?.size) items.push(element('li', {}, element('span', { class: 'soft', text: 'asked of the effects: ' }), valueText(asked)));
    return items;
  }

  link({ row, recordedRow, n, type, effect, payload }) {
    const link = row === undefined && recordedRow !== undefined
      ? button(`${n} ${shown(type)}`, 'Open the recorded step', () => this.page.goToPlace(null, recordedRow), { class: 'link' }) : stepLink(this.page, row, n, type);
    return element('li', {}, link,
      effect ? element('span', { class: 'soft' }, ' by ', quoted(effect)) : null,
      payload === undefined ? null : [' ', quotedJSON(payload, 'payload')]);
  }

  /** Offers to replay the recording differently, if the app is there to replay it. */
  experiments(step) {
    const { info } = this.page;
    if (!info.capabilities.live || this.page.fork !== null) return null;
    const hint = info.capabilities.app ? '' : 'Start flux-inspect serve with --app to replay the recording.';
    const last = info.last?.n ?? step.n;
    const run = (line) => this.page.emit('run', line);
    const experiment = (face, label, line) => button(face, hint || label, () => (line ? run(line) : this.page.runWithout(step)), { class: 'plain', disabled: !info.capabilities.app });
    return section('What if',
      element('div', { class: 'experiments' },
        experiment('… it had not happened?', 'Replay the rest of the recording without this step', null),
        experiment('… the rest ran again?', 'Replay the rest of the recording from here', `redispatch ${step.n}..${last}`)),
      hint ? element('p', { class: 'soft', text: hint }) : element('p', { class: 'soft', text: 'The app replays the steps after this one in a fork. The recording does not change.' }));
  }
}

function section(title, ...content) {
  return element('section', {}, element('h3', { text: title }), content);
}

function facts(step, info) {
  const rows = [
    ['Time', `${step.t} s`], ['Clock', step.time ?? instantText(info.created, step.t)], ['Target', step.target],
    ['By effect', step.effect], ['Dispatched by', step.from], ['Source', step.source], ['In reducers', step.took === undefined ? undefined : `${step.took} µs`],
    ['Changed', step.changed.join(', ')], ['Repeats', step.repeats && `recorded step ${step.repeats}`], ['Not written', step.unwritten?.join(', ')],
    ['Reflected', step.reflected && 'recorded by reflection, cannot be dispatched'],
    ['Not recorded', step.notRecorded?.join(', ')], ['Line', step.line],
    ['Secrets', step.secrets && jsonText(step.secrets, { limit: 400 })], ['Extra', step.x && jsonText(step.x, { limit: 2000 })],
  ];
  return element('dl', {}, rows.filter(([, value]) => value !== undefined && value !== '' && value !== null)
    .map(([name, value]) => [element('dt', { text: name }), element('dd', {}, quoted(String(value)))]));
}
