import { changesBetween } from './difference.js';
import { UNWRITTEN, isState, stateIn } from './report-states.js';

const CONTEXT = 40;

/** Returns what a step changed, or the difference between two models, in a report. */
export function reportDifference(source, { a, b, of, from = 0, count = 500 }) {
  const { changes, ...rest } = a === null || a === undefined ? stepDifference(source, b)
    : modelDifference(source, { a, b, of });
  return { ...rest, total: changes.length, first: from, changes: changes.slice(from, from + count).map(withSplice) };
}

function stepDifference({ rows, states, requireKnown }, row) {
  const step = rows.answer(row);
  const to = Number(rows.numberAt(row));
  if (step?.kind !== 'step') return { from: to, to, notes: [], changes: [] };
  const { row: before, afterGap, restored } = states.baselineOf(row);
  const difference = { from: Number(restored?.step ?? rows.numberAt(Math.floor(before))), to, afterGap,
    restored: restored ? true : undefined, notes: [], changes: [] };
  const unwritten = [];
  for (const store of step.changed) {
    const state = states.state(store, row);
    if (state === UNWRITTEN) {
      unwritten.push(store);
      continue;
    }
    requireKnown(store, state);
    const old = states.lastKnown(store, before);
    if (!old.isExact) difference.afterGap = true;
    if (states.state(store, before) === UNWRITTEN) {
      difference.notes.push(`${store} is compared with step ${rows.numberAt(old.row)}: its states between the two are not written`);
    }
    difference.changes.push(...changesBetween(valueOrNone(old.state), valueOrNone(state), [store]));
  }
  // An answer leaves out an empty list.
  difference.unwritten = unwritten.length ? unwritten : undefined;
  difference.notRecorded = step.notRecorded;
  return difference;
}

function modelDifference(source, { a, b, of = 'state' }) {
  const [old, now] = [source.root({ place: a }), source.root({ place: b, of })];
  const changes = [];
  for (const store of [...new Set([...old.names, ...now.names])].sort()) {
    const [before, after] = [stateIn(old, store), stateIn(now, store)];
    source.requireKnown(store, before);
    source.requireKnown(store, after);
    changes.push(...changesBetween(valueOrNone(before), valueOrNone(after), [store]));
  }
  return { from: Number(source.rows.numberAt(a)), to: Number(source.rows.numberAt(b)), notes: [], changes };
}

/** Returns a state as a value; undefined if there is none. */
export function valueOrNone(state) {
  return isState(state) ? state : undefined;
}

/** Adds the one edit that turns a text into another, with the text around it. */
function withSplice(change) {
  const { op, old, new: now } = change;
  if (op !== 'replace' || typeof old !== 'string' || typeof now !== 'string') return change;
  const shorter = Math.min(old.length, now.length);
  let [head, tail] = [0, 0];
  while (head < shorter && old.charCodeAt(head) === now.charCodeAt(head)) head++;
  if (isInsideCharacter(old, head) || isInsideCharacter(now, head)) head--;
  while (tail < shorter - head && old.charCodeAt(old.length - 1 - tail) === now.charCodeAt(now.length - 1 - tail)) tail++;
  if (isInsideCharacter(old, old.length - tail) || isInsideCharacter(now, now.length - tail)) tail--;
  const [oldEnd, newEnd] = [old.length - tail, now.length - tail];
  const before = Array.from(old.slice(Math.max(0, head - 2 * CONTEXT), head)).slice(-CONTEXT);
  const after = Array.from(old.slice(oldEnd, oldEnd + 2 * CONTEXT)).slice(0, CONTEXT);
  const splice = {
    at: scalarCount(old, head), del: old.slice(head, oldEnd), ins: now.slice(head, newEnd),
    before: before.join(''), after: after.join(''),
  };
  return { ...change, splice };
}

/** True between the two halves of a character beyond U+FFFF. */
function isInsideCharacter(text, place) {
  return place > 0 && place < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(place - 1, place + 1));
}

/** Returns the number of Unicode scalars before a place; a lone surrogate counts as one. */
function scalarCount(text, place) {
  const pairs = text.slice(0, place).match(/[\ud800-\udbff][\udc00-\udfff]/g);
  return place - (pairs?.length ?? 0);
}
