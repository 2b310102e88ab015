import { askOn, isAbandoned } from './answers.js';
import { partition } from './values.js';

// A fold looks so far ahead for what a step led to.
const LONGEST_FOLD = 10_000;

/** All rows of a range, without those that are folded into their cause. */
export class AllRows {
  constructor(page) {
    this.page = page;
    // The hidden rows of each folded row, and all of them in order with the row that hides each.
    this.folds = new Map();
    this.hidden = [];
    this.owners = new Map();
  }

  get low() {
    return this.page.range?.from ?? this.page.firstRow;
  }

  get high() {
    return Math.min(this.page.range ? this.page.range.to + 1 : Infinity, this.page.endRow);
  }

  get total() {
    const { low, high } = this;
    return Math.max(0, high - low - (this.hiddenBefore(high) - this.hiddenBefore(low)));
  }

  /** Returns the number of hidden rows before a row. */
  hiddenBefore(row) {
    return partition(this.hidden.length, (place) => this.hidden[place] >= row);
  }

  row(index) {
    const first = this.low - this.hiddenBefore(this.low) + index;
    return first + partition(this.hidden.length, (place) => this.hidden[place] - place > first);
  }

  /** Returns the place of a row in the list; of a folded one, that of its cause. */
  index(row) {
    const visible = this.owners.get(row) ?? row;
    return Math.max(0, visible - this.low - (this.hiddenBefore(visible) - this.hiddenBefore(this.low)));
  }

  async load(from, count, signal, some) {
    const rows = Array.from({ length: count }, (_, place) => this.row(from + place));
    const isRun = rows.at(-1) - rows[0] === count - 1;
    return isRun ? this.run(rows[0], count, signal, some) : (await this.page.ask('steps', { rows }, signal)).rows;
  }

  /** Returns a run of rows. An answer has those that it had time for, which `some` gets until all are there. */
  async run(from, count, signal, some) {
    const rows = [];
    for (;;) {
      const part = (await this.page.ask('steps', { from: from + rows.length, count: count - rows.length }, signal)).rows;
      rows.push(...part);
      if (rows.length >= count || part.length === 0) return rows;
      some?.(rows);
    }
  }

  /** Returns the number of rows that are folded into a row; 0 for a row that is not folded. */
  folded(row) {
    return this.folds.get(row)?.length ?? 0;
  }

  unfold(row) {
    this.folds.delete(row);
    this.collect();
  }

  /** Hides all steps that a step led to, wherever they are. */
  async fold(row) {
    const tree = new Set([row]);
    const end = Math.min(this.high, row + LONGEST_FOLD);
    for (let from = row + 1; from < end; from += 500) {
      const rows = await this.run(from, Math.min(500, end - from));
      for (const other of rows) if (tree.has(other.causeRow)) tree.add(other.row);
    }
    tree.delete(row);
    if (tree.size) this.folds.set(row, [...tree]);
    this.collect();
  }

  collect() {
    this.owners.clear();
    // An outer fold comes first and hides what inner ones would.
    for (const [owner, rows] of [...this.folds].sort(([left], [right]) => left - right)) {
      for (const row of rows) if (!this.owners.has(row)) this.owners.set(row, this.owners.get(owner) ?? owner);
    }
    this.hidden = [...this.owners.keys()].sort((left, right) => left - right);
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
      await askOn(this.page, 'find', { ...this.request, from: side.from, direction: side.direction },
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
    const { endRow } = this.page;
    try {
      await askOn(this.page, 'find', { filter, roots, from, direction: 'forwards', count: true }, this.controller.signal, (part) => {
        matches += part.matches;
        unknown += part.unknown ?? 0;
        // A cursor is a row, which tells how much of the recording was searched.
        const share = part.next === undefined ? 1 : (part.next - from) / Math.max(1, endRow - from);
        this.matches = { matches, unknown, share, isDone: part.next === undefined };
        this.changed(0);
      });
    } catch (error) {
      if (!isAbandoned(error)) this.onerror?.(error);
    }
  }
}
