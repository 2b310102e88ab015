import { test, same } from './harness.js';
import { parseJSON } from '/json.js';
import { jsonText, isEqual } from '/values.js';
import { pointerTokens, valueAt } from '/paths.js';
import { changesBetween } from '/difference.js';
import { groupedChanges } from '/changed.js';

/** The lines of a difference: the operation, the place, the identity, and what is there. */
function changes(old, now) {
  return changesBetween(parseJSON(old), parseJSON(now)).map((line) => [line.op, line.path, line.identity && `(${line.identity})`,
    ...[line.old, line.new].filter((side) => side !== undefined).map((side) => jsonText(side)),
    ...['from', 'with', 'withIdentity', 'count', 'reversed'].map((name) => line[name])].filter((part) => part !== undefined).join(' '));
}

const ids = (...keys) => `[${keys.map((key) => `{"id":${key}}`).join()}]`;

// The program's ReadableDifferenceTests have the same cases.
const CASES = [
  ['equal values', '{"a":[1,2]}', '{"a":[1.0,2]}', []],
  ['a scalar', '{"a":1}', '{"a":2}', ['replace /a 1 2']],
  ['what is left of the members comes first', '{"b":1,"c":1}', '{"a":1,"c":2}', ['remove /b 1', 'replace /c 1 2', 'add /a 1']],
  ['a type', '{"a":[]}', '{"a":{}}', ['replace /a [] {}']],
  ['removed elements have the index that they had', '["a","b","c","d","e","f"]', '["b","c","d","f"]', ['remove /0 "a"', 'remove /4 "e"']],
  ['removed elements with an identity, too', ids(1, 2, 3, 4, 5, 6), ids(2, 3, 4, 6), ['remove /0 (id 1) {"id":1}', 'remove /4 (id 5) {"id":5}']],
  ['elements that came and changed', '[{"id":1,"n":1},{"id":2,"n":1}]', '[{"id":0,"n":0},{"id":1,"n":2},{"id":2,"n":1}]',
    ['add /0 (id 0) {"id":0,"n":0}', 'replace /1/n (id 1) 1 2']],
  ['elements that stay need no identity', '[{"id":1,"n":1},{"id":2}]', '[{"id":1,"n":2},{"id":2}]', ['replace /0/n 1 2']],
  ['another identity is another element', '[{"id":1,"n":1}]', '[{"id":2,"n":1}]', ['add /0 (id 2) {"id":2,"n":1}', 'remove /0 (id 1) {"id":1,"n":1}']],
  ['an element that moved and changed', '[{"id":1,"n":1},{"id":2},{"id":3}]', '[{"id":2},{"id":3},{"id":1,"n":2}]', ['move /2 (id 1) 0', 'replace /2/n (id 1) 1 2']],
  ['two elements that changed places', ids(1, 2, 3), ids(1, 3, 2), ['swap /1 (id 3) 2 id 2']],
  ['many moves', ids(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), ids(11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1), ['moves  11 true']],
  ['a name as identity, if it is unique', '[{"name":"a"},{"name":"b"}]', '[{"name":"b"}]', ['remove /0 (name "a") {"name":"a"}']],
  ['no identity that two elements share', ids(1, 1), ids(1), ['remove /1 {"id":1}']],
  ['elements by a common subsequence', '["a","b","c"]', '["b","c","d"]', ['remove /0 "a"', 'add /2 "d"']],
  ['elements that are paired up', '[1,2,3]', '[1,5]', ['replace /1 2 5', 'remove /2 3']],
  ['elements in elements', '{"l":[{"id":1,"x":[{"id":7}]},{"id":2,"x":[]}]}', '{"l":[{"id":1,"x":[]},{"id":2,"x":[{"id":7}]}]}',
    ['remove /l/0/x/0 (id 7) {"id":7}', 'add /l/1/x/0 (id 7) {"id":7}']],
  ['all elements gone', '[1,2]', '[]', ['remove /0 1', 'remove /1 2']],
  ['names that need escapes', '{"a/b":{"~":1}}', '{"a/b":{"~":2}}', ['replace /a~1b/~0 1 2']],
];

for (const [claim, old, now, expected] of CASES) test(`difference: ${claim}`, () => same(changes(old, now), expected));

test('difference: more differences than a common subsequence is looked for', () => {
  const numbers = Array.from({ length: 1200 }, (_, place) => place);
  const now = numbers.filter((number) => number % 3);
  same(changes(JSON.stringify(numbers), JSON.stringify(now)), numbers.filter((number) => number % 3 === 0).map((number) => `remove /${number} ${number}`));
});

test('each line has the values of its places, and with the equal elements they make up both arrays', () => {
  let seed = 1;
  const random = (limit) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor(seed / 65536) % limit;
  };
  for (let round = 0; round < 400; round++) {
    const array = () => parseJSON(JSON.stringify(Array.from({ length: random(9) }, () => random(6))));
    const [old, now] = [array(), array()];
    const lines = changesBetween(old, now);
    for (const line of lines) {
      const at = pointerTokens(line.path);
      if (line.op === 'remove') same(isEqual(valueAt(old, at), line.old), true);
      else same(isEqual(valueAt(now, at), line.new), true);
    }
    const count = (op) => lines.filter((line) => line.op === op).length;
    same(old.length - count('remove'), now.length - count('add'));
  }
});

test('changes are grouped by the containers that they are in', () => {
  const tree = groupedChanges([
    { path: '/cart/lines/0', op: 'remove' }, { path: '/cart/lines/4', op: 'remove' }, { path: '/cart/total', op: 'replace' },
  ]);
  same(tree.items[0].items[0].items.map((item) => item.key), ['0', '4']);
  same(tree.items[0].items[1].key, 'total');
});
