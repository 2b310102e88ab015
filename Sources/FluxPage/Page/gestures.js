import { element, named, byId, fill } from './dom.js';
import { Turn, isAbandoned } from './answers.js';
import { RULER_HEIGHT } from './map.js';
import { secondsText, microseconds, startName } from './text.js';

const SMALLEST_SPAN = 12;

/** What the pointer, the wheel and the keys do in the overview: move, choose a range, zoom, and tell what is there. */
export class MapGestures {
  constructor(overview) {
    this.overview = overview;
    this.page = overview.page;
    this.map = overview.map;
    this.hover = byId('hover');
    this.hoverTurn = new Turn();
    const { map } = this;
    map.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    map.addEventListener('pointerdown', (event) => this.press(event));
    map.addEventListener('pointermove', (event) => this.drag(event));
    map.addEventListener('pointerup', (event) => this.release(event));
    map.addEventListener('pointercancel', () => { overview.gesture = null; });
    map.addEventListener('pointerleave', () => { this.hover.hidden = true; });
    map.addEventListener('dblclick', () => overview.zoomTo(null));
    map.addEventListener('keydown', (event) => this.key(event));
  }

  placeOf(event) {
    const box = this.map.getBoundingClientRect();
    // The ruler stays at the top of the window of the overview.
    const ruler = this.overview.canvases.ruler.getBoundingClientRect();
    return { x: Math.max(0, Math.min(event.clientX - box.left, box.width)), y: event.clientY - ruler.top };
  }

  press(event) {
    if (event.button !== 0) return;
    const { x, y } = this.placeOf(event);
    const { row } = this.page;
    if (event.target === this.overview.canvases.minimap) {
      this.overview.center(this.overview.whole.from + Math.floor(x / this.map.clientWidth * (this.overview.whole.to - this.overview.whole.from)));
      return;
    }
    const isArrow = y < RULER_HEIGHT && ((x < 16 && row < this.overview.shown.from) || (x > this.map.clientWidth - 16 && row >= this.overview.shown.to));
    if (isArrow) {
      this.overview.center(row);
      return;
    }
    this.map.setPointerCapture(event.pointerId);
    const isRange = event.shiftKey || y < RULER_HEIGHT;
    this.overview.gesture = { isRange, start: x, end: x };
    if (!isRange) this.page.go(this.overview.scale.row(x), { jump: true });
  }

  drag(event) {
    const { x } = this.placeOf(event);
    if (this.overview.gesture) {
      this.overview.gesture.end = x;
      if (!this.overview.gesture.isRange) this.page.go(this.overview.scale.row(x));
      this.overview.paint();
    }
    this.showHover(x);
  }

  release() {
    const { gesture } = this.overview;
    this.overview.gesture = null;
    if (!gesture?.isRange) return;
    const [from, to] = [gesture.start, gesture.end].sort((a, b) => a - b).map((x) => this.overview.scale.row(x));
    if (Math.abs(gesture.end - gesture.start) > 3) this.page.set('range', { from, to });
    else this.page.go(this.overview.scale.row(gesture.start), { jump: true });
    this.overview.paint();
  }

  async showHover(x) {
    const row = this.overview.scale.row(x);
    this.hover.style.left = `${Math.min(x, this.map.clientWidth - 8)}px`;
    this.hover.classList.toggle('left', x > this.map.clientWidth / 2);
    if (row === this.hoverRow && !this.hover.hidden) return;
    this.hoverRow = row;
    const signal = this.hoverTurn.begin();
    try {
      const { rows: [found] } = await this.page.ask('steps', { from: row, count: 1 }, signal);
      if (!found || signal.aborted) return;
      const time = found.t === undefined ? '' : ` ${secondsText(microseconds(found.t))}`;
      fill(this.hover, found.kind === 'step' ? [element('b', { text: found.n }), ' ', named(found.type), time]
        : found.kind === 'start' ? startName(found) : named(found.text ?? found.kind));
      this.hover.hidden = false;
    } catch (error) {
      if (!isAbandoned(error)) this.hover.hidden = true;
    }
  }

  wheel(event) {
    // The bands scroll; with Ctrl, or where nothing scrolls, the wheel zooms.
    const scrolls = this.overview.node.scrollHeight > this.overview.node.clientHeight + 1;
    if (scrolls && !event.ctrlKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return undefined;
    event.preventDefault();
    const { from, to } = this.overview.shown;
    const span = to - from;
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return this.pan(Math.round(event.deltaX / this.map.clientWidth * span));
    const share = this.placeOf(event).x / Math.max(1, this.map.clientWidth);
    return this.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.004))), share);
  }

  zoom(factor, share) {
    const { from, to } = this.overview.shown;
    const most = this.overview.whole.to - this.overview.whole.from;
    const span = Math.max(Math.min(SMALLEST_SPAN, most), Math.min(most, Math.round((to - from) * factor)));
    this.overview.showFrom(Math.round(from + share * (to - from) - share * span), span);
  }

  pan(rows) {
    const { from, to } = this.overview.shown;
    this.overview.showFrom(from + rows, to - from);
  }

  key(event) {
    const { page } = this;
    const tenth = Math.max(1, Math.round((this.overview.shown.to - this.overview.shown.from) / 10));
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
    const { from, to } = this.overview.shown;
    return Math.max(0, Math.min(1, (this.page.row - from) / (to - from)));
  }
}
