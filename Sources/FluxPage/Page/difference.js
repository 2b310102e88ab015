import { Members, NumberText } from './json.js';
import { kindOf, isEqual, jsonText, compareCodePoints } from './values.js';
import { pointerText } from './paths.js';
import { commonSubsequence, uniqueMatches } from './align.js';

const COMPARED_DEPTH = 100;
const IDENTITIES = ['id', 'uuid', 'key'];

/**
 * Returns the changes that turn one value into another, in the order in which they apply, each as
 * `{path, op, old?, new?}`. The same changes as those of the program's `diff`.
 */
export function changesBetween(old, now, prefix = []) {
  if (old === undefined && now === undefined) return [];
  const changes = [];
  const path = [...prefix];
  const emit = (op, before, after) => changes.push({ path: pointerText(path), op, old: before, new: after });
  if (old === undefined) emit('add', undefined, now);
  else if (now === undefined) emit('remove', old, undefined);
  else compareValues(old, now, { path, emit, depth: 0 });
  return changes;
}

function compareValues(old, now, walk) {
  if (old === now) return;
  const kind = kindOf(old);
  const isContainer = kind === 'array' || kind === 'object';
  if (kind !== kindOf(now) || !isContainer || walk.depth >= COMPARED_DEPTH) {
    if (!isEqual(old, now)) walk.emit('replace', old, now);
    return;
  }
  walk.depth++;
  if (kind === 'array') compareArrays(old, now, walk);
  else compareObjects(old, now, walk);
  walk.depth--;
}

function at(walk, token, body) {
  walk.path.push(String(token));
  body();
  walk.path.pop();
}

function compareObjects(old, now, walk) {
  const names = [...new Set([...old.names, ...now.names])].sort(compareCodePoints);
  for (const name of names) {
    const [before, after] = [old.get(name), now.get(name)];
    if (before === after) continue;
    at(walk, name, () => {
      if (before === undefined) walk.emit('add', undefined, after);
      else if (after === undefined) walk.emit('remove', before, undefined);
      else compareValues(before, after, walk);
    });
  }
}

function compareArrays(old, now, walk) {
  let [start, oldEnd, newEnd] = [0, old.length, now.length];
  while (start < oldEnd && start < newEnd && isEqual(old[start], now[start])) start++;
  while (oldEnd > start && newEnd > start && isEqual(old[oldEnd - 1], now[newEnd - 1])) {
    oldEnd--;
    newEnd--;
  }
  const left = old.slice(start, oldEnd);
  const right = now.slice(start, newEnd);
  const script = { left, right, i: 0, j: 0, index: start, walk, pairs: true };
  for (const [i, j] of aligned(left, right, script)) {
    emitGap(script, i, j);
    emitPair(script, true);
  }
  emitGap(script, left.length, right.length);
}

/** Returns the pairs of elements, and sets `pairs` false if the others are never compared. */
function aligned(left, right, script) {
  if (!left.length || !right.length) return [];
  for (const name of IDENTITIES) {
    const [oldKeys, newKeys] = [identities(left, name), identities(right, name)];
    if (!oldKeys || !newKeys) continue;
    script.pairs = false;
    return uniqueMatches(oldKeys, newKeys);
  }
  if (left.length + right.length <= 2) return [];
  const [oldPrints, newPrints] = [prints(left), prints(right)];
  return commonSubsequence(oldPrints, newPrints) ?? uniqueMatches(oldPrints, newPrints);
}

function identities(elements, name) {
  const keys = elements.map((element) => {
    const key = element instanceof Members ? element.get(name) : undefined;
    return typeof key === 'string' || key instanceof NumberText ? jsonText(key) : null;
  });
  return keys.includes(null) || new Set(keys).size < keys.length ? null : keys;
}

function prints(elements) {
  return elements.map((element) => jsonText(element));
}

function emitGap(script, oldEnd, newEnd) {
  while (script.i < oldEnd && script.j < newEnd) emitPair(script, script.pairs);
  while (script.i < oldEnd) {
    at(script.walk, script.index, () => script.walk.emit('remove', script.left[script.i++], undefined));
  }
  while (script.j < newEnd) {
    at(script.walk, script.index++, () => script.walk.emit('add', undefined, script.right[script.j++]));
  }
}

function emitPair(script, compares) {
  const [old, now] = [script.left[script.i++], script.right[script.j++]];
  at(script.walk, script.index++, () => {
    if (compares) compareValues(old, now, script.walk);
    else script.walk.emit('replace', old, now);
  });
}
