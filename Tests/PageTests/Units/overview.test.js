import { test, same } from './harness.js';
import { idleLabels } from '/map.js';
import { Overview } from '/overview.js';
import { Charts } from '/charts.js';
import { parseJSON } from '/json.js';

/** The numbers that the axis shows at rows, for an overview with the number of the first step in each bucket. */
function numbersAt(rows, data) {
  const overview = Object.create(Overview.prototype);
  overview.data = data;
  return rows.map((row) => overview.numberAt(row));
}

test('the axis names the steps at the rows, behind marks and gaps as well', () => {
  const numbers = [null, '1', null, '2', null, '7', '8'];
  same(numbersAt([0, 1, 2, 3, 4, 5, 6, 9], { from: 0, to: 7, buckets: 7, numbers }), [null, '1', null, '2', null, '7', '8', null]);
});

test('the axis counts within a bucket of steps alone, and names the first step of another one', () => {
  const data = { from: 10, to: 40, buckets: 3, numbers: ['9007199254740993', '9007199254741003', '9007199254741010'] };
  same(numbersAt([10, 14, 20, 25], data), ['9007199254740993', '9007199254740997', '9007199254741003', '9007199254741003']);
  same(numbersAt([0, 5], undefined), [null, null]);
});

test('the lengths of pauses overlap neither each other nor signs, and the longest ones come first', () => {
  const pauses = [{ x: 10, pause: 1, text: 'a', width: 40 }, { x: 30, pause: 3, text: 'b', width: 40 }, { x: 100, pause: 2, text: 'c', width: 40 }];
  same(idleLabels(pauses, [], 200), [{ text: 'b', x: 33 }, { text: 'c', x: 103 }]);
  same(idleLabels(pauses.slice(2), [[110, 122]], 200), []);
  same(idleLabels(pauses.slice(2), [], 140), []);
});

test('a number beyond the doubles leaves a gap in a chart, and keeps its text', () => {
  const charts = new Charts({ pins: [] }, () => {});
  const series = { points: [], low: Infinity, high: -Infinity };
  const points = ['1', '1e400', '-1e400', '5e-1', undefined].map((text, row) => ({ row, value: text && parseJSON(text) }));
  charts.take('/a', series, { points });
  same([series.low, series.high], [0.5, 1]);
  same(series.points.map(({ value }) => value), [1, undefined, undefined, 0.5, undefined]);
  same(series.points.map(({ text }) => text), ['1', '1e400', '-1e400', '5e-1', undefined]);
});
