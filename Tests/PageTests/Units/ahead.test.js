import { test, same } from './harness.js';
import { Ahead } from '/ahead.js';

/** A page of ten rows that notes what is asked; `waiting` has for each row what answers, or fails, the request. */
function made({ isLive = true } = {}) {
  const listeners = new Map();
  const asked = [];
  const waiting = new Map();
  const page = {
    source: { isLive }, firstRow: 0, endRow: 10,
    on: (event, body) => listeners.set(event, body),
    askForStep: (row, signal) => {
      asked.push(row);
      return new Promise((answer, fail) => {
        waiting.set(row, { answer, fail });
        signal.addEventListener('abort', () => fail(new DOMException('', 'AbortError')));
      });
    },
  };
  return { page, ahead: new Ahead(page), asked, waiting, tell: (event) => listeners.get(event)() };
}

const CASES = [
  ['a step forwards asks for the next row', { row: 4, move: 1 }, [5]],
  ['a step backwards asks for the row before', { row: 4, move: -1 }, [3]],
  ['a jump asks for nothing', { row: 4, move: 3 }, []],
  ['nothing is before the first row', { row: 0, move: -1 }, []],
  ['nothing is after the last row', { row: 9, move: 1 }, []],
  ['a report has no server to wait for', { row: 4, move: 1, isLive: false }, []],
];

for (const [claim, { row, move, isLive }, expected] of CASES) {
  test(`ahead: ${claim}`, () => {
    const { ahead, asked } = made({ isLive });
    ahead.prepare(row, move);
    same(asked, expected);
  });
}

test('ahead: an answer is given out once, and only for its row', async () => {
  const { ahead, waiting } = made();
  ahead.prepare(4, 1);
  waiting.get(5).answer('five');
  same(await ahead.take(5), 'five');
  same(ahead.take(5), undefined);
  ahead.prepare(5, 1);
  same(ahead.take(7), undefined);
  same(ahead.take(6), undefined);
});

test('ahead: whoever takes an answer hears why there is none', async () => {
  const { ahead, waiting } = made();
  ahead.prepare(4, 1);
  waiting.get(5).fail(new Error('offline'));
  let message = null;
  await ahead.take(5).catch((error) => { message = error.message; });
  same(message, 'offline');
});

for (const event of ['place', 'forks', 'tab', 'replaced', 'verified']) {
  test(`ahead: "${event}" makes an answer old`, () => {
    const { ahead, tell } = made();
    ahead.prepare(4, 1);
    tell(event);
    same(ahead.take(5), undefined);
  });
}

test('ahead: a row that is added makes an answer old', () => {
  const { page, ahead } = made();
  ahead.prepare(4, 1);
  page.endRow++;
  same(ahead.take(5), undefined);
});
