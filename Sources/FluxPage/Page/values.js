import { NumberText } from './json.js';

/** Returns the kind of a value: null, bool, number, string, array or object. */
export function kindOf(value) {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (value instanceof NumberText) return 'number';
  return Array.isArray(value) ? 'array' : 'object';
}

/** Returns the JSON text of a value on one line, cut when it is long enough. */
export function jsonText(value, { limit = Infinity } = {}) {
  const writer = { text: '', limit };
  write(value, writer);
  return writer.text;
}

function write(value, writer) {
  if (writer.text.length > writer.limit) return;
  switch (kindOf(value)) {
  case 'string': writer.text += JSON.stringify(value); break;
  case 'array': writeItems(value.length, '[', ']', writer, (place) => write(value[place], writer)); break;
  case 'object': writeItems(value.size, '{', '}', writer, (place) => {
    writer.text += JSON.stringify(value.names[place]) + ':';
    write(value.values[place], writer);
  }); break;
  default: writer.text += String(value);
  }
}

function writeItems(count, open, close, writer, item) {
  writer.text += open;
  for (let place = 0; place < count; place++) {
    if (writer.text.length > writer.limit) return;
    if (place > 0) writer.text += ',';
    item(place);
  }
  writer.text += close;
}

/** Compares two values by meaning: numbers by their exact decimal values, objects in any order. */
export function isEqual(left, right) {
  if (left === right) return true;
  const kind = kindOf(left);
  if (kind !== kindOf(right)) return false;
  if (kind === 'number') return left.text === right.text || decimal(left.text) === decimal(right.text);
  if (kind === 'array') {
    return left.length === right.length && left.every((value, place) => isEqual(value, right[place]));
  }
  if (kind !== 'object' || left.size !== right.size) return false;
  return left.names.every((name, place) => {
    const other = right.names[place] === name ? place : right.place(name);
    return other >= 0 && isEqual(left.values[place], right.values[other]);
  });
}

/** Returns a text that equal decimal numbers have in common: `1`, `1.0` and `10e-1` are one value. */
export function decimal(text) {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  const digits = (whole + fraction).replace(/^0+/, '');
  if (!digits) return '0';
  const significant = digits.replace(/0+$/, '');
  const scale = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${scale}`;
}

/** Compares two strings by code points, which is the order of members in recorded states. */
export function compareCodePoints(left, right) {
  const length = Math.min(left.length, right.length);
  for (let place = 0; place < length; place++) {
    const [a, b] = [left.charCodeAt(place), right.charCodeAt(place)];
    if (a === b) continue;
    const [isHighA, isHighB] = [a >= 0xd800 && a < 0xe000, b >= 0xd800 && b < 0xe000];
    if (isHighA === isHighB) return a - b;
    return isHighA ? 1 : -1;
  }
  return left.length - right.length;
}

/** Returns the first place from which a test holds, given that it holds from there to the end. */
export function partition(count, holds) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
