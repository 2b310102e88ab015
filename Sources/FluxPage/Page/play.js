import { element, button, byId, setLabel } from './dom.js';
import { microseconds } from './text.js';
import { Turn, askForRows } from './answers.js';

const SPEEDS = [1, 2, 5, 10];
// Nobody watches a pause for longer, and no step is on the screen for less than a frame or two.
const LONGEST_PAUSE = 2000;
const SHORTEST_PAUSE = 40;

/** Walks through the recording as fast as it happened, or faster; and from change to change of a pinned value. */
export class Player {
  constructor(page) {
    this.page = page;
    this.turn = new Turn();
    this.isPlaying = false;
    this.face = button('▶', 'Play from here', () => this.toggle(), { id: 'play', 'aria-keyshortcuts': 'Shift+Space' });
    this.speed = element('select', { id: 'speed', 'aria-label': 'Speed' }, SPEEDS.map((speed) => element('option', { value: speed }, `${speed}×`)));
    byId('player').append(
      button('◂', 'Previous step', () => page.go(page.row - 1)), this.face,
      button('▸', 'Next step', () => page.go(page.row + 1)), this.speed);
    page.on('place', () => this.stop());
    page.on('change', ({ path, direction }) => page.moveInTurn(() => this.goToChange(path, direction)));
  }

  toggle() {
    if (this.isPlaying) this.stop();
    else this.play();
  }

  play() {
    const { page } = this;
    this.isPlaying = true;
    this.draw();
    this.continue(page.row >= page.endRow - 1 ? page.firstRow : page.row);
  }

  stop() {
    this.isPlaying = false;
    this.turn.end();
    clearTimeout(this.timer);
    this.draw();
  }

  draw() {
    this.face.textContent = this.isPlaying ? '⏸' : '▶';
    setLabel(this.face, this.isPlaying ? 'Pause playing' : 'Play from here');
    this.face.setAttribute('aria-pressed', String(this.isPlaying));
  }

  /** Shows a row, and the next one after the time that passed between them. */
  async continue(row) {
    const { page } = this;
    const signal = this.turn.begin();
    this.row = row;
    await page.go(row);
    // A person who moves takes over.
    if (signal.aborted || page.row !== this.row) return this.stop();
    if (row >= page.endRow - 1) return this.stop();
    try {
      const { rows } = await page.ask('steps', { rows: [row, row + 1] }, signal);
      if (signal.aborted) return undefined;
      const [here, next] = rows.map(({ t }) => (t === undefined ? undefined : microseconds(t)));
      const pause = here === undefined || next === undefined ? 0 : (next - here) / 1000 / Number(this.speed.value);
      this.timer = setTimeout(() => {
        if (page.row === this.row) this.continue(row + 1);
        else this.stop();
      }, Math.max(SHORTEST_PAUSE, Math.min(LONGEST_PAUSE, pause)));
    } catch (error) {
      page.explain(error);
      this.stop();
    }
    return undefined;
  }

  /** Moves to the step that wrote a value next, or to the one that wrote it before. */
  async goToChange(path, direction) {
    const { page } = this;
    // Backwards, the answer includes the row that is asked for; forwards, it begins behind it.
    const row = direction === 'forwards' ? page.row : page.row - 1;
    if (row < page.firstRow) return;
    const { rows: [write] } = await askForRows(page, 'writes', { path, direction, row, limit: 1 });
    if (write) await page.go(write.row, { jump: true });
  }
}
