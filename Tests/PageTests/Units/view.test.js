import { test, same } from './harness.js';
import { readRange, readView, writeView } from '/view.js';
import { pointerText, pointerTokens, queryText } from '/paths.js';
import { globTest, isExpression } from '/glob.js';

test('a fragment is a view', () => {
  const view = readView('#/17?filter=cart/*&open=/cart&open=/cart/lines&pin=/cart/total&tab=state');
  same([view.position, view.filter, view.open, view.pin, view.tab], ['17', 'cart/*', ['/cart', '/cart/lines'], ['/cart/total'], 'state']);
  same(readView('').position, null);
  same(readView('#/').position, null);
});

test('a view is written as people would write it, and read back', () => {
  const view = { position: '17', filter: 'cart/*', open: ['/cart', '/a&b=c', '/100%', '/é+ü'], pin: [], closed: ['/x'] };
  const text = writeView(view);
  same(text, '#/17?filter=cart/*&open=/cart&open=/a%26b%3Dc&open=/100%25&open=/%C3%A9%2B%C3%BC&closed=/x');
  const read = readView(text);
  same([read.position, read.filter, read.open, read.closed], ['17', 'cart/*', view.open, ['/x']]);
});

test('damaged fragments do no harm', () => {
  for (const fragment of ['#/%E0%A4%A', '#/1?&&=&filter', '#nonsense', '#/?open=%']) readView(fragment);
  same(readView('#/1?__proto__=x&constructor=y').filter, undefined);
});

test('what a link cannot mean here is left out', () => {
  same([readView('#/17?by=foo').by, readView('#/17?by=type').by], [undefined, 'type']);
  same(['4-12', '4-99', '0-0', '30-40', '12-4', '4', '', undefined].map((text) => readRange(text, 30)),
    [{ from: 4, to: 12 }, { from: 4, to: 29 }, { from: 0, to: 0 }, null, null, null, null, null]);
});

test('pointers and queries name the same places', () => {
  const table = [[['cart', 'lines', '0'], 'cart.lines[0]'], [['a/b', '~', ''], '$.state["a/b"]["~"][""]'], [['x', 'a b'], 'x["a b"]'],
    [['cart', 'c"d', '-1'], 'cart["c\\"d"]["-1"]']];
  for (const [tokens, query] of table) {
    same(pointerTokens(pointerText(tokens)), tokens);
    same(queryText(tokens), query);
  }
  same(queryText(['todos', '12', '3'], [1]), 'todos["12"][3]');
  for (const bad of ['cart', '/a~2', '/~']) same(pointerTokens(bad), null);
});

test('globs match whole types, and a star crosses slashes', () => {
  const table = [['cart/*', 'cart/add', true], ['*', '', true], ['a*c', 'a/b/c', true], ['a?c', 'a👍c', true], ['cart', 'cart/add', false],
    ['*b*b', 'abab', true], ['a**', 'a', true], ['?', '', false],
    ['a.c', 'abc', false], ['[a]\\d', '[a]\\d', true], ['*a'.repeat(40) + '*b', 'a'.repeat(2000), false]];
  for (const [glob, type, expected] of table) same(globTest(glob)(type), expected);
  same([isExpression('cart/*'), isExpression('cart.total > 3')], [false, true]);
});
