import { element, named, button, byId, fill } from './dom.js';
import { Turn, askOn } from './answers.js';
import { Charts, CHART_HEIGHT } from './charts.js';
import { drawMap, effectLanes, BAND_HEIGHT, LANE_HEIGHT, MINIMAP_HEIGHT, RULER_HEIGHT, mapColors } from './map.js';
import { Scale } from './scale.js';
import { MapGestures } from './gestures.js';
import { clipped, shown } from './text.js';

/** The whole recording at a glance: where it is busy, what went wrong, and where one is. */
export class Overview {
  constructor(page) {
    this.page = page;
    this.node = byId('overview');
    this.map = byId('map');
    this.canvases = { canvas: byId('canvas'), ruler: byId('ruler'), minimap: byId('minimap') };
    this.turn = new Turn();
    this.charts = new Charts(page, () => this.layOut());
    this.view = null;
    this.data = null;
    this.lanes = [];
    this.wholeSteps = [];
    this.isByTime = false;
    this.isFolded = innerHeight < 600 || innerWidth < 520;
    this.listen();
  }

  listen() {
    const { page, map } = this;
    for (const event of ['info', 'grown']) page.on(event, () => this.grown());
    page.on('row', () => this.moved());
    page.on('step', (step) => this.describe(step));
    page.on('range', () => this.paint());
    page.on('bands', () => this.load());
    page.on('place', () => this.zoomTo(null));
    page.on('forks', () => this.paint());
    page.on('pins', () => this.loadCharts());
    page.on('theme', () => this.paint(true));
    new ResizeObserver(() => this.resized()).observe(map);
    new MapGestures(this);
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
    this.layOut();
    this.load();
  }

  get scale() {
    return new Scale(this.data, this.shown, this.map.clientWidth, this.isByTime);
  }

  /**
   * The number of the step at a row, or of the first step of its bucket if the bucket has other rows as well; null if there
   * is none.
   */
  numberAt(row) {
    const { from, to, buckets, numbers } = this.data ?? {};
    const bucket = Math.ceil((row - from + 1) * buckets / (to - from)) - 1;
    const [number, next] = [numbers?.[bucket], numbers?.[bucket + 1]];
    if (!number || !next) return number ?? null;
    const start = (place) => from + Math.floor(place * (to - from) / buckets);
    const size = BigInt(next) - BigInt(number);
    return size === BigInt(start(bucket + 1) - start(bucket)) ? String(BigInt(number) + BigInt(row - start(bucket))) : number;
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
    const isWhole = !this.view;
    let data = null;
    await askOn(this.page, 'overview', { from, to, buckets, by: this.page.bands }, signal, (part) => {
      data = data ? joined(data, part) : part;
      this.data = { ...data, bands: data.bands.filter((band) => !band.rest || band.counts.some(Boolean)) };
      this.lanes = effectLanes(data.bars ?? []);
      if (isWhole) this.wholeSteps = data.steps;
      this.layOut();
    });
  }

  loadCharts() {
    if (this.page.info) this.charts.load(this.shown, Math.min(2000, Math.max(50, this.map.clientWidth)));
    this.layOut();
  }

  // Layout

  /** The bands that are shown: one for all steps if the overview is folded. */
  get bands() {
    if (!this.data) return [];
    return this.isFolded ? [{ name: 'all steps', counts: this.data.steps }] : this.data.bands;
  }

  get chartsTop() {
    const lanes = this.lanes.reduce((most, { lane }) => Math.max(most, lane + 1), 0);
    return this.bands.length * BAND_HEIGHT + (lanes ? Math.max(20, lanes * LANE_HEIGHT + 8) : 0);
  }

  get bodyHeight() {
    return this.chartsTop + this.page.pins.length * CHART_HEIGHT + 4;
  }

  isStore(band) {
    return this.page.bands === 'store' && !this.isFolded && !band.rest;
  }

  colorOf(band) {
    return this.isStore(band) ? this.colors[`store-${this.page.storeIndex(band.name)}`] : this.colors.accent;
  }

  fold() {
    this.isFolded = !this.isFolded;
    this.layOut();
  }

  /** Makes the canvas as tall as what it shows, with a label beside each band. */
  layOut() {
    const { bands } = this;
    const names = [...bands.map((band) => band.name), ...this.page.pins, this.page.bands, this.isFolded, this.isByTime, this.lanes.length > 0].join('\n');
    this.node.classList.toggle('folded', this.isFolded);
    this.canvases.minimap.hidden = !this.view;
    this.map.style.height = `${RULER_HEIGHT + this.bodyHeight + (this.view ? MINIMAP_HEIGHT : 0)}px`;
    if (names !== this.names) {
      this.names = names;
      this.drawLabels(bands);
    }
    this.charts.drawLabels();
    this.paint();
  }

  drawLabels(bands) {
    const label = (band) => {
      const node = element('div', { class: 'band-label', title: band.name }, this.isStore(band) ? this.page.storeDot(band.name) : null, named(clipped(band.name, 40)));
      node.style.height = node.style.lineHeight = `${BAND_HEIGHT}px`;
      return node;
    };
    const effects = this.lanes.length ? element('div', { class: 'band-label soft', title: 'Effects, from the step that started each to its result' }, 'effects') : null;
    if (effects) effects.style.height = `${this.chartsTop - bands.length * BAND_HEIGHT}px`;
    fill(byId('bands'), this.head(), bands.map(label), effects, this.charts.labels);
  }

  head() {
    const { page } = this;
    const toggle = (face, label, isOn, action) => button(face, label, action, { 'aria-pressed': String(isOn) });
    return element('div', { class: 'bands-head' },
      button(this.isFolded ? '▸' : '▾', this.isFolded ? 'Unfold the overview' : 'Fold the overview', () => this.fold(), { id: 'overview-fold' }),
      toggle('store', 'Count the steps by store', page.bands === 'store', () => page.set('bands', 'store')),
      toggle('type', 'Count the steps by type', page.bands === 'type', () => page.set('bands', 'type')),
      toggle('time', this.isByTime ? 'Place the steps by their number' : 'Place the steps by their time', this.isByTime, () => {
        this.isByTime = !this.isByTime;
        this.layOut();
      }));
  }

  paint(withColors = false) {
    if (withColors || !this.colors) this.colors = mapColors(this.map);
    if (this.isPainting) return;
    this.isPainting = true;
    requestAnimationFrame(() => {
      this.isPainting = false;
      if (this.page.info && this.map.clientWidth) drawMap(this.canvases, this);
    });
  }

  moved() {
    this.map.setAttribute('aria-valuenow', this.page.row);
    const { from, to } = this.shown;
    const { row } = this.page;
    if (this.view && !this.gesture && (row < from || row >= to)) this.center(row);
    this.paint();
  }

  /** Shows a row in the middle, without zooming. */
  center(row) {
    const { from, to } = this.shown;
    const span = to - from;
    this.showFrom(row - Math.floor(span / 2), span);
  }

  /** Shows `span` rows that begin at a row, or as near to it as there are enough rows. */
  showFrom(row, span) {
    const from = Math.max(this.whole.from, Math.min(row, this.whole.to - span));
    this.zoomTo({ from, to: from + span });
  }

  describe(step) {
    const text = step.kind === 'step' ? `step ${step.n}, ${step.type}` : step.text ?? step.kind;
    this.map.setAttribute('aria-valuetext', shown(text));
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
    times: [...data.times, ...part.times], numbers: [...data.numbers, ...part.numbers], extras: [...data.extras, ...part.extras], bars: [...data.bars ?? [], ...part.bars ?? []],
  };
}
