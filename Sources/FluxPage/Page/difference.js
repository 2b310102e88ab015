import { Members, NumberText } from './json.js';
import { kindOf, isEqual, jsonText, decimal } from './values.js';
import { pointerText } from './paths.js';
import { unequalStretches, longestAscending } from './align.js';

const IDENTITIES = ['id', 'key', 'uuid', 'name'];
// So many moved elements of one array are told in one line.
const COUNTED_MOVES = 8;

/**
 * Returns the differences between two values as people read them, the same lines as those of the
 * program's `diff`: `{path, op, identity?, old?, new?}`. Elements of arrays are found by their identity,
 * and what was removed has the place that it had in the old value.
 */
export function changesBetween(old, now, prefix = []) {
  return compared(old, now, prefix).map(({ line }) => line);
}

/** Returns lines, each with whether it is about a value itself or about an element of an array. */
function compared(old, now, path) {
  if (old === now) return [];
  const kind = kindOf(old);
  if (old === undefined || now === undefined || kind !== kindOf(now) || (kind !== 'array' && kind !== 'object')) {
    return old !== undefined && now !== undefined && isEqual(old, now) ? [] : [valueLine(old, now, path)];
  }
  if (kind === 'object') {
    const names = [...old.names, ...now.names.filter((name) => !old.has(name))];
    return names.flatMap((name) => compared(old.get(name), now.get(name), [...path, name]));
  }
  for (const name of IDENTITIES) {
    const before = identities(old, name);
    const after = before && identities(now, name);
    if (after) return comparedElements({ elements: old, places: before }, { elements: now, places: after }, name, path);
  }
  return comparedByPlace(old, now, path);
}

function valueLine(old, now, path) {
  const op = old === undefined ? 'add' : now === undefined ? 'remove' : 'replace';
  return { line: { path: pointerText(path), op, old, new: now }, isValue: true };
}

// Elements without identity

function comparedByPlace(old, now, path) {
  // States share most of what they have, so comparing the ends is cheaper than writing all elements.
  let [start, oldRest, newRest] = [0, old.length, now.length];
  while (start < oldRest && start < newRest && isEqual(old[start], now[start])) start++;
  while (oldRest > start && newRest > start && isEqual(old[oldRest - 1], now[newRest - 1])) [oldRest, newRest] = [oldRest - 1, newRest - 1];
  const [left, right] = [old.slice(start, oldRest), now.slice(start, newRest)];
  const at = (place) => [...path, String(start + place)];
  return unequalStretches(left.map(equalText), right.map(equalText)).flatMap(({ old: [from, oldEnd], now: [to, newEnd] }) => {
    const lines = [];
    const paired = Math.min(oldEnd - from, newEnd - to);
    for (let place = 0; place < paired; place++) lines.push(...compared(left[from + place], right[to + place], at(to + place)));
    for (let place = from + paired; place < oldEnd; place++) lines.push(valueLine(left[place], undefined, at(place)));
    for (let place = to + paired; place < newEnd; place++) lines.push(valueLine(undefined, right[place], at(place)));
    return lines;
  });
}

/** Returns a text that equal values have in common. */
function equalText(value) {
  if (value instanceof NumberText) return decimal(value.text);
  if (Array.isArray(value)) return `[${value.map(equalText).join()}]`;
  if (!(value instanceof Members)) return jsonText(value);
  return `{${value.names.map((name, place) => `${jsonText(name)}:${equalText(value.values[place])}`).sort().join()}}`;
}

// Elements with identity

/** Returns the place of each identity; null if an element has none, or shares it with another one. */
function identities(elements, name) {
  const places = new Map();
  for (const [place, element] of elements.entries()) {
    const key = element instanceof Members ? element.get(name) : undefined;
    if (typeof key !== 'string' && !(key instanceof NumberText)) return null;
    const text = equalText(key);
    if (places.has(text)) return null;
    places.set(text, place);
  }
  return places;
}

function comparedElements(old, now, name, path) {
  const [oldKeys, newKeys] = [[...old.places.keys()], [...now.places.keys()]];
  const identity = ({ elements }, place) => `${name} ${jsonText(elements[place].get(name))}`;
  const known = newKeys.map((key) => old.places.get(key)).filter((place) => place !== undefined);
  const kept = new Set(longestAscending(known).map((place) => known[place]));
  const removed = oldKeys.flatMap((key, place) => (now.places.has(key) ? [] : [place]));
  const found = [];
  const add = (op, side, place, rest, inner = []) => found.push({ op, line: { path: pointerText([...path, String(place)]), op, identity: identity(side, place), ...rest }, inner });
  const addRemoved = (end) => {
    while (removed.length && removed[0] < end) add('remove', old, removed[0], { old: old.elements[removed.shift()] });
  };
  newKeys.forEach((key, place) => {
    const from = old.places.get(key);
    if (from === undefined) {
      add('add', now, place, { new: now.elements[place] });
      return;
    }
    if (kept.has(from)) addRemoved(from);
    const inner = compared(old.elements[from], now.elements[place], [...path, String(place)]);
    if (!kept.has(from)) add('move', now, place, { from }, inner);
    else if (inner.length) add('change', now, place, {}, inner);
  });
  addRemoved(Infinity);
  return shownElements(found, swapped(oldKeys, newKeys), (place) => identity(now, place), path);
}

/** Returns the lines of the elements of one array; many moves, and a swap, are told in one line. */
function shownElements(found, swap, identity, path) {
  const moved = found.filter(({ op }) => op === 'move');
  const isSummarized = swap !== null || moved.length >= COUNTED_MOVES;
  const summaryPlace = swap ? found.indexOf(moved[0]) : 0;
  // If all elements stay where they are, their indexes say enough.
  const showsIdentity = found.some(({ op }) => op !== 'change');
  const lines = found.flatMap(({ op, line, inner }, place) => [
    ...(isSummarized && place === summaryPlace ? [swap ? swapLine(swap, identity, path) : movesLine(moved, path)] : []),
    ...((op === 'move' ? !isSummarized : op !== 'change') ? [line] : []),
    ...inner.filter(({ isValue }) => isValue).map(({ line: value }) => (showsIdentity ? { ...value, identity: line.identity } : value)),
    // What changed in elements deeper down stays beside this one.
    ...inner.filter(({ isValue }) => !isValue).map(({ line: deeper }) => deeper),
  ]);
  return lines.map((line) => ({ line, isValue: false }));
}

function swapLine([first, second], identity, path) {
  return { path: pointerText([...path, String(first)]), op: 'swap', identity: identity(first), with: second, withIdentity: identity(second) };
}

function movesLine(moved, path) {
  // All but one element lie outside of the longest sequence of a reversed array.
  const isReversed = moved.every(({ line }, place) => place === 0 || moved[place - 1].line.from > line.from);
  return { path: pointerText(path), op: 'moves', count: moved.length + (isReversed ? 1 : 0), reversed: isReversed || undefined };
}

/** Returns the two places whose elements have changed places; null if other elements came, left or moved. */
function swapped(oldKeys, newKeys) {
  if (oldKeys.length !== newKeys.length) return null;
  const places = newKeys.flatMap((key, place) => (key === oldKeys[place] ? [] : [place]));
  const [first, second] = places;
  return places.length === 2 && oldKeys[first] === newKeys[second] && oldKeys[second] === newKeys[first] ? places : null;
}
