import { microseconds, secondsText } from './text.js';
import { partition } from './values.js';

// Pauses that are at least so many times the usual time between two steps, and so much of the recording, are idle time.
const IDLE_FACTOR = 8;
const IDLE_SHARE = 0.04;

/** Places rows from left to right, by their number or by their time. */
export class Scale {
  constructor(data, { from, to }, width, isByTime) {
    Object.assign(this, { data, from, to, width });
    this.times = data ? knownTimes(data.times) : [];
    this.isByTime = isByTime && this.times.length > 1 && this.times.at(-1) > this.times[0];
    if (!this.isByTime) return;
    this.start = this.timeAt(from);
    this.length = Math.max(1, this.timeAt(to) - this.start);
  }

  /** The time of a row, from the times at the beginning of each bucket. */
  timeAt(row) {
    const { data, times } = this;
    const place = (row - data.from) / (data.to - data.from) * times.length;
    const bucket = Math.max(0, Math.min(times.length - 1, Math.floor(place)));
    const next = times[Math.min(times.length - 1, bucket + 1)];
    return times[bucket] + (next - times[bucket]) * Math.max(0, Math.min(1, place - bucket));
  }

  x(row) {
    if (!this.isByTime) return (row - this.from) / (this.to - this.from) * this.width;
    return (this.timeAt(row) - this.start) / this.length * this.width;
  }

  /** The row at a place: the last one that begins there or before. */
  row(x) {
    const inside = (row) => Math.max(this.from, Math.min(this.to - 1, row));
    if (!this.isByTime) return inside(this.from + Math.floor(x / Math.max(1, this.width) * (this.to - this.from)));
    return inside(this.from + partition(this.to - this.from, (place) => this.x(this.from + place) > x + 1) - 1);
  }

  /** The width of a row, which has none on an axis of time. */
  get cell() {
    return this.isByTime ? 3 : this.width / (this.to - this.from);
  }

  /** Round numbers along the axis, with their texts: times, or the numbers of steps where they are known. */
  ticks(numberOf) {
    const count = Math.max(2, Math.floor(this.width / 110));
    if (this.isByTime) {
      return rounds(this.start, this.start + this.length, count)
        .map((time) => ({ x: (time - this.start) / this.length * this.width, text: secondsText(time) }));
    }
    return rounds(this.from, this.to, count).filter(Number.isInteger)
      .map((row) => ({ x: this.x(row), text: numberOf(row) })).filter(({ text }) => text !== null);
  }

  /** The pauses in which nothing was dispatched, by the row after each. */
  idle() {
    const { data, times } = this;
    if (!data || times.length < 3) return [];
    const pauses = times.slice(1).map((time, place) => time - times[place]);
    const usual = [...pauses].sort((left, right) => left - right)[Math.floor(pauses.length / 2)];
    const least = Math.max(usual * IDLE_FACTOR, (times.at(-1) - times[0]) * IDLE_SHARE, 1000);
    const size = (data.to - data.from) / times.length;
    return pauses.map((pause, place) => ({ pause, row: data.from + Math.floor((place + 1) * size) }))
      .filter(({ pause }) => pause >= least).slice(0, 40);
  }
}

/** The times of buckets in microseconds; an empty bucket begins when the one before does. */
function knownTimes(times) {
  let last = microseconds(times.find((time) => time !== null && time !== undefined) ?? 0);
  return times.map((time) => {
    if (time !== null && time !== undefined) last = microseconds(time);
    return last;
  });
}

/** Returns about `count` round numbers in a range. */
function rounds(from, to, count) {
  const rough = Math.max(1, (to - from) / count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const found = [];
  for (let at = Math.ceil(from / step) * step; at < to; at += step) found.push(at);
  return found;
}
