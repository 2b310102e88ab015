import { test, same, refuses } from './harness.js';
import { parseJSON } from '/json.js';
import { jsonText } from '/values.js';
import { ReportSource } from '/report.js';
import { ReportRows, readReport } from '/report-rows.js';
import { reportOverview } from '/report-overview.js';
import { reportDifference } from '/report-difference.js';
import { locateRow } from '/report-positions.js';
import { writesInReport } from '/report-search.js';

/**
 * Makes the source of a report from lines of a log, and from what its rows have in the place of one.
 *
 * `changed` has the stores that the program says a row changed, where it is not those that its line writes.
 */
function report(lines, { baseline = '{"states":{"a":{"x":1}},"unknown":[],"unwritten":[]}', info = {}, changed = {} } = {}) {
  const facts = { title: 'T', stores: [{ name: 'a' }, { name: 'b' }], rows: lines.length + 1, divergences: [], report: { from: 0, to: lines.length + 1, shell: 'flux-inspect t.jsonl' }, ...info };
  const head = parseJSON(`{"page":1,"info":${JSON.stringify(facts)},"baseline":${baseline},"open":1}`);
  const first = facts.report.from;
  const rows = new Map(lines.map((line, place) => [JSON.parse(line).n, first + place + 1]));
  const text = lines.map((line, place) => entry(line, first + place + 1, rows, changed[first + place + 1])).join('\n');
  return new ReportSource({ head, text: text + '\n', start: 0 });
}

/** The entry of a row in the data of a report. */
function entry(line, row, rows, changed) {
  const { n, t, action, cause, rejected, gap, damage, mark, states = {}, patches = {}, removed = [], unwritten = [], unknown = [] } = JSON.parse(line);
  const model = gap && line.includes('"states"') ? `,"states":${JSON.stringify(states)},"unknown":${JSON.stringify(unknown)}` : '';
  const answer = gap ? { kind: 'gap', ...gap } : damage ? { kind: 'damage', ...damage } : mark ? { kind: 'mark', text: mark, t } : {
    kind: 'step', n, t, type: action.type, rejected, cause, causeRow: cause && (rows.get(cause) ?? cause),
    changed: changed ?? [...Object.keys(states), ...Object.keys(patches), ...removed, ...unwritten],
  };
  return `{"row":${JSON.stringify({ row, ...answer })}${answer.kind === 'step' ? `,"line":${line}` : ''}${model}}`;
}

function step(n, rest) {
  return `{"n":${n},"t":0.${n},"action":{"type":"a/${n}"}${rest ? ',' + rest : ''}}`;
}

function states(source, row) {
  return source.tree({ place: row, path: '', depth: 0 }).rows.filter(({ kind }) => kind !== 'absent')
    .map(({ key, kind, preview }) => `${key} ${preview ?? kind}`);
}

test('states are rebuilt from whole ones and patches', () => {
  const source = report([step(1, '"patches":{"a":[{"op":"replace","path":"/x","value":2}]}'), step(2, '"states":{"b":[1]}'),
    step(3, '"patches":{"a":[{"op":"add","path":"/y","value":3}],"b":[{"op":"add","path":"/-","value":2}]}'), step(4, '"removed":["b"]')]);
  same([0, 1, 2, 3, 4].map((row) => states(source, row)), [['a {"x":1}'], ['a {"x":2}'], ['a {"x":2}', 'b [1]'],
    ['a {"x":2,"y":3}', 'b [1,2]'], ['a {"x":2,"y":3}']]);
});

test('a series of fewer points than rows has the last row of each part, and so the newest value', async () => {
  const source = report([1, 2, 3, 4, 5, 6, 7].map((n) => step(n, `"states":{"a":{"x":${n * 10}}}`)));
  const series = async (request) => {
    const { points, sampled } = await source.ask('series', { path: '/a/x', from: 0, to: 8, ...request });
    return [points.map(({ row, value }) => `${row} ${value}`), sampled];
  };
  same(await series({ points: 3 }), [['2 20', '4 40', '7 70'], true]);
  same(await series({ points: 9 }), [['1 10', '2 20', '3 30', '4 40', '5 50', '6 60', '7 70'], undefined]);
  same(await series({ points: 3, from: 8 }), [[], undefined]);
});

test('a log without steps has a report with the start alone', async () => {
  const head = '{"page":1,"info":{"stores":[],"report":{"from":0,"to":1,"n":0}},"baseline":{"states":{}}}';
  const packed = new Blob([head]).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const rows = new ReportRows(await readReport({ textContent: btoa(String.fromCharCode(...bytes)) }));
  same([rows.first, rows.end], [0, 1]);
});

test('a state may be null, which is not the absence of a store', () => {
  const source = report([step(1, '"states":{"a":null}'), step(2, '"states":{"a":2}'),
    '{"gap":{"from":3,"to":2,"why":"restored"},"states":{"a":null}}', step(3, '"states":{"a":3}')],
  { baseline: '{"states":{"a":null,"b":1},"unknown":[],"unwritten":[]}' });
  same([0, 1, 2].map((row) => states(source, row)[0]), ['a null', 'a null', 'a number']);
  const changes = (a, b) => reportDifference(source, { a, b }).changes.map(({ op, path }) => `${op} ${path}`);
  same([changes(0, 1), changes(0, 2), changes(2, 1), changes(null, 4)],
    [[], ['replace /a'], ['replace /a'], ['replace /a']]);
});

test('an action with members beside its type and payload shows all of them, as the program does', () => {
  const action = (rest) => `{"n":1,"t":0.1,"action":{"type":"a"${rest}}}`;
  const source = report([action(''), action(',"payload":7'), action(',"id":"x","payload":7'), action(',"index":1')]);
  same([1, 2, 3, 4].map((row) => source.step({ row }).payload).map((value) => value && jsonText(value)), [undefined, '7', '{"id":"x","payload":7}', '{"index":1}']);
  same(source.tree({ place: 3, of: 'payload', path: '' }).rows.map(({ key }) => key), ['id', 'payload']);
});

test('after a gap nothing is known until the next accepted step replaces the model', () => {
  const source = report([step(1), '{"gap":{"from":2,"to":4,"why":"paused","text":"steps 2 to 4 are not in the log: paused"}}', step(5, '"rejected":{"reason":"refused","message":"no"}'), step(6, '"states":{"b":{}}')], { changed: { 4: ['a', 'b'] } });
  same([2, 3, 4].map((row) => states(source, row)), [['a {"x":1}'], ['a unknown', 'b unknown'], ['b {}']]);
  same(source.step({ row: 4 }).changed, ['a', 'b']);
  const { from, to, afterGap, changes } = reportDifference(source, { a: null, b: 4 });
  same([from, to, afterGap, changes.map(({ op, path }) => `${op} ${path}`)], [1, 6, true, ['remove /a', 'add /b']]);
});

test('after damage a store is unknown until it is written whole', () => {
  const source = report(['{"damage":{"lines":[3,4],"text":"lines 3 to 4 are damaged"}}', step(3, '"patches":{"a":[{"op":"replace","path":"/x","value":9}]}'),
    step(4, '"states":{"a":{"x":5}}')]);
  same([1, 2, 3].map((row) => states(source, row)[0]), ['a {"x":1}', 'a unknown', 'a {"x":5}']);
});

test('a restored model is what the next step changes', () => {
  const source = report([step(1, '"states":{"a":{"x":2}}'), '{"gap":{"from":2,"to":1,"why":"restored","step":0},"states":{"a":{"x":1}}}', step(2, '"states":{"a":{"x":7}}')]);
  same([1, 2, 3].map((row) => states(source, row)[0]), ['a {"x":2}', 'a {"x":2}', 'a {"x":7}']);
  const { from, restored, changes } = reportDifference(source, { a: null, b: 3 });
  same([from, restored, jsonText(changes[0].old)], [0, true, '1']);
});

test('a restored model of no step is what the next step changes, and rejected steps keep it', () => {
  const source = report([step(1, '"states":{"a":{"x":2}}'), '{"gap":{"from":2,"to":1,"why":"restored"},"states":{"a":{"x":9}}}', step(2, '"states":{"a":{"x":7}}'),
    '{"gap":{"from":3,"to":2,"why":"restored"},"states":{"a":{"x":5}}}', step(3, '"rejected":{"reason":"r"}'), step(4, '"states":{"a":{"x":6}}')]);
  const answers = [3, 6].map((row) => reportDifference(source, { a: null, b: row }));
  same(answers.map(({ from, to, afterGap, restored, changes }) => [from, to, afterGap, restored, jsonText(changes[0].old)]),
    [[1, 2, true, true, '9'], [3, 4, false, undefined, '5']]);
});

test('a mark between a gap and the next step shows the model before the gap', () => {
  const source = report([step(1, '"states":{"a":{"x":2}}'), '{"gap":{"from":2,"to":1,"why":"restored"},"states":{"a":{"x":9}}}', '{"mark":"here","t":0.15}',
    step(2, '"rejected":{"reason":"r"}'), '{"gap":{"from":3,"to":4,"why":"paused"}}', '{"mark":"there","t":0.25}', step(5, '"states":{"a":{"x":5}}')]);
  same([2, 3, 4, 5, 6, 7].map((row) => states(source, row)[0]), ['a {"x":2}', 'a {"x":2}', 'a {"x":9}', 'a {"x":9}', 'a {"x":9}', 'a {"x":5}']);
  const { from, to, afterGap, changes } = reportDifference(source, { a: null, b: 3 });
  same([from, to, afterGap, changes], [1, 1, undefined, []]);
  same(writesInReport(source, { path: '/a/x' }).writes.map(({ n, type }) => `${n} ${type}`), ['5 a/5', '2 restored', '1 a/1', '0 undefined']);
});

test('a return to a step whose state is not known compares with the last known one', () => {
  const source = report([step(1, '"states":{"a":{"x":2}}'), step(2, '"unwritten":["a"]'), step(3, '"states":{"a":{"x":9}}'),
    '{"gap":{"from":4,"to":3,"why":"restored","step":"2"},"states":{"b":1},"unknown":["a"]}', step(4, '"rejected":{"reason":"r"}'), step(5, '"states":{"a":{"x":4},"b":1}')]);
  same([4, 5, 6].map((row) => states(source, row)), [['a {"x":9}'], ['a unwritten', 'b number'], ['a {"x":4}', 'b number']]);
  const { notes, changes } = reportDifference(source, { a: null, b: 6 });
  same([notes, changes.map(({ op, path, old }) => `${op} ${path} ${old}`)],
    [['a is compared with step 1: its states between the two are not written'], ['replace /a/x 2']]);
  same(writesInReport(source, { path: '/a/x' }).writes.map(({ n, value }) => `${n} ${value}`), ['5 4', '3 9', '1 2', '0 1']);
});

test('of the steps behind a return to a model, only the first one wrote it', () => {
  const source = report([step(1, '"states":{"a":{"x":2}}'), '{"gap":{"from":2,"to":1,"why":"restored","step":0},"states":{"a":{"x":1}}}',
    step(2, '"rejected":{"reason":"r"}'), step(3, '"rejected":{"reason":"r"}'), step(4, '"states":{"a":{"x":1}}')]);
  same(writesInReport(source, { path: '/a/x' }).writes.map(({ n, type }) => `${n} ${type}`), ['2 restored', '1 a/1', '0 undefined']);
});

test('the time before a step is that of the step before, whatever lies between', () => {
  const source = report([step(1), '{"mark":"here","t":0.15}', step(2), '{"gap":{"from":3,"to":4,"why":"paused"}}', step(5)]);
  same([1, 3, 5].map((row) => source.step({ row }).before), [undefined, '0.1', '0.2']);
});

test('the overview counts the stores that a step lists, even if they are as before', () => {
  const source = report([step(1, '"states":{"a":{"x":1},"b":1}'), step(2, '"removed":["b"]')], { changed: { 1: ['b'] } });
  const { bands, numbers } = reportOverview(source, { from: 0, to: 3, buckets: 3 });
  same(numbers, [null, '1', '2']);
  same(bands.map(({ name, counts }) => [name, counts]), [['a', [0, 1, 0]], ['b', [0, 1, 1]]]);
});

test('an unwritten state is unknown, and the next patch applies to the written one', () => {
  const source = report([step(1, '"states":{"a":{"x":2}}'), step(2, '"unwritten":["a"]'), step(3, '"patches":{"a":[{"op":"replace","path":"/x","value":4}]}')]);
  same([1, 2, 3].map((row) => states(source, row)[0]), ['a {"x":2}', 'a unwritten', 'a {"x":4}']);
  same(reportDifference(source, { a: null, b: 2 }).unwritten, ['a']);
  const { afterGap, notes } = reportDifference(source, { a: null, b: 3 });
  same([afterGap, notes], [true, ['a is compared with step 1: its states between the two are not written']]);
});

test('a patch that does not apply leaves its store unknown', () => {
  const source = report([step(1, '"patches":{"a":[{"op":"remove","path":"/no"}]}'), step(2, '"states":{"a":1}')]);
  same([1, 2].map((row) => states(source, row)[0]), ['a unknown', 'a number']);
});

test('numbers and the order of members survive', () => {
  const source = report([step(1, '"states":{"a":{"2":1.0,"1":9007199254740993,"__proto__":1e400}}')]);
  same(source.value({ place: 1, path: '/a' }).text, '{"2":1.0,"1":9007199254740993,"__proto__":1e400}');
});

test('blame names the steps that wrote a value, newest first', () => {
  const lines = [1, 2, 3].map((n) => step(n, `"states":{"a":{"x":${n === 3 ? 2 : n}}}`));
  const source = report(lines);
  same(writesInReport(source, { path: '/a/x', row: 3 }).writes.map(({ n, value }) => `${n} ${value.text}`), ['2 2', '0 1']);
  same(writesInReport(source, { path: '/a/x', direction: 'forwards' }).writes.map(({ n }) => n), ['0', '2']);
});

test('causes outside the report are named as such', () => {
  const source = report([step(8, '"cause":3'), step(9, '"cause":8')], { info: { report: { from: 7, to: 10, n: '7', shell: 'x' } } });
  const { chain, missing } = source.chain({ row: 9 });
  same([chain.map(({ row, n }) => [row, n]), missing], [[[9, '9'], [8, '8']], '3']);
  same([source.summary(7).isPart, report([step(1)]).summary(0).isPart], [true, undefined]);
  same([source.summary(7).n, source.summary(8).causeRow, source.summary(9).causeRow], ['7', undefined, 8]);
});

test('positions are those of the terminal', () => {
  const source = report([step(1), '{"mark":"here","t":0.15}', step(2), step(3)]);
  const row = (position, from = 0) => locateRow(source, { position, row: from }).row;
  same([row('2'), row('end'), row('start'), row('+2'), row('-1', 4), row('50%'), row('@0.25'), row('a/*#3')], [3, 4, 0, 3, 3, 1, 3, 4]);
});

test('positions that the log does not have are refused, or noted', () => {
  const source = report([step(1), step(2)]);
  const { row, note } = locateRow(source, { position: '-1', row: 1 });
  same([row, note, locateRow(source, { position: '-2', row: 1 }).note], [0, undefined, 'this is the start']);
  refuses(() => locateRow(source, { position: '101%' }), 'beyond 100%');
  refuses(() => locateRow(source, { position: '@12:00' }), 'when it was created');
});

test('a clock time is in the time zone of the recording', () => {
  const row = (created, zone, position) => locateRow(
    report([step(1), step(2), step(3)], { info: { created, zone } }), { position }).row;
  same(row('2026-11-20T21:59:59.800000Z', 7200, '@00:00'), 2);
  same(row('2026-11-20T23:59:59.800000Z', -3600, '@23:00'), 2);
  same(row('2026-11-20T23:30:00.000000Z', 3600, '@00:30'), 0);
});

test('a clock time is exact, and may be on the day after the recording began', () => {
  const source = report([step(1), step(2), step(3)], { info: { created: '2026-11-20T23:59:59.800000Z' } });
  const row = (position) => locateRow(source, { position }).row;
  same([row('@23:59:59.9'), row('@23:59:59.899'), row('@0:00'), row('@00:00:00.05'), row('@00:00:01'), row('@23:59')], [1, 0, 2, 2, 0, 0]);
  same(locateRow(source, { position: '@23:59' }).note, 'the recording began after that time; this is the start');
});

test('the console of a report shows the line that runs a command in a shell', () => {
  const source = report([step(1, '"states":{"a":{"x":2}}')]);
  const text = (line) => source.run({ line, row: 1 }).lines[0][0][0];
  same(text('history a.x'), "flux-inspect t.jsonl -g 1 -e 'history a.x'");
  same(text("find $.type == 'a'"), "flux-inspect t.jsonl -g 1 -e 'find $.type == '\\''a'\\'''");
});

test('the writes of a value pass over steps that replace values beside it', () => {
  const patch = (n, ...operations) => step(n, `"patches":{"a":[${operations.map(([op, path, value]) => JSON.stringify({ op, path, value })).join(',')}]}`);
  const source = report([
    step(1, '"states":{"a":{"list":[{"x":0},{"x":0}],"12":{"x":1}}}'),
    patch(2, ['replace', '/list/1/x', 5]), patch(3, ['replace', '/list/0/x', 1]), patch(4, ['replace', '/12/x', 2]), patch(5, ['replace', '/list/0', { x: 2 }]),
    patch(6, ['remove', '/list/0']), patch(7, ['replace', '/list/0/x', 6], ['add', '/y', 1]), patch(8, ['replace', '/12/x', 'a \\ b']), patch(9, ['replace', '/list', []]),
    '{"gap":{"from":10,"to":11,"why":"paused","text":"steps 10 to 11 are not in the log: paused"}}', step(12, '"states":{"a":{"list":[{"x":7}]}}'), patch(13, ['replace', '', { list: [{ x: 8 }] }]),
  ]);
  const rows = (path) => writesInReport(source, { path }).writes.map(({ n }) => Number(n));
  same([rows('/a/list/0/x'), rows('/a/list/1/x'), rows('/a/list/0'), rows('/a/12/x'), rows('/a/list/1')],
    [[13, 12, 9, 7, 6, 5, 3, 1], [6, 2, 1], [13, 12, 9, 7, 6, 5, 3, 1], [12, 8, 4, 1], [6, 2, 1]]);
});
