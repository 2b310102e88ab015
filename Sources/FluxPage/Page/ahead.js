import { Turn } from './answers.js';

// What changes the answer about a step, besides more rows: what is asked about it, and where.
const CHANGES = ['place', 'forks', 'tab', 'replaced', 'verified'];

/**
 * The step that comes next if the person goes on in the same direction. Its answer is asked for while this step is looked
 * at. So the next press of the key needs no answer from the server, and is shown with the next frame.
 */
export class Ahead {
  constructor(page) {
    this.page = page;
    this.turn = new Turn();
    this.known = null;
    for (const event of CHANGES) page.on(event, () => this.forget());
  }

  /** Asks about the row after a move of one row. A report has no server to wait for. */
  prepare(row, move) {
    this.forget();
    const next = row + move;
    if (!this.page.source.isLive || Math.abs(move) !== 1 || next < this.page.firstRow || next >= this.page.endRow) return;
    const answer = this.page.askForStep(next, this.turn.begin());
    // Whoever takes the answer hears of the error.
    answer.catch(() => {});
    this.known = { row: next, end: this.page.endRow, answer };
  }

  /** Returns the answer about a row, or its promise; undefined if it was not asked for. An answer is given out once. */
  take(row) {
    const { known } = this;
    this.known = null;
    // A step that was added since may be caused by this one.
    if (known?.row === row && known.end === this.page.endRow) return known.answer;
    this.forget();
    return undefined;
  }

  forget() {
    this.turn.end();
    this.known = null;
  }
}
