import { Members, NumberText } from './json.js';
import { Refusal } from './answers.js';
import { jsonText, isEqual } from './values.js';
import { pointerTokens, valueAt } from './paths.js';
import { clipped } from './text.js';
import { changesBetween } from './difference.js';
import { globTest, isExpression } from './glob.js';
import { ReportRows } from './report-rows.js';
import { ReportStates, ABSENT, UNWRITTEN, isState } from './report-states.js';
import { treeRows } from './report-tree.js';
import { locateRow } from './report-positions.js';
import { reportOverview, reportSeries } from './report-overview.js';
import { runReportLine, completeReportLine } from './report-console.js';

const WORK_LIMIT = 50;

/** A recording inside the page: answers what the program would answer, from the embedded lines. */
export class ReportSource {
  constructor(data) {
    this.rows = new ReportRows(data);
    this.states = new ReportStates(this.rows);
    this.opening = data.head.get('open');
    this.isLive = false;
    this.rows.info.capabilities ??= { live: false, expressions: false, console: 'short', app: false };
  }

  async ask(name, request) {
    const answer = this[name];
    if (!answer || !REQUESTS.has(name)) throw new Refusal('bad-request', `There is no request ${name}.`);
    return answer.call(this, request);
  }

  info() {
    return this.rows.info;
  }

  locate(request) {
    return locateRow(this, request);
  }

  // Steps

  steps({ from = 0, count = 500, rows }) {
    const wanted = rows ?? Array.from({ length: Math.max(0, Math.min(count, this.rows.end - from)) }, (_, i) => from + i);
    return { from, rows: wanted.map((row) => this.summary(row)), total: this.rows.end };
  }

  /** Returns what the list shows of a row. */
  summary(row) {
    if (row === this.rows.first) return { row, kind: 'start', n: this.rows.startNumber };
    const outline = this.rows.outline(row);
    if (!outline) return { row, kind: 'outside', text: 'not in this report' };
    if (outline.kind !== 'step') {
      const { kind, t, text, from, to, why, lines, n } = outline;
      return { row, kind, t, text, from, to, why, lines, n };
    }
    const { n, t, type, payload, rejected, cause, causeRow, depth, effect, unwritten } = outline;
    outline.changed ??= this.states.changedStores(row);
    return { row, kind: 'step', n, t, type, payload, rejected, cause, causeRow, depth, effect, unwritten, changed: outline.changed };
  }

  step({ row }) {
    const summary = this.summary(row);
    if (summary.kind !== 'step') return summary;
    const line = this.rows.line(row);
    const payload = line.get('action').get('payload');
    return {
      ...summary, payload, target: line.get('target'), from: line.get('from'), effects: line.get('effects'),
      source: line.get('at'), took: line.get('took')?.text, x: line.get('x'), secrets: line.get('secrets'),
    };
  }

  overview(request) {
    return reportOverview(this, request);
  }

  series(request) {
    return reportSeries(this, request);
  }

  // Values

  /** Returns the value that a tree shows: the model, or a part of the step. */
  root({ place, of = 'state' }) {
    if (of === 'state') return this.modelAt(place);
    if (of === 'before') return this.modelAt(this.states.baselineOf(place).row);
    if (of === 'replayed') return this.replayed(place);
    const line = this.rows.line(place);
    if (of === 'payload') return line.get('action').get('payload') ?? new Members();
    return line.get(of) ?? new Members();
  }

  modelAt(row) {
    if (!this.rows.has(row)) throw new Refusal('bad-position', 'This step is not in the report.', this.rows.info.report?.shell);
    const model = this.states.model(row);
    return new Members([...model.keys()], [...model.values()]);
  }

  /** Returns the model that the replay reached, if the row has a divergence. */
  replayed(row) {
    const found = this.rows.info.divergences.find((divergence) => divergence.row === row);
    if (!found?.states) throw new Refusal('not-found', 'The report has no replayed states of this step.');
    const model = this.states.model(row);
    found.states.names.forEach((store, place) => {
      const state = found.states.values[place];
      if (state === null) model.delete(store);
      else model.set(store, state);
    });
    return new Members([...model.keys()], [...model.values()]);
  }

  tree(request) {
    const { place, path = '', from = 0, count = 500, of = 'state' } = request;
    const root = this.root(request);
    const outline = this.rows.outline(place);
    const isMarked = of === 'state' && outline?.kind === 'step' && !outline.rejected;
    const rows = treeRows(root, request, isMarked ? this.formerModel(place) : undefined);
    return { place, path, from, total: rows.length, rows: rows.slice(from, from + count), known: true };
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

  // Differences

  difference({ a, b, of, from = 0, count = 500 }) {
    const found = a === null || a === undefined ? this.stepDifference(b)
      : this.modelDifference(this.root({ place: a }), this.root({ place: b, of: of ?? 'state' }), a, b);
    const { changes, ...rest } = found;
    return { ...rest, total: changes.length, first: from, changes: changes.slice(from, from + count).map(withSplice) };
  }

  stepDifference(row) {
    const outline = this.rows.outline(row);
    const { row: before, afterGap } = this.states.baselineOf(row);
    const found = { from: this.rows.numberAt(before), to: this.rows.numberAt(row), afterGap, notes: [], changes: [] };
    if (!outline || outline.kind !== 'step') return found;
    const unwritten = [];
    for (const store of this.states.changedStores(row)) {
      const state = this.states.state(store, row);
      if (state === UNWRITTEN) {
        unwritten.push(store);
        continue;
      }
      this.requireKnown(store, state);
      const old = this.states.lastKnown(store, before);
      if (!old.isExact) found.afterGap = true;
      found.changes.push(...changesBetween(valueOrNone(old.state), valueOrNone(state), [store]));
    }
    if (unwritten.length) found.unwritten = unwritten;
    return found;
  }

  modelDifference(old, now, a, b) {
    const changes = [];
    for (const store of new Set([...old.names, ...now.names].sort())) {
      const [before, after] = [old.get(store) ?? ABSENT, now.get(store) ?? ABSENT];
      this.requireKnown(store, before);
      this.requireKnown(store, after);
      changes.push(...changesBetween(valueOrNone(before), valueOrNone(after), [store]));
    }
    return { from: this.rows.numberAt(a), to: this.rows.numberAt(b), notes: [], changes };
  }

  requireKnown(store, state) {
    if (isState(state) || state === ABSENT) return;
    throw new Refusal('unknown-state', `The state of ${store} is unknown here: it is hidden by damage or a gap, or it was not written.`);
  }

  // Searches

  find({ filter, from = 1, direction = 'forwards', limit = 500, count, roots }) {
    if (isExpression(filter)) {
      throw new Refusal('usage', 'A report filters by globs of action types only.', this.rows.info.report?.shell);
    }
    const matches = filter === '' ? () => true : globTest(filter);
    const found = { rows: [], matches: 0, scanned: 0 };
    const step = direction === 'forwards' ? 1 : -1;
    for (let row = Math.max(from, this.rows.first + 1); row > this.rows.first && row < this.rows.end; row += step) {
      const outline = this.rows.outline(row);
      if (outline?.kind !== 'step') continue;
      found.scanned++;
      if ((roots && outline.cause !== undefined) || !matches(outline.type)) continue;
      found.matches++;
      if (count) continue;
      found.rows.push(this.summary(row));
      if (found.rows.length < limit) continue;
      if (row + step > this.rows.first && row + step < this.rows.end) found.next = row + step;
      break;
    }
    return found;
  }

  /** The steps that wrote a value; a part of them after 50 ms. */
  writes({ path, row = this.rows.end - 1, direction = 'backwards', limit = 50, next }) {
    const [store, ...tokens] = pointerTokens(path) ?? [];
    if (store === undefined) throw new Refusal('usage', 'A path begins with a store.');
    const isBackwards = direction === 'backwards';
    const answer = { path, writes: [], scanned: 0 };
    const rows = this.writtenRows(store, isBackwards ? row : this.rows.end - 1);
    if (isBackwards) rows.reverse();
    const end = performance.now() + WORK_LIMIT;
    for (let place = next ?? 0; place < rows.length; place++) {
      if (answer.writes.length >= limit || performance.now() > end) return { ...answer, next: place };
      answer.scanned++;
      const write = this.write(store, tokens, rows[place]);
      if (write) answer.writes.push(write);
    }
    return answer;
  }

  /** Returns the rows at which a store has events, ascending and without repeats. */
  writtenRows(store, end) {
    const events = this.states.events.get(store);
    if (!events) throw new Refusal('no-store', `There is no store ${store}.`);
    return [...new Set(events.list.map((event) => event.row))].filter((row) => row <= end);
  }

  write(store, tokens, row) {
    const state = this.states.state(store, row);
    if (!isState(state) && state !== ABSENT) return null;
    const value = valueAt(valueOrNone(state), tokens);
    if (row === this.rows.first) return value === undefined ? null : { row, n: this.rows.startNumber, value };
    const outline = this.rows.outline(row);
    if (outline.kind !== 'step') return null;
    const { row: before, afterGap } = this.states.baselineOf(row);
    const known = this.states.lastKnown(store, before);
    const old = valueAt(valueOrNone(known.state), tokens);
    if (old === value || (old !== undefined && value !== undefined && isEqual(old, value))) return null;
    return { row, n: outline.n, t: outline.t, type: outline.type, value, afterGap: afterGap || !known.isExact || undefined };
  }

  chain({ row }) {
    const chain = [];
    let place = row;
    while (place !== undefined && chain.length < 100) {
      const outline = this.rows.outline(place);
      if (outline?.kind !== 'step') break;
      const { n, type, t, payload, effect, cause, causeRow } = outline;
      chain.push({ row: place, n, type, t, payload, effect });
      if (cause !== undefined && causeRow === undefined) return { chain, missing: cause };
      place = causeRow;
    }
    return { chain };
  }

  effects({ row, limit = 100 }) {
    this.caused ??= Map.groupBy ? Map.groupBy(this.rows.outlines, (outline) => outline.causeRow)
      : groupedByCause(this.rows.outlines);
    const steps = (this.caused.get(row) ?? []).slice(0, limit);
    const outline = this.rows.outline(row);
    const asked = outline?.kind === 'step' ? this.rows.member(row, 'effects') : undefined;
    return { steps: steps.map(({ row, n, type, t, payload, effect }) => ({ row, n, type, t, payload, effect })), asked, scanned: steps.length };
  }

  run(request) {
    return runReportLine(this, request);
  }

  complete(request) {
    return completeReportLine(this, request);
  }
}

const REQUESTS = new Set(['info', 'locate', 'steps', 'step', 'overview', 'series', 'tree', 'value', 'difference',
  'find', 'writes', 'chain', 'effects', 'run', 'complete']);

function groupedByCause(outlines) {
  const groups = new Map();
  for (const outline of outlines) {
    if (!groups.has(outline.causeRow)) groups.set(outline.causeRow, []);
    groups.get(outline.causeRow).push(outline);
  }
  return groups;
}

function valueOrNone(state) {
  return isState(state) ? state : undefined;
}

/** Adds the one edit that turns a long text into another. */
function withSplice(change) {
  const { old, new: now } = change;
  if (change.op !== 'replace' || typeof old !== 'string' || typeof now !== 'string') return change;
  const [left, right] = [Array.from(old), Array.from(now)];
  let [head, tail] = [0, 0];
  const shorter = Math.min(left.length, right.length);
  while (head < shorter && left[head] === right[head]) head++;
  while (tail < shorter - head && left.at(-1 - tail) === right.at(-1 - tail)) tail++;
  const splice = {
    at: head, del: left.slice(head, left.length - tail).join(''), ins: right.slice(head, right.length - tail).join(''),
    before: left.slice(Math.max(0, head - 40), head).join(''), after: left.slice(left.length - tail).slice(0, 40).join(''),
  };
  return { ...change, splice };
}

/** Returns a value that an answer may have whole or cut: `{text, isCut}`. */
export function slotText(answer, name, limit = 200) {
  const cut = answer[name + 'Cut'];
  if (cut) return { text: cut.preview, isCut: true, count: cut.count, kind: cut.kind };
  const value = answer[name];
  if (value === undefined) return null;
  const text = jsonText(value, { limit });
  return { text: clipped(text, limit), isCut: text.length > limit, isNumber: value instanceof NumberText };
}
