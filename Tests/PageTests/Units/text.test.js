import { test, same } from './harness.js';
import { shown, clipped, deltaText, secondsText, instantText, grouped } from '/text.js';
import { element, named, quoted, quotedJSON } from '/dom.js';

test('characters that reorder or hide text are written as escapes', () => {
  same(shown('a\u202eb\u2066c\u200bd\u0000e\u007ff\u0085'), 'a\\u202eb\\u2066c\\u200bd\\u0000e\\u007ff\\u0085');
  same(shown('\u200e\u200f\u061c\ufeff\u{e0041}\ud800'), '\\u200e\\u200f\\u061c\\ufeff\\u{e0041}\\ud800');
  same(shown('tab\tline\nend\r'), 'tab\\tline\\nend\\r');
});

test('JSON stays in its order, whatever the direction of the text in it', () => {
  const text = '{"":"שלום","a \\" b":["אבג","دهو"],"x":1}';
  const node = quotedJSON(text);
  document.body.append(node);
  try {
    const lefts = [...node.querySelectorAll('bdi')].map((part) => part.getBoundingClientRect().left);
    same([node.textContent, lefts.length], [text, 6]);
    same(lefts, lefts.toSorted((left, right) => left - right));
    same(quotedJSON('{"a":"\u202e"}').innerHTML, '{"a":"\\u202e"}');
  } finally {
    node.remove();
  }
});

test('names run from left to right, whatever script they begin with', () => {
  const node = named('שלום/add');
  document.body.append(node);
  const left = (from, to) => {
    const range = document.createRange();
    range.setStart(node.firstChild, from);
    range.setEnd(node.firstChild, to);
    return range.getBoundingClientRect().left;
  };
  try {
    same(left(0, 4) < left(5, 8), true);
  } finally {
    node.remove();
  }
});

test('letters of every script and emoji stay as they are', () => {
  for (const text of ['שלום', 'مرحبا', '日本語', '👩‍👩‍👧', 'e\u0301', '<script>']) same(shown(text), text);
});

test('quoted text is isolated and never markup', () => {
  const node = quoted('<img src=x onerror=alert(1)>\u202e');
  same([node.tagName, node.childElementCount, node.textContent], ['BDI', 0, '<img src=x onerror=alert(1)>\\u202e']);
});

test('an empty name shows that it is empty', () => {
  same(['', ' ', 'cart'].map((name) => named(name).textContent), ['""', ' ', 'cart']);
});

test('elements take listeners, attributes and nested lists of children', () => {
  let clicks = 0;
  const node = element('button', { class: ['a', null, 'b'], title: 'x', disabled: false, onclick: () => { clicks++; } }, ['one', [null, ['two']]]);
  node.click();
  same([node.className, node.title, node.hasAttribute('disabled'), node.textContent, clicks], ['a b', 'x', false, 'onetwo', 1]);
});

test('text is never cut inside a character', () => {
  same([clipped('ab👍c', 3), clipped('ab👍c', 4), clipped('abc', 3)], ['ab…', 'ab👍…', 'abc']);
});

test('times have the unit that needs the fewest digits', () => {
  same([28, 1500, 999_994, 999_996, 2_500_000, 62_000_000, 3_720_000_000].map(secondsText),
    ['28 µs', '1.5 ms', '999.99 ms', '1 s', '2.5 s', '1 min 2 s', '1 h 2 min']);
  same([deltaText('0.008834', '0.008862'), deltaText('2', '1.5')], ['+28 µs', '−500 ms']);
  same(instantText('2026-11-21T07:11:57.700452Z', '0.300000'), '2026-11-21 07:11:58.000452 UTC');
  same(instantText(null, '1'), '');
  same(instantText('2026-11-21T07:11:57.700452Z', '9999999999999'), '');
});

test('thousands are set apart in numbers of five digits and more', () => {
  same([grouped(9999), grouped(12345), grouped(20000000)], ['9999', '12\u202f345', '20\u202f000\u202f000']);
});
