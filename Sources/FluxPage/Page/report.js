import { Members } from './json.js';
import { Refusal, openers, plainAnswer } from './answers.js';
import { jsonText } from './values.js';
import { pointerTokens, valueAt } from './paths.js';
import { readReport, actionContent, ReportRows } from './report-rows.js';
import { ReportStates, ABSENT, isState } from './report-states.js';
import { treeRows } from './report-tree.js';
import { reportDifference } from './report-difference.js';
import { findInReport, writesInReport } from './report-search.js';
import { locateRow } from './report-positions.js';
import { reportOverview, reportSeries } from './report-overview.js';

const SHOWN_CAUSED = 6;
const BLAMED_CHANGES = 8;
const PATIENCE_FOR_BLAME = 8;

/** A recording inside the page: answers what the program would answer, from the embedded lines. */
export class ReportSource {
  constructor(data) {
    this.rows = new ReportRows(data);
    this.states = new ReportStates(this.rows);
    this.rows.info.landing = plainAnswer(data.head.get('open'));
    this.isLive = false;
  }

  async ask(name, request) {
    const answer = REQUESTS.get(name);
    if (!answer) throw new Refusal('bad-request', `There is no request ${name}.`);
    return answer(this, request);
  }

  // Steps

  steps({ from = 0, count = 500, rows }) {
    const wanted = rows ?? Array.from({ length: Math.max(0, Math.min(count, this.rows.end - from)) }, (_, i) => from + i);
    return { from, rows: wanted.map((row) => this.summary(row)), total: this.rows.end };
  }

  /** Returns what the list shows of a row. */
  summary(row) {
    if (row === this.rows.first) return { row, kind: 'start', n: this.rows.startNumber, isPart: row > 0 || undefined };
    return this.rows.answer(row) ?? { row, kind: 'outside', text: 'not in this report' };
  }

  step({ row, changes, blame }) {
    const summary = this.summary(row);
    if (summary.kind !== 'step') return summary;
    const { steps } = this.effects({ row, limit: SHOWN_CAUSED + 1 });
    const difference = changes === undefined ? undefined : this.changesOf(row, changes);
    const line = this.rows.line(row);
    const payload = actionContent(line.get('action'));
    return {
      ...summary, payload, target: line.get('target'), from: line.get('from'), effects: line.get('effects'),
      source: line.get('at'), took: line.get('took')?.text, reflected: line.get('reflected'), x: line.get('x'), secrets: line.get('secrets'),
      before: this.rows.stepAt(row - 1)?.t, caused: steps.slice(0, SHOWN_CAUSED), moreCaused: steps.length > SHOWN_CAUSED || undefined,
      difference, written: blame ? this.written(row, difference) : undefined,
    };
  }

  /** What a step changed, or the reason why that is unknown. */
  changesOf(row, count) {
    try {
      return reportDifference(this, { b: row, count });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { error: { code: error.code, message: error.message, hint: error.hint } };
    }
  }

  /** The steps that wrote the first values before that a step changed. */
  written(row, difference) {
    const end = performance.now() + PATIENCE_FOR_BLAME;
    const found = [];
    for (const { path } of (difference.changes ?? []).slice(0, BLAMED_CHANGES)) {
      if (performance.now() > end) break;
      const { writes, next } = writesInReport(this, { path, row, limit: 5, patience: end - performance.now() });
      found.push({ path, writes: writes.filter((write) => write.row !== row).slice(0, 4), more: next !== undefined || writes.length > 4 || undefined });
    }
    return found;
  }

  // Values

  /** Returns a value: the model, the one that a replay reached, or the payload of the step. */
  root({ place, of = 'state' }) {
    if (of === 'state') return this.modelAt(place);
    if (of === 'replayed') return this.replayed(place);
    return actionContent(this.rows.line(place).get('action')) ?? new Members();
  }

  modelAt(row) {
    if (!this.rows.has(row)) throw new Refusal('bad-position', 'This step is not in the report.', this.rows.info.report?.shell);
    return this.states.model(row);
  }

  /** Returns the model that the replay reached, if the row has a divergence. */
  replayed(row) {
    const found = this.rows.info.divergences.find((divergence) => divergence.row === row);
    if (!found?.states) throw new Refusal('not-found', 'The report has no replayed states of this step.');
    const { states } = found;
    const model = this.states.model(row);
    const names = [...new Set([...model.names, ...states.names])];
    return new Members(names, names.map((store) => (states.has(store) ? states.get(store) ?? ABSENT : model.get(store))));
  }

  tree(request) {
    const { place, path = '', from = 0, count = 500, of = 'state' } = request;
    const root = this.root(request);
    const step = this.rows.answer(place);
    const isMarked = of === 'state' && step?.kind === 'step' && !step.rejected;
    const rows = treeRows(root, request, isMarked ? this.formerModel(place) : undefined);
    const change = rows.findIndex(({ changed }) => changed !== undefined && changed !== 'inside');
    const known = !rows.some(({ kind }) => kind === 'unknown' || kind === 'unwritten');
    return { place, path, from, total: rows.length, rows: rows.slice(from, from + count), known, change: change < 0 ? undefined : change };
  }

  /** The last known states before a step, to mark what it changed. */
  formerModel(row) {
    const before = this.states.baselineOf(row).row;
    const stores = this.states.stores.filter((store) => this.states.lastKnown(store, before).state !== ABSENT);
    return new Members(stores, stores.map((store) => this.states.lastKnown(store, before).state));
  }

  value(request) {
    const value = valueAt(this.root(request), pointerTokens(request.path) ?? []);
    if (value === undefined || !isState(value)) throw new Refusal('no-path', `There is no ${request.path} here.`);
    const text = jsonText(this.visible(value));
    return { path: request.path, text, bytes: new TextEncoder().encode(text).length };
  }

  /** Returns a model without the stores that have no known state. */
  visible(value) {
    if (!(value instanceof Members) || value.values.every(isState)) return value;
    const names = value.names.filter((_, place) => isState(value.values[place]));
    return new Members(names, names.map((name) => value.get(name)));
  }

  requireKnown(store, state) {
    if (isState(state) || state === ABSENT) return;
    throw new Refusal('unknown-state', `The state of ${store} is unknown here: it is hidden by damage or a gap, or it was not written.`);
  }

  // Causes and effects

  chain({ row }) {
    const chain = [];
    let place = row;
    while (place !== undefined && chain.length < 100) {
      const step = this.rows.answer(place);
      if (step?.kind !== 'step') break;
      chain.push(this.link(step));
      if (step.cause !== undefined && step.causeRow === undefined) return { chain, missing: step.cause };
      place = step.causeRow;
    }
    return { chain };
  }

  effects({ row, limit = 100 }) {
    this.caused ??= groupedByCause(this.rows.answers);
    const steps = (this.caused.get(row) ?? []).slice(0, limit);
    const asked = this.rows.answer(row)?.kind === 'step' ? this.rows.member(row, 'effects') : undefined;
    return { steps: steps.map((step) => this.link(step)), asked };
  }

  link({ row, n, type, t, payload, effect }) {
    return { row, n, type, t, payload, effect, source: this.rows.member(row, 'at') };
  }

  /** A report runs no command: it shows the line that runs it in a shell. */
  run({ line, row }) {
    const { report } = this.rows.info;
    const number = this.rows.numberAt(row);
    const position = number === '-1' ? '' : ` -g ${number}`;
    const text = `${report?.shell ?? 'flux-inspect LOG'}${position} -e '${line.replaceAll("'", "'\\''")}'`;
    return { job: 0, done: true, line, ok: true, lines: [[[text]]], notes: ['This runs it in a shell.'] };
  }

  complete({ cursor }) {
    return { from: cursor, to: cursor, candidates: [] };
  }
}

// The answer to each request: from a method of the source, or from a function of another module that takes the source.
const REQUESTS = new Map([
  ['info', ({ rows }) => rows.info],
  ...['steps', 'step', 'tree', 'value', 'chain', 'effects', 'run', 'complete']
    .map((name) => [name, (source, request) => source[name](request)]),
  ['locate', locateRow], ['overview', reportOverview], ['series', reportSeries], ['difference', reportDifference],
  ['find', findInReport], ['writes', writesInReport],
]);

function groupedByCause(steps) {
  const groups = new Map();
  for (const step of steps) {
    if (!groups.has(step.causeRow)) groups.set(step.causeRow, []);
    groups.get(step.causeRow).push(step);
  }
  return groups;
}

openers.report = async (block) => new ReportSource(await readReport(block));
