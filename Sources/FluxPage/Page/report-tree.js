import { Members } from './json.js';
import { kindOf, isEqual, jsonText } from './values.js';
import { pointerText, pointerTokens, childAt, valueAt } from './paths.js';
import { clipped } from './text.js';
import { isState } from './report-states.js';

const SHOWN_SCALARS = 1000;
const REASONS = {
  absent: 'absent', unwritten: 'unknown here: not written, because the recorder was behind',
  unknown: 'unknown here: damage, a gap or an import hides it until it is next written whole',
};

/**
 * Lists the visible rows of a tree: the children of a value, and those of open containers; with what the step removed.
 *
 * `before` is the value to compare with; undefined if nothing is to be marked.
 */
export function treeRows(root, request, before) {
  const tokens = pointerTokens(request.path ?? '') ?? [];
  const list = { rows: [], open: new Set(request.open), closed: new Set(request.closed), depth: request.depth ?? 1,
    unfolds: request.unfold === true, isCompared: before !== undefined, wanted: request.search?.toLowerCase() };
  addChildren(list, valueAt(root, tokens), valueAt(before, tokens), tokens, 0);
  return list.rows;
}

function addChildren(list, value, former, path, depth) {
  forEachChild(value, (key, child) => {
    const tokens = [...path, String(key)];
    const old = childAt(former, String(key));
    const row = treeRow(tokens, key, child, depth);
    if (list.isCompared) mark(row, child, old);
    const end = list.rows.push(row);
    if (list.wanted) {
      // A row is shown if its key or its text contains the searched text, or if a row inside it is.
      row.match = [key, 'value' in row ? child : ''].some((text) => String(text).toLowerCase().includes(list.wanted));
      addChildren(list, child, old, tokens, depth + 1);
      if (list.rows.length > end) row.open = true;
      else if (!row.match) list.rows.pop();
      return;
    }
    if (row.count === undefined) return;
    const opensHere = depth < list.depth || (list.unfolds && row.changed === 'inside');
    row.open = list.open.has(row.path) || (opensHere && !list.closed.has(row.path));
    if (row.open) addChildren(list, child, old, tokens, depth + 1);
  });
  // The stores of a model are never removed: an absent one has a row.
  if (list.isCompared && !list.wanted && path.length > 0) addRemoved(list, value, former, path, depth);
}

function addRemoved(list, value, former, path, depth) {
  const add = (key, old) => list.rows.push({ path: pointerText([...path, String(key)]), key, depth, kind: 'removed', changed: 'removed', old });
  if (Array.isArray(value) && Array.isArray(former)) former.slice(value.length).forEach((old, place) => add(value.length + place, old));
  if (!(value instanceof Members) || !(former instanceof Members)) return;
  former.names.forEach((name, place) => { if (!value.has(name)) add(name, former.values[place]); });
}

function forEachChild(value, body) {
  if (Array.isArray(value)) value.forEach((child, index) => body(index, child));
  else if (value instanceof Members) value.names.forEach((name, place) => body(name, value.values[place]));
}

function treeRow(tokens, key, value, depth) {
  const row = { path: pointerText(tokens), key, depth };
  if (!isState(value)) {
    const text = REASONS[value.kind];
    return { ...row, kind: value.kind, text };
  }
  row.kind = kindOf(value);
  if (row.kind === 'array' || row.kind === 'object') {
    return { ...row, count: value.length ?? value.size, open: false, preview: clipped(jsonText(value, { limit: 200 }), 160) };
  }
  if (row.kind === 'bool') row.kind = String(value);
  row.value = value;
  if (row.kind === 'string' && value.length > SHOWN_SCALARS) {
    row.value = clipped(value, SHOWN_SCALARS).slice(0, -1);
    row.length = Array.from(value).length;
  }
  return row;
}

function mark(row, value, old) {
  if (!isState(value)) return;
  if (old === undefined) {
    row.changed = 'added';
  } else if (value !== old && isState(old) && !isEqual(value, old)) {
    const isContainer = /array|object/.test(kindOf(value)) && kindOf(value) === kindOf(old);
    row.changed = isContainer ? 'inside' : 'replaced';
    if (!isContainer) row.old = old;
    if (!(value instanceof Members) || !(old instanceof Members)) return;
    const removed = old.names.filter((name) => !value.has(name));
    if (removed.length) row.removed = removed;
  }
}
