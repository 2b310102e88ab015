import { test, same } from './harness.js';
import { parseJSON } from '/json.js';
import { jsonText } from '/values.js';
import { changesBetween } from '/difference.js';
import { applyPatch } from '/patch.js';
import { groupedChanges } from '/changed.js';

function changes(old, now) {
  return changesBetween(parseJSON(old), parseJSON(now))
    .map(({ path, op, old, new: value }) => [op, path, ...[old, value].filter((side) => side !== undefined).map((side) => jsonText(side))].join(' '));
}

const CASES = [
  ['equal values', '{"a":[1,2]}', '{"a":[1.0,2]}', []],
  ['a scalar', '{"a":1}', '{"a":2}', ['replace /a 1 2']],
  ['members in the order of their names', '{"b":1,"c":1}', '{"a":1,"c":2}', ['add /a 1', 'remove /b 1', 'replace /c 1 2']],
  ['a type', '{"a":[]}', '{"a":{}}', ['replace /a [] {}']],
  ['elements that moved by removals', '{"l":[{"id":1},{"id":2},{"id":3}]}', '{"l":[{"id":3}]}', ['remove /l/0 {"id":1}', 'remove /l/0 {"id":2}']],
  ['elements by identity', '[{"id":1,"n":1},{"id":2,"n":1}]', '[{"id":0,"n":0},{"id":1,"n":2},{"id":2,"n":1}]', ['add /0 {"id":0,"n":0}', 'replace /1/n 1 2']],
  ['another identity is another element', '[{"id":1,"n":1}]', '[{"id":2,"n":1}]', ['replace /0 {"id":1,"n":1} {"id":2,"n":1}']],
  ['elements by a common subsequence', '["a","b","c"]', '["b","c","d"]', ['remove /0 "a"', 'add /2 "d"']],
  ['all elements gone', '[1,2]', '[]', ['remove /0 1', 'remove /0 2']],
  ['names that need escapes', '{"a/b":{"~":1}}', '{"a/b":{"~":2}}', ['replace /a~1b/~0 1 2']],
];

for (const [claim, old, now, expected] of CASES) test(`difference: ${claim}`, () => same(changes(old, now), expected));

test('changes applied in their order turn one value into the other', () => {
  let seed = 1;
  const random = (limit) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor(seed / 65536) % limit;
  };
  const value = (depth) => {
    const kind = random(depth > 3 ? 3 : 5);
    if (kind < 2) return String(random(4));
    if (kind === 2) return JSON.stringify('xyz'.slice(random(3)));
    const items = Array.from({ length: random(5) }, () => value(depth + 1));
    return kind === 3 ? `[${items.join()}]` : `{${items.map((item, place) => `"${place === 0 ? 'id' : random(6)}":${item}`).join()}}`;
  };
  for (let round = 0; round < 400; round++) {
    const [old, now] = [parseJSON(value(0)), parseJSON(value(0))];
    const patch = changesBetween(old, now).map(({ path, op, new: value }) => `{"op":"${op}","path":${JSON.stringify(path)}${op === 'remove' ? '' : `,"value":${jsonText(value)}`}}`);
    const sorted = (text) => JSON.stringify(JSON.parse(text), (_, inner) => (inner && typeof inner === 'object' && !Array.isArray(inner) ? Object.fromEntries(Object.entries(inner).sort()) : inner));
    same(sorted(jsonText(applyPatch(old, parseJSON(`[${patch.join()}]`)))), sorted(jsonText(now)));
  }
});

test('removed elements are shown at the index that they had', () => {
  const tree = groupedChanges([
    { path: '/cart/lines/0', op: 'remove' }, { path: '/cart/lines/0', op: 'remove' }, { path: '/cart/total', op: 'replace' },
  ]);
  same(tree.items[0].items[0].items.map((item) => item.key), ['0', '1']);
  same(tree.items[0].items[1].key, 'total');
});
