import { Members } from './json.js';
import { Refusal } from './answers.js';
import { isEqual } from './values.js';
import { pointerText, pointerTokens, valueAt } from './paths.js';
import { globTest, isExpression } from './glob.js';
import { ABSENT, isState } from './report-states.js';
import { valueOrNone } from './report-difference.js';

const WORK_LIMIT = 50;

/** Returns the steps of a report whose action types match a glob. */
export function findInReport(source, { filter, from = 1, direction = 'forwards', limit = 500, count, roots }) {
  const { rows } = source;
  const matches = searchTest(source, filter);
  const answer = { rows: [], matches: 0 };
  const step = direction === 'forwards' ? 1 : -1;
  const start = direction === 'forwards' ? Math.max(from, rows.first + 1) : Math.min(from, rows.end - 1);
  for (let row = start; row > rows.first && row < rows.end; row += step) {
    const found = rows.answer(row);
    if (found.kind !== 'step' || (roots && found.cause !== undefined) || !matches(found)) continue;
    answer.matches++;
    if (count) continue;
    answer.rows.push(source.summary(row));
    if (answer.rows.length < limit) continue;
    if (row + step > rows.first && row + step < rows.end) answer.next = row + step;
    break;
  }
  return answer;
}

/** Returns the test of a search: a glob of types, or a text in the type or in a string of the payload, in any case. */
function searchTest({ rows }, filter) {
  if (filter === '') return () => true;
  if (/[*?]/.test(filter) && !isExpression(filter)) {
    const isType = globTest(filter);
    return ({ type }) => isType(type);
  }
  // Some apps have types such as `[Auth] Login`, which may be in quotes.
  const [, , quoted] = /^(["'])(.+)\1$/s.exec(filter) ?? [];
  const wantedType = isExpression(quoted ?? '') ? quoted : filter;
  if (rows.info.types?.some(({ type }) => type === wantedType)) return ({ type }) => type === wantedType;
  // Words with blanks between them are a text; every other mark belongs to an expression.
  if (isExpression(filter.replaceAll(' ', ''))) {
    throw new Refusal('usage', 'A report searches for text and for types of actions, not for expressions.', rows.info.report?.shell);
  }
  const wanted = filter.toLowerCase();
  return ({ row, type }) => type.toLowerCase().includes(wanted)
    || (rows.mayContain(row, wanted) && hasText(rows.member(row, 'action'), wanted));
}

function hasText(value, wanted) {
  if (typeof value === 'string') return value.toLowerCase().includes(wanted);
  const inner = Array.isArray(value) ? value : value instanceof Members ? value.values : [];
  return inner.some((part) => hasText(part, wanted));
}

/**
 * Returns the row of the step that has the state of an event.
 *
 * For the model to which the app went back, it is a rejected step; an accepted one has an event.
 */
function writingRow({ rows }, { row }) {
  if (Number.isInteger(row)) return row;
  return rows.answer(Math.ceil(row))?.rejected ? Math.ceil(row) : NaN;
}

/** Returns the steps that wrote a value; a part of them after 50 ms. */
export function writesInReport(source, { path, row, direction = 'backwards', limit = 50, next = 0, patience = WORK_LIMIT }) {
  const [store, ...tokens] = pointerTokens(path) ?? [];
  const events = source.states.events.get(store);
  if (!events) throw new Refusal('no-store', `There is no store ${store ?? ''}.`);
  const isBackwards = direction === 'backwards';
  const end = isBackwards ? row ?? source.rows.end - 1 : source.rows.end - 1;
  const start = isBackwards || row === undefined ? 0 : row + 1;
  const { list } = events;
  const places = [...list.keys()].filter((place) => {
    const written = writingRow(source, list[place]);
    return written >= start && written <= end && list[place + 1]?.row !== list[place].row;
  });
  if (isBackwards) places.reverse();
  const pointer = pointerText(tokens);
  // The state right before such a step is that of the event before; only the patch can have written the value.
  const isPlainPatch = (place) => list[place].kind === 'patch' && Number.isInteger(list[place - 1].row);
  const answer = { path, writes: [] };
  const limitOfTime = performance.now() + patience;
  for (let index = next; index < places.length; index++) {
    if (answer.writes.length >= limit || performance.now() > limitOfTime) return { ...answer, next: index };
    const place = places[index];
    if (isPlainPatch(place) && !source.rows.mayWrite(list[place].row, pointer)) continue;
    const write = writeAt(source, store, tokens, writingRow(source, list[place]));
    if (write) answer.writes.push(write);
  }
  return answer;
}

/** Returns the write of a value by the step at a row; null if the step did not write it. */
function writeAt({ rows, states }, store, tokens, row) {
  const state = states.state(store, row);
  if (!isState(state) && state !== ABSENT) return null;
  const value = valueAt(valueOrNone(state), tokens);
  if (row === rows.first) return value === undefined ? null : { row, n: rows.startNumber, value };
  const { kind, n, t, type } = rows.answer(row);
  if (kind !== 'step') return null;
  const { row: before, afterGap, restored } = states.baselineOf(row);
  const known = states.lastKnown(store, before);
  const isKept = isSame(valueAt(valueOrNone(known.state), tokens), value);
  if (isKept) {
    // A rejected step before this one had that model already.
    if (!restored || rows.stepAt(row - 1)?.row > before) return null;
    const earlier = states.lastKnown(store, Math.floor(before));
    return isSame(valueAt(valueOrNone(earlier.state), tokens), value) ? null : { row, n, t, type: 'restored', value };
  }
  return { row, n, t, type, value, afterGap: (afterGap && !restored) || !known.isExact || undefined };
}

function isSame(one, other) {
  return one === other || (one !== undefined && other !== undefined && isEqual(one, other));
}
