import { Refusal } from './answers.js';
import { globTest } from './glob.js';
import { microseconds } from './text.js';

const DAY = 86_400_000_000;

/** Turns a position as people type it into a row of a report. */
export function locateRow(source, { position, row: here = source.rows.first }) {
  const { rows } = source;
  const text = String(position).trim();
  const steps = rows.answers.filter(({ kind }) => kind === 'step');
  if (/^\d+$/.test(text)) return atNumber(source, text, steps);
  if (/^[+-]\d+$/.test(text)) return relative(rows, steps, here, Number(text));
  if (/^\d+(\.\d+)?%$/.test(text)) return atPercent(rows, steps, parseFloat(text));
  if (text === 'start') return { row: rows.first, n: rows.startNumber };
  if (text === 'end') return found(rows, steps.at(-1));
  if (/^@\d+(\.\d+)?$/.test(text)) return atTime(rows, steps, microseconds(text.slice(1)));
  const clock = /^@(\d+):(\d\d)(?::(\d\d(?:\.\d+)?))?$/.exec(text);
  if (clock) return atClock(rows, steps, microseconds(Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0)));
  const counted = /^(.*)#(\d+)$/.exec(text);
  if (counted) return atCount(rows, steps, counted[1], Number(counted[2]));
  throw new Refusal('usage', `${text} is not a position.`, 'Positions are 17, +5, 50%, start, end, @12.5 or cart/add#3.');
}

function found(rows, step) {
  return step ? { row: step.row, n: step.n } : { row: rows.first, n: rows.startNumber };
}

function atNumber({ rows }, text, steps) {
  const number = String(BigInt(text));
  const step = rows.byNumber.get(number);
  if (step) return found(rows, step);
  if (number === rows.startNumber) return { row: rows.first, n: number };
  const before = steps.findLast((step) => BigInt(step.n) < BigInt(number));
  if (before && before !== steps.at(-1)) {
    return { ...found(rows, before), note: `step ${number} is not in the log; this is the step before it` };
  }
  const last = steps.at(-1)?.n ?? rows.startNumber;
  throw new Refusal('bad-position', `There is no step ${number}; the report has steps ${steps[0]?.n ?? '0'} to ${last}.`,
    rows.info.report?.left ? rows.info.report.shell : undefined);
}

function atPercent(rows, steps, percent) {
  if (percent > 100) throw new Refusal('bad-position', 'A position cannot be beyond 100%.');
  return found(rows, steps[Math.floor(percent / 100 * steps.length) - 1]);
}

function relative(rows, steps, here, distance) {
  const place = steps.findLastIndex((step) => step.row <= here) + distance;
  if (place === -1) return found(rows);
  if (place < 0) return { row: rows.first, n: rows.startNumber, note: 'this is the start' };
  if (place >= steps.length) return { ...found(rows, steps.at(-1)), note: 'this is the last step' };
  return found(rows, steps[place]);
}

function atTime(rows, steps, time) {
  return found(rows, steps.findLast((step) => microseconds(step.t) <= time));
}

/**
 * The clock time on the day of the recording, in its time zone; on the next day if the recording began later than that, and
 * lasted long enough.
 */
function atClock(rows, steps, clock) {
  const { created, zone = 0 } = rows.info;
  if (!created) throw new Refusal('bad-position', 'The log does not say when it was created; use seconds, as in @12.5.');
  const [hours, minutes, seconds] = created.slice(11, -1).split(':').map(Number);
  const local = microseconds(hours * 3600 + minutes * 60 + seconds + zone);
  const since = clock - (local + DAY) % DAY;
  if (since >= 0) return atTime(rows, steps, since);
  if (steps.length && microseconds(steps.at(-1).t) >= since + DAY) return atTime(rows, steps, since + DAY);
  return { row: rows.first, n: rows.startNumber, note: 'the recording began after that time; this is the start' };
}

function atCount(rows, steps, glob, count) {
  const matches = globTest(glob);
  const step = steps.filter((step) => matches(step.type))[count - 1];
  if (!step) throw new Refusal('bad-position', `There is no ${glob}#${count} in this report.`);
  return found(rows, step);
}
