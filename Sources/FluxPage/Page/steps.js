import { element, button, byId, fill } from './dom.js';
import { isAbandoned } from './answers.js';
import { VirtualList } from './list.js';
import { AllRows, FoundRows } from './rows.js';
import { SearchBox } from './search.js';
import { StepRowView } from './steprow.js';

/** The list of steps: everything, or what a search leaves. */
export class StepsPane {
  constructor(page) {
    this.page = page;
    this.rootsOnly = false;
    this.showsDelta = true;
    this.model = new AllRows(page);
    this.node = byId('list');
    this.rows = new StepRowView(this);
    this.search = new SearchBox(page, { focusList: () => this.node.focus(), goToMatch: () => this.wantMatch() });
    this.list = new VirtualList(this.node, {
      rowHeight: () => (page.isTouched ? 40 : 32),
      load: (...request) => this.model.load(...request),
      build: () => this.rows.build(),
      draw: (node, row, index) => this.rows.draw(node, row, index),
    });
    this.list.onerror = (error) => page.explain(error);
    this.list.onpaint = () => this.nameActive();
    this.rootsButton = button('⊟', 'Hide the steps that others caused', () => this.toggleRoots(),
      { id: 'roots', 'aria-pressed': 'false' });
    this.timeButton = button('Δt', 'Show the time since the previous step', () => this.toggleTimes(),
      { id: 'times', 'aria-pressed': 'true' });
    this.rangeChip = element('span', { id: 'range', hidden: true });
    byId('filter-bar').append(this.rangeChip, this.timeButton, this.rootsButton);
    this.listen();
  }

  listen() {
    const { page } = this;
    page.on('row', (row) => this.list.reveal(this.model.index(row)));
    for (const event of ['info', 'grown']) page.on(event, () => this.grown());
    page.on('replaced', (from) => this.list.reset(Math.max(0, this.model.index(from))));
    for (const event of ['filter', 'range']) page.on(event, () => this.rebuild());
    page.on('place', () => {
      this.knownRows = page.endRow;
      this.model.end?.();
      this.model = new AllRows(page);
      this.rebuild();
    });
    page.on('forks', () => this.list.paint());
    this.node.addEventListener('scroll', () => this.growIfNeeded());
    this.node.addEventListener('pointerover', (event) => this.light(event));
    this.node.addEventListener('pointerleave', () => this.light(null));
    this.list.onload = () => this.growIfNeeded();
  }

  // What the list shows

  /** Shows what the search leaves as soon as it has found something; until then the last good list stays. */
  rebuild() {
    const { page } = this;
    this.wantsMatch = false;
    this.next?.end();
    this.next = null;
    this.search.explain(null);
    this.showRange();
    if (page.filter === '' && !this.rootsOnly) {
      this.show(this.model instanceof AllRows ? this.model : new AllRows(page));
      this.list.reveal(this.model.index(page.row), { center: true });
      return;
    }
    const next = new FoundRows(page, { filter: page.filter, roots: this.rootsOnly }, (added) => this.found(next, added));
    next.onerror = (error) => this.failed(next, error);
    this.next = next;
    this.run(next);
  }

  show(model) {
    if (model !== this.model) this.model.end?.();
    this.model = model;
    this.list.reset(0, { forget: true });
    this.list.setTotal(model.total);
    this.showMatches();
  }

  async run(model) {
    try {
      await Promise.all([model.grow(model.after), model.grow(model.before)]);
      if (model === this.model) this.list.reveal(model.index(this.page.row), { center: true });
    } catch (error) {
      this.failed(model, error);
    }
  }

  failed(model, error) {
    if (isAbandoned(error) || model !== (this.next ?? this.model)) return;
    this.search.explain(error);
    this.search.showMatches(this.model.matches, false);
  }

  found(model, added) {
    if (model === this.next) {
      // A search that has found nothing yet may still be refused.
      if (!model.total && !model.matches && !model.isDone) return;
      this.next = null;
      this.show(model);
      if (model.total) this.list.reveal(model.index(this.page.row), { center: true });
      this.goToMatch();
      return;
    }
    if (model !== this.model) return;
    this.list.reset(0);
    this.list.setTotal(model.total);
    if (added) this.list.showFrom(this.list.first + added);
    this.showMatches();
    this.goToMatch();
  }

  wantMatch() {
    this.wantsMatch = this.page.filter !== '';
    this.goToMatch();
  }

  /** Moves to the nearest match once it is known, as Enter asks for: the last one up to here, or else the next one. */
  goToMatch() {
    const { model, page } = this;
    if (!this.wantsMatch || this.next || !(model instanceof FoundRows)) return;
    if (!model.total || !(model.before.isDone || model.row(0) <= page.row)) return;
    this.wantsMatch = false;
    page.go(model.row(model.index(page.row)), { jump: true });
  }

  growIfNeeded() {
    const { model, list } = this;
    if (!(model instanceof FoundRows)) return;
    if (list.first < 20) model.grow(model.before).catch((error) => this.failed(model, error));
    if (list.first + list.capacity > model.total - 20) model.grow(model.after).catch((error) => this.failed(model, error));
  }

  showMatches() {
    const { model } = this;
    const isSearch = model instanceof FoundRows;
    this.search.showMatches(model.matches, isSearch);
    const isEmpty = isSearch && model.isDone && !model.total;
    this.search.showEmpty(isEmpty ? this.page.filter || 'root actions' : null);
    this.node.classList.toggle('empty', isEmpty);
  }

  async showRange() {
    const { range } = this.page;
    this.rangeChip.hidden = !range;
    if (!range) return;
    const { rows } = await this.page.ask('steps', { rows: [range.from, range.to] });
    const [from, to] = rows.map((row) => row.n ?? row.kind);
    fill(this.rangeChip, `${from}–${to}`, button('×', 'Show all steps', () => this.page.set('range', null)));
  }

  toggleRoots() {
    this.rootsOnly = !this.rootsOnly;
    this.rootsButton.setAttribute('aria-pressed', String(this.rootsOnly));
    this.rebuild();
  }

  toggleTimes() {
    this.showsDelta = !this.showsDelta;
    this.timeButton.setAttribute('aria-pressed', String(this.showsDelta));
    this.list.paint();
  }

  /** Takes over rows that were appended. */
  grown() {
    if (this.model instanceof FoundRows) {
      if (this.knownRows < this.page.endRow) this.model.grown(this.knownRows);
      this.growIfNeeded();
    }
    if (this.knownRows !== undefined && this.model instanceof AllRows) this.list.reset(Math.max(0, this.model.index(this.knownRows)));
    this.knownRows = this.page.endRow;
    this.list.setTotal(this.model.total);
    if (this.page.follows) this.list.reveal(this.model.index(this.page.row));
  }

  /** Names the row of the step to who listens, if it is on the screen. */
  nameActive() {
    const here = this.list.pool.find((node) => !node.hidden && Number(node.dataset.row) === this.page.row);
    if (here) this.node.setAttribute('aria-activedescendant', here.id);
    else this.node.removeAttribute('aria-activedescendant');
  }

  /** Moves among the rows of the list. */
  walk(distance) {
    const { model, page } = this;
    const index = model.index(page.row);
    const isBetween = model instanceof FoundRows && model.row(index) !== page.row;
    const target = isBetween && distance > 0 && model.row(index) > page.row ? index : index + distance;
    if (target >= 0 && target < model.total) page.go(model.row(target));
  }

  walkPages(pages) {
    this.walk(Math.sign(pages) * Math.max(1, Math.floor(this.list.capacity) - 1));
  }

  // Mouse

  /** Lights up the causes and the effects of the row under the pointer. */
  light(event) {
    const node = event?.target.closest('.row');
    const row = node ? Number(node.dataset.row) : null;
    if (row === (this.lit?.row ?? null)) return;
    const causes = new Set();
    let at = row === null ? undefined : this.list.rowAt(this.model.index(row));
    while (at?.causeRow !== undefined && !causes.has(at.causeRow)) {
      causes.add(at.causeRow);
      at = this.list.rowAt(this.model.index(at.causeRow));
    }
    this.lit = row === null ? null : { row, causes };
    this.list.paint();
  }

  async clicked(event, node) {
    const row = Number(node.dataset.row);
    if (!event.target.closest('.fold')) {
      this.node.focus({ preventScroll: true });
      if (String(getSelection()) === '') this.page.go(row);
      return;
    }
    await this.toggleFold(row);
  }

  async toggleFold(row) {
    const { model } = this;
    if (!(model instanceof AllRows)) return;
    if (model.folded(row)) model.unfold(row);
    else await model.fold(row);
    this.list.reset(model.index(row), { forget: true });
    this.list.setTotal(model.total);
  }
}
