import { test, same } from './harness.js';
import { VirtualList } from '/list.js';
import { AllRows } from '/rows.js';

const frame = () => new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));

async function made(total, rowHeight = 20) {
  const viewport = document.createElement('div');
  viewport.style.cssText = 'position:relative;height:200px;overflow:auto';
  document.getElementById('stage').replaceChildren(viewport);
  const requests = [];
  const list = new VirtualList(viewport, {
    rowHeight: () => rowHeight,
    load: async (from, count) => {
      requests.push([from, count]);
      return Array.from({ length: count }, (_, place) => from + place);
    },
    build: () => Object.assign(document.createElement('div'), { style: 'position:absolute;height:20px' }),
    draw: (node, row) => { node.textContent = row ?? 'pending'; },
  });
  list.setTotal(total);
  await frame();
  await frame();
  const texts = () => list.pool.filter((node) => !node.hidden).map((node) => node.textContent).sort((a, b) => a - b);
  return { list, viewport, requests, texts };
}

test('a list of 20 million rows reaches every one of them', async () => {
  const { list, viewport, texts } = await made(20_000_000);
  same(viewport.scrollHeight <= 8_000_000, true);
  list.reveal(12_345_678, { center: true });
  await frame();
  await frame();
  same(texts().includes('12345678'), true);
  list.reveal(19_999_999);
  await frame();
  await frame();
  same(texts().at(-1), '19999999');
  viewport.scrollTop = 0;
  viewport.dispatchEvent(new Event('scroll'));
  await frame();
  await frame();
  same(texts()[0], '0');
});

test('the wheel moves a long list by rows', async () => {
  const { list, viewport } = await made(20_000_000);
  viewport.dispatchEvent(new WheelEvent('wheel', { deltaY: 100, cancelable: true }));
  same(list.first, 5);
});

test('only the visible pages are asked for', async () => {
  const { list, requests } = await made(1_000_000);
  list.showFrom(500_050);
  await frame();
  same(requests, [[0, 100], [500_000, 100]]);
});

test('a short list ends with its last row', async () => {
  const { texts } = await made(3);
  same(texts(), ['0', '1', '2']);
});

test('a fold hides all that a step led to, and nothing between it', async () => {
  // Steps 11 and 14 come from 10, 16 from 14, and 12, 13, 15 from nobody.
  const causes = new Map([[11, 10], [14, 10], [16, 14]]);
  const rows = new AllRows({ firstRow: 0, endRow: 100, range: null,
    ask: async (name, { from, count }) => ({ rows: Array.from({ length: count }, (_, place) => ({ row: from + place, causeRow: causes.get(from + place) })) }) });
  await rows.fold(10);
  same([rows.total, rows.folded(10)], [97, 3]);
  same([10, 11, 12, 13, 14].map((index) => rows.row(index)), [10, 12, 13, 15, 17]);
  same([10, 11, 12, 14, 15, 16, 17].map((row) => rows.index(row)), [10, 10, 11, 10, 13, 10, 14]);
  rows.unfold(10);
  same([rows.total, rows.row(11)], [100, 11]);
});

test('rows that an answer had no time for come in others', async () => {
  const requests = [];
  const rows = new AllRows({ firstRow: 0, endRow: 10, range: null,
    ask: async (name, { from, count }) => {
      requests.push([from, count]);
      return { rows: Array.from({ length: Math.min(count, 4) }, (_, place) => ({ row: from + place, causeRow: from + place - 1 })) };
    } });
  const seen = [];
  same((await rows.load(0, 10, null, (some) => seen.push(some.length))).map(({ row }) => row), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  same([requests, seen], [[[0, 10], [4, 6], [8, 2]], [4, 8]]);
  await rows.fold(2);
  same(rows.folded(2), 7);
});

test('a list shows the rows of a page that are there before all are', async () => {
  const viewport = document.createElement('div');
  viewport.style.cssText = 'position:relative;height:100px;overflow:auto';
  document.getElementById('stage').replaceChildren(viewport);
  const list = new VirtualList(viewport, {
    rowHeight: () => 20,
    load: (from, count, signal, some) => {
      some(['a', 'b']);
      return new Promise(() => {});
    },
    build: () => document.createElement('div'),
    draw: (node, row) => { node.textContent = row ?? 'pending'; },
  });
  list.setTotal(4);
  await frame();
  same(list.pool.filter((node) => !node.hidden).map((node) => node.textContent), ['a', 'b', 'pending', 'pending']);
});

test('an outer fold hides an inner one', async () => {
  const causes = new Map([[2, 1], [3, 2], [4, 2]]);
  const rows = new AllRows({ firstRow: 0, endRow: 6, range: null,
    ask: async (name, { from, count }) => ({ rows: Array.from({ length: count }, (_, place) => ({ row: from + place, causeRow: causes.get(from + place) })) }) });
  await rows.fold(2);
  same(Array.from({ length: rows.total }, (_, index) => rows.row(index)), [0, 1, 2, 5]);
  await rows.fold(1);
  same(Array.from({ length: rows.total }, (_, index) => rows.row(index)), [0, 1, 5]);
  same(rows.index(4), 1);
});
