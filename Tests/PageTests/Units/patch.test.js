import { test, same, refuses } from './harness.js';
import { parseJSON } from '/json.js';
import { jsonText } from '/values.js';
import { applyPatch } from '/patch.js';

function patched(value, patch) {
  return jsonText(applyPatch(parseJSON(value), parseJSON(patch)));
}

const CASES = [
  ['add a member in its order', '{"a":1,"c":3}', '[{"op":"add","path":"/b","value":2}]', '{"a":1,"b":2,"c":3}'],
  ['add a member to an unsorted object at its end', '{"c":1,"a":3}', '[{"op":"add","path":"/b","value":2}]', '{"c":1,"a":3,"b":2}'],
  ['add replaces a member', '{"a":1}', '[{"op":"add","path":"/a","value":2}]', '{"a":2}'],
  ['add an element', '[1,3]', '[{"op":"add","path":"/1","value":2}]', '[1,2,3]'],
  ['add at the end', '[1]', '[{"op":"add","path":"/-","value":2}]', '[1,2]'],
  ['remove', '{"a":[1,2],"b":0}', '[{"op":"remove","path":"/a/0"},{"op":"remove","path":"/b"}]', '{"a":[2]}'],
  ['replace the whole', '{"a":1}', '[{"op":"replace","path":"","value":[]}]', '[]'],
  ['move', '{"a":[1,2,3]}', '[{"op":"move","from":"/a/0","path":"/a/2"}]', '{"a":[2,3,1]}'],
  ['copy', '{"a":{"x":1},"b":0}', '[{"op":"copy","from":"/a","path":"/b"}]', '{"a":{"x":1},"b":{"x":1}}'],
  ['test', '{"a":1.0}', '[{"op":"test","path":"/a","value":1},{"op":"remove","path":"/a"}]', '{}'],
  ['escaped names', '{"a/b":1,"c~d":2}', '[{"op":"replace","path":"/a~1b","value":3},{"op":"remove","path":"/c~0d"}]', '{"a/b":3}'],
  ['names of Object.prototype', '{"__proto__":1}', '[{"op":"replace","path":"/__proto__","value":2}]', '{"__proto__":2}'],
  ['splice', '"abcdef"', '[{"op":"splice","path":"","at":2,"del":2,"ins":"XYZ"}]', '"abXYZef"'],
  ['splice counts in any notation', '"abcdef"', '[{"op":"splice","path":"","at":20e-1,"del":2.0,"ins":"XYZ"}]', '"abXYZef"'],
  ['splice at minus zero', '"abc"', '[{"op":"splice","path":"","at":-0,"del":1e0,"ins":""}]', '"bc"'],
  ['splice counts scalars', '"a👍b👍c"', '[{"op":"splice","path":"","at":3,"del":1,"ins":"é"}]', '"a👍béc"'],
  ['a lone surrogate is one', '"\\ud800👍x"', '[{"op":"splice","path":"","at":2,"del":1,"ins":""}]', '"\\ud800👍"'],
  ['splices one after another', '"ab"', '[{"op":"splice","path":"","at":1,"del":0,"ins":"👍"},{"op":"splice","path":"","at":2,"del":1,"ins":"c"}]', '"a👍c"'],
];

for (const [claim, value, patch, expected] of CASES) test(`patch: ${claim}`, () => same(patched(value, patch), expected));

const FAILURES = [
  ['{"a":1}', '{"op":"remove","path":"/b"}'], ['[1]', '{"op":"add","path":"/2","value":0}'], ['[1]', '{"op":"replace","path":"/01","value":0}'],
  ['[1]', '{"op":"remove","path":"/-"}'], ['{"a":1}', '{"op":"add","path":"/a/b","value":0}'], ['{"a":1}', '{"op":"add","path":"b","value":0}'],
  ['"ab"', '{"op":"splice","path":"","at":1,"del":2,"ins":""}'], ['"ab"', '{"op":"splice","path":"","at":-1,"del":0,"ins":""}'],
  ['"ab"', '{"op":"splice","path":"","at":0.5,"del":1,"ins":""}'], ['"ab"', '{"op":"splice","path":"","at":1.00000000000000000001,"del":1,"ins":""}'],
  ['{"a":{}}', '{"op":"move","from":"/a","path":"/a/b"}'], ['1', '{"op":"test","path":"","value":2}'], ['1', '{"op":"remove","path":""}'],
  ['1', '{"op":"shuffle","path":""}'], ['[1]', '{"op":"copy","from":"/-1","path":"/0"}'], ['{}', '{"op":"add","path":"/a"}'],
];

test('patches that do not apply are refused', () => {
  for (const [value, operation] of FAILURES) refuses(() => patched(value, `[${operation}]`));
  refuses(() => patched('1', '{}'));
});

test('a patch leaves the old value alone and shares what it does not change', () => {
  const before = parseJSON('{"a":{"x":[1]},"b":{"y":[2]}}');
  const after = applyPatch(before, parseJSON('[{"op":"add","path":"/a/x/-","value":9}]'));
  same([jsonText(before), jsonText(after)], ['{"a":{"x":[1]},"b":{"y":[2]}}', '{"a":{"x":[1,9]},"b":{"y":[2]}}']);
  same(before.get('b') === after.get('b'), true);
});
