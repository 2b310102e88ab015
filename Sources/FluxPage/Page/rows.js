import { askOn } from './answers.js';

/** All rows of a range, without those that are folded below their cause. */
export class AllRows {
  constructor(page) {
    this.page = page;
    this.folds = [];
  }

  get low() {
    return this.page.range?.from ?? this.page.firstRow;
  }

  get high() {
    return Math.min(this.page.range ? this.page.range.to + 1 : Infinity, this.page.endRow);
  }

  get total() {
    return Math.max(0, this.high - this.low - this.folds.reduce((sum, fold) => sum + fold.count, 0));
  }

  row(index) {
    let row = this.low + index;
    for (const fold of this.folds) if (fold.after < row) row += fold.count;
    return row;
  }

  /** Returns the place of a row in the list; of a folded one, that of its cause. */
  index(row) {
    let index = row - this.low;
    for (const fold of this.folds) {
      if (fold.after < row) index -= Math.min(fold.count, row - fold.after);
    }
    return Math.max(0, index);
  }

  async load(from, count, signal) {
    const rows = Array.from({ length: count }, (_, place) => this.row(from + place));
    const isRun = rows.at(-1) - rows[0] === count - 1;
    const request = isRun ? { from: rows[0], count } : { rows };
    return (await this.page.ask('steps', request, signal)).rows;
  }

  isFolded(row) {
    return this.folds.some((fold) => fold.after === row);
  }

  unfold(row) {
    this.folds = this.folds.filter((fold) => fold.after !== row);
  }

  /** Hides the steps that follow a step and that it led to. */
  async fold(row, depth) {
    let count = 0;
    for (let from = row + 1; from < this.high && count < 10000; from += 500) {
      const { rows } = await this.page.ask('steps', { from, count: Math.min(500, this.high - from) });
      const end = rows.findIndex((other) => other.kind !== 'step' || other.depth <= depth);
      count += end < 0 ? rows.length : end;
      if (end >= 0) break;
    }
    this.folds = this.folds.filter((fold) => fold.after < row || fold.after > row + count);
    if (count) this.folds.push({ after: row, count });
    this.folds.sort((left, right) => left.after - right.after);
  }
}

/** The steps that match a filter. It grows in both directions from the position, as it is looked at. */
export class FoundRows {
  constructor(page, { filter, roots }, changed) {
    Object.assign(this, { page, changed });
    this.request = { filter, roots: roots || undefined, limit: 200 };
    this.items = [];
    this.matches = null;
    this.counting = Promise.resolve();
    this.controller = new AbortController();
    const here = page.row;
    this.after = { from: Math.max(here, page.firstRow), direction: 'forwards', isDone: false };
    this.before = { from: here - 1, direction: 'backwards', isDone: here - 1 < page.firstRow };
    this.count(page.firstRow);
  }

  get total() {
    return this.items.length;
  }

  get isDone() {
    return this.after.isDone && this.before.isDone;
  }

  end() {
    this.controller.abort();
  }

  row(index) {
    return this.items[index]?.row ?? this.page.row;
  }

  /** Returns the place of the last match at or before a row. */
  index(row) {
    const place = this.items.findLastIndex((item) => item.row <= row);
    return Math.max(0, place);
  }

  async load(from, count) {
    return this.items.slice(from, from + count);
  }

  /** Looks for more matches in a direction until there are some; `changed` hears how many came before. */
  async grow(side) {
    if (side.isDone || side.isBusy) return;
    side.isBusy = true;
    const { range } = this.page;
    try {
      await askOn(this.page.source, 'find', { ...this.request, from: side.from, direction: side.direction },
        this.controller.signal, (part) => this.take(side, part, range));
    } finally {
      side.isBusy = false;
    }
  }

  take(side, part, range) {
    const inside = part.rows.filter((row) => !range || (row.row >= range.from && row.row <= range.to));
    const isForwards = side.direction === 'forwards';
    if (isForwards) this.items.push(...inside);
    else this.items.unshift(...inside.slice().reverse());
    const last = part.rows.at(-1);
    side.isDone = part.next === undefined;
    if (last && !side.isDone) side.from = last.row + (isForwards ? 1 : -1);
    this.changed(isForwards ? 0 : inside.length);
    return inside.length === 0;
  }

  /** Takes over rows that were appended. */
  grown(from) {
    if (this.after.isDone) Object.assign(this.after, { isDone: false, from });
    this.count(from);
  }

  /** Counts the matches from a row on, in the background and after what is counted already. */
  count(from) {
    this.counting = this.counting.then(() => this.countOn(from));
  }

  async countOn(from) {
    let { matches, unknown } = this.matches ?? { matches: 0, unknown: 0 };
    const { filter, roots } = this.request;
    try {
      await askOn(this.page.source, 'find', { filter, roots, from, direction: 'forwards', count: true }, this.controller.signal, (part) => {
        matches += part.matches;
        unknown += part.unknown ?? 0;
        this.matches = { matches, unknown, isDone: part.next === undefined };
        this.changed(0);
      });
    } catch (error) {
      if (error.name !== 'AbortError') this.onerror?.(error);
    }
  }
}
