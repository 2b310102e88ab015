import { Turn, askForRows, isAbandoned } from './answers.js';
import { Ahead } from './ahead.js';
import { placeText, readPlace, readRange, writeView } from './view.js';
import { announce, element, toast } from './dom.js';
import { startName } from './text.js';

// So many changes of a step come with it.
const CHANGES_OF_STEP = 300;

/**
 * Everything that the panes have in common: the recording, the row that is looked at, the filter, the
 * pins. A pane changes it by a method and hears of changes by `on`.
 */
export class Page {
  constructor(source) {
    this.source = source;
    this.info = null;
    // The fork that everything on the page is about; null for the recording.
    this.fork = null;
    this.row = 0;
    this.step = null;
    this.tab = 'changed';
    this.filter = '';
    this.range = null;
    this.pins = [];
    this.open = new Set();
    this.closed = new Set();
    this.search = '';
    this.bands = 'store';
    // A place is a row, or { fork, index }: a fork of the console after some of its steps.
    this.compared = { a: null, b: null };
    this.forks = [];
    this.follows = false;
    // True while the log is read for the first time, until the person moves: the row to open at is not known yet.
    this.isOpening = false;
    this.listeners = new Map();
    this.stepTurn = new Turn();
    this.ahead = new Ahead(this);
    this.moves = 0;
    this.movesInTurn = Promise.resolve();
  }

  on(event, body) {
    if (!this.listeners.has(event)) this.listeners.set(event, []);
    this.listeners.get(event).push(body);
  }

  emit(event, detail) {
    for (const body of this.listeners.get(event) ?? []) body(detail);
  }

  /** Asks the source about the recording, or about the fork that the page stands on. */
  async ask(name, request, signal) {
    // The facts are about the recording and all forks.
    const isOfFork = this.fork !== null && name !== 'info';
    return await this.source.ask(name, isOfFork ? { fork: this.fork, ...request } : request, signal);
  }

  /** Shows the reason why something failed; says nothing about what was abandoned. `main.js` does so for all that nobody handles. */
  explain(error) {
    if (isAbandoned(error)) return;
    toast(...[error.message, error.hint].filter(Boolean));
    announce(error.message);
  }

  /** Reads what a verification found. */
  async loadVerdict() {
    const { divergences, verdict, landing } = await this.ask('info', {});
    Object.assign(this.info, { divergences, verdict, landing });
    this.emit('verified');
    this.emit('facts');
  }

  /** `true` if fingers touch the page. */
  get isTouched() {
    return matchMedia('(pointer: coarse)').matches;
  }

  /** `true` if the page is one column that scrolls; the style has the same condition. */
  get isSmall() {
    return matchMedia('(max-width: 899px), (max-height: 559px)').matches;
  }

  /** Returns the mark in the colour of a store, which is the same wherever the store is named. */
  storeDot(store) {
    const dot = element('i', { class: 'dot', 'aria-hidden': 'true' });
    dot.style.background = `var(--store-${this.storeIndex(store)})`;
    return dot;
  }

  storeIndex(store) {
    this.storeNames ??= this.info.stores.map(({ name }) => name);
    // A store that a growing log did not have at first comes last, so that the others keep their colours.
    if (!this.storeNames.includes(store)) this.storeNames.push(store);
    return this.storeNames.indexOf(store) % 8;
  }

  // Position

  /** The rows that can be looked at: from the first to the one before the end. */
  get firstRow() {
    return this.fork === null ? this.info?.report?.from ?? 0 : 0;
  }

  get endRow() {
    if (this.fork !== null) return this.forkHere?.rows ?? 1;
    return this.info?.report?.to ?? this.info?.rows ?? 0;
  }

  /** The fork that the page stands on; undefined on the recording. */
  get forkHere() {
    return this.forks.find(({ fork }) => fork === this.fork);
  }

  /** The rows at which a replay diverged; on a fork, the one whose states are the first to differ from the recorded ones. */
  get divergentRows() {
    const divergences = this.fork === null ? this.info?.divergences ?? [] : [{ row: this.forkHere?.first }];
    return divergences.map(({ row }) => row).filter((row) => row !== undefined);
  }

  /** Moves to a row of a fork, or of the recording for null. Everything else on the page follows. */
  async goToPlace(fork, row, options) {
    if (fork !== this.fork) {
      if (fork !== null && !this.forks.some((other) => other.fork === fork)) {
        toast(`Fork ${fork} is gone`);
        return;
      }
      this.fork = fork;
      this.compared = { a: null, b: null };
      [this.step, this.range, this.follows] = [null, null, false];
      this.row = Math.max(this.firstRow, Math.min(row, this.endRow - 1));
      this.emit('place', fork);
    }
    await this.go(row, options);
  }

  /** Opens a fork, or the recording for null, at the row that corresponds to the one here. */
  openPlace(fork) {
    if (fork === null) return this.goToPlace(null, this.step?.recordedRow ?? this.forkHere?.row ?? this.row);
    return this.goToPlace(fork.fork, fork.first ?? fork.rows - 1);
  }

  /** Takes over the forks of the console; a command may have added steps to the one here. */
  setForks(forks) {
    const end = this.endRow;
    this.forks = forks;
    this.emit('forks', forks);
    if (this.fork !== null && !this.forkHere) this.goToPlace(null, this.row);
    else if (this.endRow > end) this.emit('grown');
  }

  /** Moves to a row. `jump` keeps the old place for the browser's way back. */
  async go(row, { jump = false, byUser = true } = {}) {
    const target = Math.max(this.firstRow, Math.min(row, this.endRow - 1));
    if (byUser) [this.isOpening, this.follows] = [false, this.canFollow && target === this.endRow - 1];
    if (target === this.row && this.step) return;
    const move = target - this.row;
    this.row = target;
    this.moves++;
    if (jump) this.keepPlace();
    this.emit('row', target);
    this.noteView();
    await this.loadStep();
    if (this.step?.row === target) this.ahead.prepare(target, move);
  }

  /** `true` if the log grows, so that the page can follow it. */
  get canFollow() {
    return this.fork === null && this.info.capabilities?.live === true && !this.info.closed;
  }

  async loadStep() {
    const signal = this.stepTurn.begin();
    const row = this.row;
    try {
      const step = await (this.ahead.take(row) ?? this.askForStep(row, signal));
      if (signal.aborted) return;
      this.step = step;
      this.emit('step', step);
      this.noteView();
      announce(stepSentence(step));
    } catch (error) {
      if (isAbandoned(error)) return;
      this.step = { row, kind: 'error', text: error.message };
      this.emit('step', this.step);
    }
  }

  /** Asks about a row, and about what the chosen tab shows of it. */
  askForStep(row, signal) {
    const changes = this.tab === 'changed' ? { changes: CHANGES_OF_STEP, blame: true } : {};
    return this.ask('step', { row, ...changes }, signal);
  }

  /** Moves to a position as people write it: `17`, `+5`, `end`, `@2.5`, `cart/add#3`. */
  async goTo(position, options = { jump: true }) {
    try {
      const found = await this.ask('locate', { position, row: this.row });
      if (found.note) toast(found.note);
      await this.go(found.row, options);
      return true;
    } catch (error) {
      this.explain(error);
      return false;
    }
  }

  /** Makes a move that starts from where the moves before it lead, so that quick presses of a key all count. */
  moveInTurn(move) {
    this.movesInTurn = this.movesInTurn.then(move).catch((error) => this.explain(error));
    return this.movesInTurn;
  }

  /** Moves to the next or previous action that nothing caused. */
  goToRoot(direction) {
    return this.moveInTurn(async () => {
      const from = this.row + (direction === 'forwards' ? 1 : -1);
      if (from < this.firstRow) return;
      const { rows } = await askForRows(this, 'find', { filter: '', roots: true, from, direction, limit: 1 });
      const outermost = direction === 'forwards' ? this.endRow - 1 : this.firstRow;
      await this.go(rows.length ? rows[0].row : outermost);
    });
  }

  // The rest of the view

  setFilter(filter) {
    if (filter !== this.filter) this.set('filter', filter);
  }

  /** Changes a part of the view: the filter, the tab, the bands, or the range of rows of the list; null shows all. */
  set(name, value) {
    this[name] = value;
    this.emit(name, value);
    this.noteView();
  }

  /** Replays the rest of the recording without a step, in the console. */
  runWithout({ kind, n }) {
    if (kind !== 'step' || this.fork !== null || !this.info.capabilities.app) return;
    this.emit('run', `redispatch ${n}..${this.info.last?.n ?? n} --skip ${n}`);
  }

  compare(a, b) {
    this.compared = { a, b };
    this.set('tab', 'compare');
  }

  togglePin(path) {
    const isPinned = this.pins.includes(path);
    if (!isPinned && this.pins.length >= 8) {
      toast('Eight charts are pinned; unpin one first');
      return;
    }
    this.pins = isPinned ? this.pins.filter((pin) => pin !== path) : [...this.pins, path];
    this.emit('pins', this.pins);
    this.noteView();
  }

  // The fragment

  get position() {
    if (this.row === this.firstRow) return 'start';
    if (this.step?.row === this.row && this.step.kind === 'step') return this.step.n;
    return this.step?.row === this.row ? `row:${this.row}` : this.lastPosition;
  }

  get view() {
    const { filter, tab, bands, search, range, compared } = this;
    this.lastPosition = this.position;
    const place = (value) => (value === null ? '' : placeText(value));
    return {
      position: this.lastPosition, filter, search, fork: this.fork === null ? '' : String(this.fork),
      tab: tab === 'changed' ? '' : tab, by: bands === 'store' ? '' : bands,
      steps: range ? `${range.from}-${range.to}` : '', log: this.source.log ?? '',
      a: tab === 'compare' ? place(compared.a) : '', b: tab === 'compare' ? place(compared.b) : '',
      open: [...this.open], closed: [...this.closed], pin: this.pins,
    };
  }

  /** Writes the view into the fragment, soon; browsers refuse many changes in a short time. */
  noteView() {
    clearTimeout(this.noting);
    this.noting = setTimeout(() => history.replaceState(null, '', writeView(this.view)), 160);
  }

  keepPlace() {
    clearTimeout(this.noting);
    history.pushState(null, '', writeView(this.view));
  }

  /** Takes over a view, of a link or of the browser's way back. */
  async apply(view) {
    this.filter = view.filter ?? '';
    this.search = view.search ?? '';
    this.tab = view.tab ?? 'changed';
    this.bands = view.by ?? 'store';
    [this.pins, this.open, this.closed] = [view.pin.slice(0, 8), new Set(view.open), new Set(view.closed)];
    const fork = /^\d+$/.test(view.fork ?? '') ? Number(view.fork) : null;
    if (fork !== this.fork) await this.goToPlace(fork, 0, { byUser: false });
    // A log that is still read may have the rows later.
    this.range = readRange(view.steps, this.info.complete === false ? Infinity : this.endRow);
    this.compared = { a: readPlace(view.a), b: readPlace(view.b) };
    for (const event of ['filter', 'range', 'bands', 'pins', 'tab']) this.emit(event, this[event]);
    const row = /^row:(\d+)$/.exec(view.position ?? '');
    if (row) await this.go(Number(row[1]), { byUser: false });
    // The address of a step that is not there becomes that of the one here.
    else if (view.position && !(await this.goTo(view.position, { byUser: false }))) this.noteView();
  }
}

/** Says what a row is, for people who listen. */
export function stepSentence(step) {
  if (step.kind === 'start') return step.fork || step.isPart ? startName(step) : 'Start, before the first step';
  if (step.kind !== 'step') return step.text ?? step.kind;
  const fate = step.rejected ? ', rejected' : step.changed.length ? `, changed ${step.changed.join(', ')}` : ', changed nothing';
  return `Step ${step.n}, ${step.type}${fate}`;
}
