import { NumberText } from './json.js';
import { pointerTokens, valueAt } from './paths.js';
import { isState } from './report-states.js';

const BAND_LIMIT = 60;
const BAR_LIMIT = 300;
const LONGEST_WITH_BARS = 2000;
const WORK_LIMIT_OF_SERIES = 50;

/** Counts the steps of a range of rows in buckets, by store or by action type. */
export function reportOverview(source, { from, to, buckets: asked, by = 'store' }) {
  const { rows } = source;
  const span = Math.max(1, to - from);
  const buckets = Math.min(asked, span);
  const zeros = () => new Array(buckets).fill(0);
  const answer = { from, to, buckets, start: 0, steps: zeros(), bands: [], rejected: zeros(),
    times: new Array(buckets).fill(null), numbers: new Array(buckets).fill(null), extras: [], bars: [] };
  const bands = new Map();
  const count = (name, bucket) => {
    if (!bands.has(name)) bands.set(name, { name, counts: zeros() });
    bands.get(name).counts[bucket]++;
  };
  const names = by === 'store' ? rows.info.stores.map((store) => store.name) : rows.info.types?.map((type) => type.type) ?? [];
  for (const name of names) bands.set(name, { name, counts: zeros() });
  for (let row = Math.max(from, rows.first + 1); row < Math.min(to, rows.end); row++) {
    const answered = rows.answer(row);
    const bucket = Math.min(buckets - 1, Math.floor((row - from + 1) * buckets / span - 1e-9));
    if (answered.kind !== 'step') {
      if (answer.extras.length < 500) answer.extras.push(source.summary(row));
      else answer.sampled = true;
      continue;
    }
    answer.steps[bucket]++;
    answer.times[bucket] ??= answered.t;
    answer.numbers[bucket] ??= answered.n;
    if (answered.effect !== undefined && answered.causeRow !== undefined && answer.bars.length < BAR_LIMIT) {
      answer.bars.push({ from: answered.causeRow, to: row, name: answered.effect });
    }
    if (answered.rejected) answer.rejected[bucket]++;
    if (by === 'type') count(answered.type, bucket);
    else for (const { store } of rows.writes(row)) count(store, bucket);
  }
  answer.bands = limited([...bands.values()], zeros);
  if (!answer.bars.length || span > LONGEST_WITH_BARS) delete answer.bars;
  return answer;
}

/** Sums up the bands beyond the limit. */
function limited(bands, zeros) {
  if (bands.length <= BAND_LIMIT) return bands;
  const rest = { name: '…', rest: true, counts: zeros() };
  for (const band of bands.slice(BAND_LIMIT - 1)) band.counts.forEach((count, place) => { rest.counts[place] += count; });
  return [...bands.slice(0, BAND_LIMIT - 1), rest];
}

/** Returns the numbers at a path over a range of rows; a part of them after 50 ms. */
export function reportSeries(source, { path, from, to, points: asked, next }) {
  const { rows, states } = source;
  const [store, ...tokens] = pointerTokens(path) ?? [];
  const start = Math.max(from, rows.first + 1);
  const length = Math.max(0, Math.min(to, rows.end) - start);
  const count = Math.min(asked, length);
  const answer = { path, points: [] };
  if (count < length) answer.sampled = true;
  const limit = performance.now() + WORK_LIMIT_OF_SERIES;
  for (let index = next ?? 0; index < count; index++) {
    if (performance.now() > limit) return { ...answer, next: index };
    // The last row of each part, so that the newest value is among the points.
    const row = start + Math.floor((index + 1) * length / count) - 1;
    if (rows.answer(row).kind !== 'step') continue;
    const state = states.events.has(store) ? states.state(store, row) : undefined;
    const value = state !== undefined && isState(state) ? valueAt(state, tokens) : undefined;
    const point = { row, n: rows.answer(row).n };
    if (value instanceof NumberText) point.value = value;
    answer.points.push(point);
  }
  return answer;
}
