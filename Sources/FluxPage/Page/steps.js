import { element, quoted, button, byId, fill, setLabel } from './dom.js';
import { VirtualList } from './list.js';
import { AllRows, FoundRows } from './rows.js';
import { counted, deltaText, grouped, instantText, secondsText, microseconds, shown } from './text.js';

const SIGNS = { mark: '▸', gap: '⋯', damage: '✕', start: '○', outside: '·' };

/** The list of steps: everything, or what a filter leaves. */
export class StepsPane {
  constructor(page) {
    this.page = page;
    this.rootsOnly = false;
    this.model = new AllRows(page);
    this.node = byId('list');
    this.field = byId('filter');
    this.list = new VirtualList(this.node, {
      rowHeight: matchMedia('(pointer: coarse)').matches ? 40 : 28,
      load: (from, count, signal) => this.model.load(from, count, signal),
      build: () => this.build(),
      draw: (node, row, index) => this.draw(node, row, index),
    });
    this.list.onerror = (error) => page.explain(error);
    this.rootsButton = button('⊟', 'Hide the steps that others caused', () => this.toggleRoots(),
      { id: 'roots', 'aria-pressed': 'false' });
    this.timeButton = button('Δt', 'Show the time since the previous step', () => this.toggleTimes(),
      { id: 'times', 'aria-pressed': 'false' });
    this.rangeChip = element('span', { id: 'range', hidden: true });
    byId('filter-bar').append(this.rangeChip, this.timeButton, this.rootsButton);
    this.listen();
  }

  listen() {
    const { page } = this;
    page.on('row', () => this.moved());
    page.on('info', () => this.grown());
    page.on('replaced', (from) => this.list.reset(Math.max(0, this.model.index(from))));
    page.on('filter', (filter) => {
      if (this.field.value !== filter) this.field.value = filter;
      this.rebuild();
    });
    page.on('range', () => this.rebuild());
    byId('filter-bar').addEventListener('submit', (event) => {
      event.preventDefault();
      page.setFilter(this.field.value.trim());
      this.node.focus();
    });
    this.field.addEventListener('input', () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => page.setFilter(this.field.value.trim()), 200);
    });
    this.field.addEventListener('keydown', (event) => this.fieldKey(event));
    this.node.addEventListener('scroll', () => this.growIfNeeded());
    this.list.onload = () => this.growIfNeeded();
  }

  /** Marks the rows at which a verification diverged. */
  showDivergences() {
    this.diverged = new Set(this.page.info.divergences?.map((divergence) => divergence.row));
    this.list.paint();
  }

  fieldKey(event) {
    if (event.key === 'Escape') {
      if (this.field.value) this.page.setFilter(this.field.value = '');
      this.node.focus();
    } else if (event.key === 'ArrowDown') {
      this.node.focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  // What the list shows

  rebuild() {
    const { page } = this;
    this.model.end?.();
    const isFiltered = page.filter !== '' || this.rootsOnly;
    this.model = isFiltered
      ? new FoundRows(page, { filter: page.filter, roots: this.rootsOnly }, (added) => this.found(added))
      : new AllRows(page);
    this.model.onerror = (error) => this.failed(error);
    this.list.reset(0, { forget: true });
    this.list.setTotal(this.model.total);
    this.showRange();
    this.showMatches();
    if (isFiltered) this.search();
    else this.list.reveal(this.model.index(page.row), { center: true });
  }

  async search() {
    const { model } = this;
    try {
      await Promise.all([model.grow(model.after), model.grow(model.before)]);
      if (model === this.model) this.list.reveal(model.index(this.page.row), { center: true });
    } catch (error) {
      this.failed(error);
    }
  }

  failed(error) {
    if (error.name === 'AbortError') return;
    fill(byId('matches'), element('span', { class: 'error', title: error.hint ?? '' }, quoted(error.message)));
  }

  found(added) {
    this.list.reset(0);
    this.list.setTotal(this.model.total);
    if (added) this.list.showFrom(this.list.first + added);
    this.showMatches();
  }

  growIfNeeded() {
    const { model, list } = this;
    if (!(model instanceof FoundRows)) return;
    if (list.first < 20) model.grow(model.before).catch((error) => this.failed(error));
    if (list.first + list.capacity > model.total - 20) model.grow(model.after).catch((error) => this.failed(error));
  }

  showMatches() {
    const { matches } = this.model;
    const field = byId('matches');
    if (!matches) {
      field.textContent = this.model instanceof FoundRows ? 'Searching' : '';
      return;
    }
    const unknown = matches.unknown ? `, ${counted(matches.unknown, 'unknown step')}` : '';
    field.textContent = `${grouped(matches.matches)}${matches.isDone ? '' : '+'}${unknown}`;
    field.title = `${counted(matches.matches, 'step')} match`;
  }

  async showRange() {
    const { range } = this.page;
    this.rangeChip.hidden = !range;
    if (!range) return;
    try {
      const { rows } = await this.page.ask('steps', { rows: [range.from, range.to] });
      const [from, to] = rows.map((row) => row.n ?? row.kind);
      fill(this.rangeChip, `${from}–${to}`, button('×', 'Show all steps', () => this.page.setRange(null)));
    } catch (error) {
      this.page.explain(error);
    }
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
    this.node.classList.toggle('empty', this.page.info.steps === 0);
    if (this.page.follows) this.list.reveal(this.model.index(this.page.row));
  }

  moved() {
    this.list.reveal(this.model.index(this.page.row));
    this.node.setAttribute('aria-activedescendant', `row-${this.page.row}`);
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

  // One row

  build() {
    const node = element('div', { onclick: (event) => this.clicked(event, node) });
    node.parts = {
      number: element('span', { class: 'number' }),
      fold: element('button', { type: 'button', class: 'fold', tabindex: '-1' }),
      type: element('bdi', { class: 'type' }),
      payload: element('bdi', { class: 'payload' }),
      stores: element('span', { class: 'stores' }),
      time: element('span', { class: 'time' }),
    };
    node.append(...Object.values(node.parts));
    return node;
  }

  draw(node, row, index) {
    const { parts } = node;
    const number = this.model.row(index);
    node.dataset.row = number;
    node.id = `row-${number}`;
    node.setAttribute('aria-selected', String(number === this.page.row));
    node.className = ['row', row ? row.kind : 'pending', row?.rejected && 'rejected', number === this.page.row && 'here',
      this.diverged?.has(number) && 'diverged'].filter(Boolean).join(' ');
    for (const part of Object.values(parts)) part.textContent = '';
    parts.fold.hidden = true;
    if (!row) return;
    if (row.kind === 'step') this.drawStep(parts, row, index);
    else this.drawOther(parts, row);
    node.setAttribute('aria-label', shown(rowLabel(row)));
  }

  drawStep(parts, row, index) {
    parts.number.textContent = row.n;
    fill(parts.type, quoted(row.type));
    parts.type.style.paddingInlineStart = `${Math.min(row.depth, 8) * 12}px`;
    if (row.rejected) parts.type.append(element('span', { class: 'sign', title: 'Rejected' }, ' ✕'));
    if (row.payload !== undefined) fill(parts.payload, quoted(row.payload));
    fill(parts.stores, row.changed.map((store) => quoted(store)), notRecordedSign(row));
    const earlier = this.list.rowAt(index - 1);
    parts.time.textContent = this.showsDelta
      ? earlier?.t === undefined ? '' : deltaText(earlier.t, row.t) : secondsText(microseconds(row.t));
    parts.time.title = `${instantText(this.page.info.created, row.t)}\n${row.t} s`;
    this.drawFold(parts.fold, row, index);
  }

  drawFold(node, row, index) {
    const next = this.list.rowAt(index + 1);
    const isFolded = this.model.isFolded?.(row.row);
    node.hidden = !(isFolded || (this.model instanceof AllRows && next?.kind === 'step' && next.causeRow === row.row));
    node.textContent = isFolded ? '▸' : '▾';
    setLabel(node, isFolded ? 'Show what it caused' : 'Hide what it caused');
  }

  drawOther(parts, row) {
    parts.number.textContent = SIGNS[row.kind] ?? '·';
    parts.type.style.paddingInlineStart = '';
    fill(parts.type, row.kind === 'start' ? 'Start' : quoted(row.text ?? row.kind));
    if (row.t !== undefined) parts.time.textContent = secondsText(microseconds(row.t));
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
    if (!(this.model instanceof AllRows)) return;
    const data = this.list.rowAt(this.model.index(row));
    if (this.model.isFolded(row)) this.model.unfold(row);
    else if (data) await this.model.fold(row, data.depth);
    this.list.reset(this.model.index(row));
    this.list.setTotal(this.model.total);
  }
}

function rowLabel(row) {
  if (row.kind === 'step') return `${row.n} ${row.type}${row.rejected ? ', rejected' : ''}`;
  return row.kind === 'start' ? 'Start' : `${row.kind}: ${row.text ?? ''}`;
}

/** The stores that an imported step may have changed too: all of them, or some after those that it changed. */
function notRecordedSign({ changed, notRecorded }) {
  if (!notRecorded) return null;
  const title = `Not recorded: ${notRecorded.join(', ')}`;
  return element('span', { class: 'soft', title: shown(title) }, changed.length ? '…' : 'not recorded');
}
