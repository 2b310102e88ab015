import { test, same, refuses } from './harness.js';
import { parseJSON, Members, JSONReader, DEPTH_LIMIT } from '/json.js';
import { jsonText, isEqual, decimal, compareCodePoints } from '/values.js';
import { plainAnswer, readAnswer, Refusal } from '/answers.js';

test('numbers keep their source text', () => {
  for (const number of ['9007199254740993', '1.0', '-0', '1e400', '0.1000', '12E+3']) same(jsonText(parseJSON(number)), number);
});

test('members keep their order, also names that look like indexes', () => {
  same(parseJSON('{"b":1,"2":2,"a":3,"1":4}').names, ['b', '2', 'a', '1']);
});

test('names of Object.prototype are members like others', () => {
  const value = parseJSON('{"__proto__":{"polluted":true},"constructor":1,"hasOwnProperty":2}');
  same(value.names, ['__proto__', 'constructor', 'hasOwnProperty']);
  same(({}).polluted, undefined);
  same(new Members().get('toString'), undefined);
});

test('of members with one name the last one counts', () => {
  same(jsonText(parseJSON('{"a":1,"b":2,"a":3}')), '{"b":2,"a":3}');
});

test('strings keep lone surrogates and every escape', () => {
  same(parseJSON('"\\ud800x\\u0041\\n\\/\\"\\\\"'), '\ud800xA\n/"\\');
  same(jsonText('\ud800'), '"\\ud800"');
});

test('a value may nest 512 deep, and not deeper', () => {
  same(jsonText(parseJSON('['.repeat(DEPTH_LIMIT) + ']'.repeat(DEPTH_LIMIT))).length, 2 * DEPTH_LIMIT);
  refuses(() => parseJSON('['.repeat(DEPTH_LIMIT + 1) + ']'.repeat(DEPTH_LIMIT + 1)), 'Nested deeper than 512');
});

test('invalid text is refused with its place', () => {
  for (const bad of ['', '{', '[1,]', '{"a"}', '01', '1.', '+1', '"a', '"\t"', 'nul', '1 2', '{"a":1,}', '"\\x"', '"\\u12g4"', '.5']) {
    refuses(() => parseJSON(bad), 'at character');
  }
});

test('skipping passes over exactly one value', () => {
  for (const value of ['{"a":[1,{"b":"]}\\""}]}', '"x\\\\"', '-1.5e3', 'null', '[]']) {
    const reader = new JSONReader(` ${value} ,7`);
    same(reader.skip(), value);
    same(reader.space(), 44);
  }
});

test('numbers are compared by their exact values', () => {
  same([decimal('1'), decimal('1.0'), decimal('10e-1'), decimal('0.001e3')], ['1e0', '1e0', '1e0', '1e0']);
  same(isEqual(parseJSON('9007199254740992'), parseJSON('9007199254740993')), false);
  same(isEqual(parseJSON('-0'), parseJSON('0.0e9')), true);
  same(isEqual(parseJSON('1e400'), parseJSON('10e399')), true);
  same(isEqual(parseJSON('{"a":1,"b":[2]}'), parseJSON('{"b":[2.0],"a":1}')), true);
});

test('code points order names, not UTF-16 units', () => {
  same(['\u{10000}', '\uffff', 'a', ''].sort(compareCodePoints), ['', 'a', '\uffff', '\u{10000}']);
});

test('answers have plain numbers for rows, and text for steps, times and values', () => {
  const answer = plainAnswer(parseJSON('{"row":17,"n":9007199254740993,"t":1.50,"value":1.0,"rows":[{"row":2,"n":1}]}'));
  same([answer.row, answer.n, answer.t, answer.value.text, answer.rows[0].n], [17, '9007199254740993', '1.50', '1.0', '1']);
});

test('an error answer is thrown with its code and its hint', () => {
  try {
    readAnswer('{"error":{"code":"bad-position","message":"there is no step 99","hint":"goto end"}}');
  } catch (error) {
    same([error instanceof Refusal, error.code, error.message, error.hint], [true, 'bad-position', 'there is no step 99', 'goto end']);
    return;
  }
  throw new Error('expected a refusal');
});
