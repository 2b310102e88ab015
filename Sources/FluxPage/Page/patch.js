import { Members, NumberText } from './json.js';
import { isEqual, decimal, compareCodePoints } from './values.js';
import { INDEX, pointerTokens, valueAt } from './paths.js';

/** The reason why a patch does not apply. */
export class PatchFailure extends Error {}

/**
 * Applies a patch (RFC 6902, and the log's `splice`) and returns the new value.
 *
 * The old value stays as it is: containers on the way to a change are copied, everything else is
 * shared. So any number of states can be kept, and comparing them skips what they share.
 */
export function applyPatch(root, operations) {
  if (!Array.isArray(operations)) throw new PatchFailure('The patch is not an array');
  let value = root;
  for (const operation of operations) {
    if (!(operation instanceof Members)) throw new PatchFailure('An operation is not an object');
    value = applyOperation(value, operation);
  }
  return value;
}

function applyOperation(root, operation) {
  const path = tokensOf(operation, 'path');
  switch (operation.get('op')) {
  case 'add': return inserted(root, path, valueOf(operation));
  case 'replace': return changed(root, path, () => valueOf(operation));
  case 'remove': return removed(root, path);
  case 'copy': return inserted(root, path, existing(root, tokensOf(operation, 'from')));
  case 'move': return moved(root, tokensOf(operation, 'from'), path);
  case 'test':
    if (isEqual(existing(root, path), valueOf(operation))) return root;
    throw new PatchFailure('A test failed');
  case 'splice': return changed(root, path, (text) => splice(text, operation));
  default: throw new PatchFailure('Unknown operation');
  }
}

function tokensOf(operation, name) {
  const text = operation.get(name);
  const tokens = typeof text === 'string' ? pointerTokens(text) : null;
  if (!tokens) throw new PatchFailure(`Expected a JSON Pointer in ${name}`);
  return tokens;
}

function valueOf(operation) {
  const value = operation.get('value');
  if (value === undefined) throw new PatchFailure('Expected a value');
  return value;
}

function existing(root, tokens) {
  const value = valueAt(root, tokens);
  if (value === undefined) throw new PatchFailure('There is no such value');
  return value;
}

function moved(root, from, path) {
  if (from.length < path.length && from.every((token, place) => token === path[place])) {
    throw new PatchFailure('A value cannot move into itself');
  }
  return inserted(removed(root, from), path, existing(root, from));
}

function indexOf(array, token, limit) {
  if (!INDEX.test(token) || Number(token) > limit) throw new PatchFailure('There is no such element');
  return Number(token);
}

/** Returns the value with the one at the path, or at its first tokens, replaced by the result of `change`. */
function changed(value, path, change, count = path.length, depth = 0) {
  if (depth === count) return change(value);
  return withChild(value, path[depth], (child) => changed(child, path, change, count, depth + 1));
}

/** Returns the value with the container at the end of the path replaced by the result of `change`, which gets the last token. */
function changedInside(root, path, change) {
  return changed(root, path, (container) => change(container, path.at(-1)), path.length - 1);
}

function placeOf(value, token) {
  const place = value instanceof Members ? value.place(token) : -1;
  if (place < 0) throw new PatchFailure('There is no such value');
  return place;
}

function withChild(value, token, change) {
  if (Array.isArray(value)) {
    const index = indexOf(value, token, value.length - 1);
    return value.with(index, change(value[index]));
  }
  const place = placeOf(value, token);
  const copy = new Members(value.names, value.values.with(place, change(value.values[place])));
  copy.places = value.places;
  return copy;
}

function inserted(root, path, addition) {
  if (!path.length) return addition;
  return changedInside(root, path, (value, token) => {
    if (Array.isArray(value)) {
      return value.toSpliced(token === '-' ? value.length : indexOf(value, token, value.length), 0, addition);
    }
    if (!(value instanceof Members)) throw new PatchFailure('There is no such value');
    return value.has(token) ? withChild(value, token, () => addition) : withMember(value, token, addition);
  });
}

/** Adds a member before the first one with a greater name, as recorded states are sorted. */
function withMember(object, name, value) {
  let place = object.names.length;
  if (object.isUnsorted === undefined) object.isUnsorted = !isSorted(object.names);
  if (!object.isUnsorted) while (place > 0 && compareCodePoints(name, object.names[place - 1]) < 0) place--;
  return new Members(object.names.toSpliced(place, 0, name), object.values.toSpliced(place, 0, value));
}

function isSorted(names) {
  for (let place = 1; place < names.length; place++) {
    if (compareCodePoints(names[place], names[place - 1]) < 0) return false;
  }
  return true;
}

function removed(root, path) {
  if (!path.length) throw new PatchFailure('The whole state cannot be removed');
  return changedInside(root, path, (value, token) => {
    if (Array.isArray(value)) return value.toSpliced(indexOf(value, token, value.length - 1), 1);
    const place = placeOf(value, token);
    return new Members(value.names.toSpliced(place, 1), value.values.toSpliced(place, 1));
  });
}

/**
 * The newest result of a splice, cut at its end. People type at one place, and joining the two parts
 * costs nothing there, while cutting a long text costs its length.
 */
const newest = { text: null, left: '', right: '', isPlain: false };
const SURROGATE = /[\ud800-\udfff]/;

/** Deletes and inserts in a string; places count Unicode scalars, a lone surrogate as one. */
function splice(text, operation) {
  const [at, del, ins] = [countOf(operation.get('at')), countOf(operation.get('del')), operation.get('ins')];
  if (typeof text !== 'string' || typeof ins !== 'string' || at === undefined || del === undefined) {
    throw new PatchFailure('A splice needs a string, "at", "del" and "ins"');
  }
  const isKnown = newest.text === text;
  const isPlain = isKnown ? newest.isPlain : !SURROGATE.test(text);
  const start = isPlain ? at : unitPlace(text, 0, at);
  const end = isPlain ? start + del : unitPlace(text, start, del);
  if (start > text.length || end > text.length) throw new PatchFailure('A splice is outside its text');
  const [left, right] = isKnown ? cutAt(start, end) : [text.slice(0, start), text.slice(end)];
  newest.left = left + ins;
  newest.right = right;
  newest.text = newest.left + right;
  newest.isPlain = isPlain && !SURROGATE.test(ins);
  return newest.text;
}

/** Returns the parts of the newest text before and behind a range. */
function cutAt(start, end) {
  const { text, left, right } = newest;
  const cut = left.length;
  if (start === cut) return [left, end > cut ? right.slice(end - cut) : right];
  if (start < cut && end >= cut) return [left.slice(0, start), right.slice(end - cut)];
  return [text.slice(0, start), text.slice(end)];
}

/** Returns a whole number from 0 on, such as `2`, `2.0` or `20e-1`; undefined for any other value. */
function countOf(value) {
  if (!(value instanceof NumberText)) return undefined;
  const number = Number(value.text);
  if (/^\d{1,15}$/.test(value.text)) return number;
  const isCount = number >= 0 && Number.isSafeInteger(number) && decimal(value.text) === decimal(String(number));
  return isCount ? number : undefined;
}

/** Returns the UTF-16 place a number of scalars behind another; past the end if there are fewer. */
function unitPlace(text, from, scalars) {
  let place = from;
  for (let rest = scalars; rest > 0; rest--) {
    if (place >= text.length) return text.length + 1;
    place += text.codePointAt(place) > 0xffff ? 2 : 1;
  }
  return place;
}
