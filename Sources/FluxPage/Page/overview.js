import { element, quoted, button, byId, fill } from './dom.js';
import { Turn, askOn, isAbandoned } from './answers.js';
import { Charts, CHART_HEIGHT } from './charts.js';
import { drawMap, RULER_HEIGHT, mapColors } from './map.js';
import { secondsText, microseconds, clipped, shown } from './text.js';

const SMALLEST_SPAN = 12;

/** The whole recording at a glance: where it is busy, what went wrong, and where one is. */
export class Overview {
  constructor(page) {
    this.page = page;
    this.map = byId('map');
    this.canvas = byId('canvas');
    this.hover = byId('hover');
    this.turn = new Turn();
    this.hoverTurn = new Turn();
    this.charts = new Charts(page, () => this.layOut());
    this.view = null;
    this.data = null;
    this.listen();
  }

  listen() {
    const { page, map } = this;
    page.on('info', () => this.grown());
    page.on('row', () => this.moved());
    page.on('step', (step) => this.describe(step));
    page.on('range', () => this.paint());
    page.on('bands', () => this.load());
    page.on('pins', () => this.loadCharts());
    page.on('theme', () => this.paint(true));
    new ResizeObserver(() => this.resized()).observe(map);
    map.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    map.addEventListener('pointerdown', (event) => this.press(event));
    map.addEventListener('pointermove', (event) => this.drag(event));
    map.addEventListener('pointerup', (event) => this.release(event));
    map.addEventListener('pointercancel', () => { this.gesture = null; });
    map.addEventListener('pointerleave', () => { this.hover.hidden = true; });
    map.addEventListener('dblclick', () => this.zoomTo(null));
    map.addEventListener('keydown', (event) => this.key(event));
  }

  /** Counts again in buckets of another width; its own height is no reason to. */
  resized() {
    if (this.width !== this.map.clientWidth) this.load();
    else this.paint();
  }

  // The visible rows

  get whole() {
    return { from: this.page.firstRow, to: Math.max(this.page.firstRow + 1, this.page.endRow) };
  }

  get shown() {
    return this.view ?? this.whole;
  }

  zoomTo(view) {
    this.view = view && view.to - view.from < this.whole.to - this.whole.from ? view : null;
    this.paint();
    this.load();
  }

  rowAt(x) {
    const { from, to } = this.shown;
    const share = x / Math.max(1, this.map.clientWidth);
    return Math.max(from, Math.min(to - 1, from + Math.floor(share * (to - from))));
  }

  // Data

  grown() {
    this.map.setAttribute('aria-valuemin', this.page.firstRow);
    this.map.setAttribute('aria-valuemax', this.page.endRow - 1);
    if (this.growing) return;
    // A log that is still being read grows all the time.
    const pause = !this.data ? 0 : this.page.info.complete === false ? 2000 : 250;
    this.growing = setTimeout(() => {
      this.growing = null;
      this.load();
    }, pause);
  }

  async load() {
    const width = this.map.clientWidth;
    if (!this.page.info || !width) return;
    this.width = width;
    this.loadCharts();
    const signal = this.turn.begin();
    const { from, to } = this.shown;
    const buckets = Math.max(1, Math.min(2000, Math.floor(width / 2)));
    let data = null;
    try {
      await askOn(this.page.source, 'overview', { from, to, buckets, by: this.page.bands }, signal, (part) => {
        data = data ? joined(data, part) : part;
        this.data = { ...data, bands: data.bands.filter((band) => !band.rest || band.counts.some(Boolean)) };
        this.layOut();
      });
    } catch (error) {
      if (!isAbandoned(error)) this.page.explain(error);
    }
  }

  loadCharts() {
    if (this.page.info) this.charts.load(this.shown, Math.min(2000, Math.max(50, this.map.clientWidth)));
    this.layOut();
  }

  // Layout

  get bandHeight() {
    const count = this.data?.bands.length ?? 0;
    return count > 12 ? 8 : count > 6 ? 12 : 16;
  }

  /** Makes the canvas as tall as what it shows, with a label beside each band. */
  layOut() {
    const bands = this.data?.bands ?? [];
    const names = bands.map((band) => band.name).join('\n') + this.page.pins.join('\n') + this.page.bands + this.bandHeight;
    const height = RULER_HEIGHT + bands.length * this.bandHeight + this.page.pins.length * CHART_HEIGHT + 4;
    this.map.style.height = `${height}px`;
    if (names !== this.names) {
      this.names = names;
      this.drawLabels(bands);
    }
    this.charts.drawLabels();
    this.paint();
  }

  drawLabels(bands) {
    const by = this.page.bands;
    const label = (band) => {
      const node = element('div', { class: 'band-label', title: shown(band.name) }, quoted(clipped(band.name, 40)));
      node.style.height = node.style.lineHeight = `${this.bandHeight}px`;
      return node;
    };
    const head = element('div', { class: 'bands-head' },
      ['store', 'type'].map((name) => element('button', { type: 'button', 'aria-pressed': String(name === by),
        title: `Count the steps by ${name}`, onclick: () => this.page.setBands(name) }, name)));
    head.style.height = `${RULER_HEIGHT}px`;
    fill(byId('bands'), head, bands.map(label), this.charts.labels);
  }

  paint(withColors = false) {
    if (withColors || !this.colors) this.colors = mapColors(this.map);
    if (this.isPainting) return;
    this.isPainting = true;
    requestAnimationFrame(() => {
      this.isPainting = false;
      drawMap(this.canvas, this);
    });
  }

  moved() {
    this.map.setAttribute('aria-valuenow', this.page.row);
    const { from, to } = this.shown;
    const { row } = this.page;
    if (this.view && !this.gesture && (row < from || row >= to)) {
      const span = to - from;
      const start = Math.max(this.whole.from, Math.min(row - Math.floor(span / 2), this.whole.to - span));
      this.zoomTo({ from: start, to: start + span });
    }
    this.paint();
  }

  describe(step) {
    const text = step.kind === 'step' ? `step ${step.n}, ${step.type}` : step.text ?? step.kind;
    this.map.setAttribute('aria-valuetext', shown(text));
  }

  // Pointer, wheel and keys

  placeOf(event) {
    const box = this.map.getBoundingClientRect();
    return { x: Math.max(0, Math.min(event.clientX - box.left, box.width)), y: event.clientY - box.top };
  }

  press(event) {
    if (event.button !== 0) return;
    const { x, y } = this.placeOf(event);
    this.map.setPointerCapture(event.pointerId);
    const isRange = event.shiftKey || y < RULER_HEIGHT;
    this.gesture = { isRange, start: x, end: x };
    if (!isRange) this.page.go(this.rowAt(x), { jump: true });
  }

  drag(event) {
    const { x } = this.placeOf(event);
    if (this.gesture) {
      this.gesture.end = x;
      if (!this.gesture.isRange) this.page.go(this.rowAt(x));
      this.paint();
    }
    this.showHover(x);
  }

  release() {
    const { gesture } = this;
    this.gesture = null;
    if (!gesture?.isRange) return;
    const [from, to] = [gesture.start, gesture.end].sort((a, b) => a - b).map((x) => this.rowAt(x));
    if (Math.abs(gesture.end - gesture.start) > 3) this.page.setRange({ from, to });
    else this.page.go(this.rowAt(gesture.start), { jump: true });
    this.paint();
  }

  async showHover(x) {
    const row = this.rowAt(x);
    this.hover.style.left = `${Math.min(x, this.map.clientWidth - 8)}px`;
    this.hover.classList.toggle('left', x > this.map.clientWidth / 2);
    if (row === this.hoverRow && !this.hover.hidden) return;
    this.hoverRow = row;
    const signal = this.hoverTurn.begin();
    try {
      const { rows: [found] } = await this.page.ask('steps', { from: row, count: 1 }, signal);
      if (!found || signal.aborted) return;
      const time = found.t === undefined ? '' : ` ${secondsText(microseconds(found.t))}`;
      fill(this.hover, found.kind === 'step' ? [element('b', { text: found.n }), ' ', quoted(found.type), time]
        : found.kind === 'start' ? 'Start' : quoted(found.text ?? found.kind));
      this.hover.hidden = false;
    } catch (error) {
      if (!isAbandoned(error)) this.hover.hidden = true;
    }
  }

  wheel(event) {
    event.preventDefault();
    const { from, to } = this.shown;
    const span = to - from;
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return this.pan(Math.round(event.deltaX / this.map.clientWidth * span));
    const share = this.placeOf(event).x / Math.max(1, this.map.clientWidth);
    return this.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.004))), share);
  }

  zoom(factor, share) {
    const { from, to } = this.shown;
    const most = this.whole.to - this.whole.from;
    const span = Math.max(Math.min(SMALLEST_SPAN, most), Math.min(most, Math.round((to - from) * factor)));
    const start = Math.round(from + share * (to - from) - share * span);
    const low = Math.max(this.whole.from, Math.min(start, this.whole.to - span));
    this.zoomTo({ from: low, to: low + span });
  }

  pan(rows) {
    const { from, to } = this.shown;
    const low = Math.max(this.whole.from, Math.min(from + rows, this.whole.to - (to - from)));
    this.zoomTo({ from: low, to: low + to - from });
  }

  key(event) {
    const { page } = this;
    const tenth = Math.max(1, Math.round((this.shown.to - this.shown.from) / 10));
    const moves = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: tenth, PageDown: -tenth };
    if (event.key in moves) page.go(page.row + moves[event.key]);
    else if (event.key === 'Home') page.go(page.firstRow);
    else if (event.key === 'End') page.go(page.endRow - 1);
    else if (event.key === '+' || event.key === '-') this.zoom(event.key === '+' ? 0.5 : 2, this.shareOfRow());
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  shareOfRow() {
    const { from, to } = this.shown;
    return Math.max(0, Math.min(1, (this.page.row - from) / (to - from)));
  }
}

/** Appends a later part of an overview to an earlier one. */
function joined(data, part) {
  const counts = new Map(data.bands.map((band) => [band.name, band]));
  for (const band of part.bands) {
    const known = counts.get(band.name) ?? { ...band, counts: new Array(data.steps.length).fill(0) };
    known.counts = [...known.counts, ...band.counts];
    counts.set(band.name, known);
  }
  const length = data.steps.length + part.steps.length;
  for (const band of counts.values()) while (band.counts.length < length) band.counts.push(0);
  return {
    ...data, bands: [...counts.values()], steps: [...data.steps, ...part.steps], rejected: [...data.rejected, ...part.rejected],
    times: [...data.times, ...part.times], extras: [...data.extras, ...part.extras],
  };
}
