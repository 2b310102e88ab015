import { element } from './dom.js';
import { isAbandoned } from './answers.js';

/** Browsers forget heights beyond some tens of millions of pixels. */
const TALLEST = 8_000_000;
export const PAGE_SIZE = 100;
const KEPT_PAGES = 60;

/**
 * A list of any number of rows of one height, which `rowHeight` returns. Only visible rows exist.
 *
 * A long list maps its scrollbar to rows and is moved by the wheel row by row; a short one scrolls as
 * the browser does. `load(from, count, signal, some)` brings rows in pages, and may call `some` with the first of them;
 * `draw(node, row, index)` fills a node, with `undefined` for a row that is still on its way.
 */
export class VirtualList {
  constructor(viewport, { rowHeight, load, build, draw, role = 'option' }) {
    Object.assign(this, { viewport, measure: rowHeight, load, build, draw, role });
    this.measureRows();
    this.total = 0;
    this.ownScroll = 0;
    this.first = 0;
    this.pages = new Map();
    this.stale = new Map();
    this.pool = [];
    this.layer = element('div', { class: 'layer', role: 'presentation' });
    this.spacer = element('div', { class: 'spacer', role: 'presentation' }, this.layer);
    viewport.classList.add('virtual');
    viewport.replaceChildren(this.spacer);
    viewport.addEventListener('scroll', () => this.scrolled());
    viewport.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    viewport.addEventListener('touchstart', (event) => { this.touched = event.touches[0].clientY; }, { passive: true });
    viewport.addEventListener('touchmove', (event) => this.touchMove(event), { passive: false });
    new ResizeObserver(() => this.resized()).observe(viewport);
  }

  /** Takes over the height of the rows, which depends on the window; returns true if it is another one. */
  measureRows() {
    const height = this.measure();
    if (height === this.rowHeight) return false;
    this.rowHeight = height;
    this.viewport.style.setProperty('--row', `${height}px`);
    return true;
  }

  get isLong() {
    return this.total * this.rowHeight > TALLEST;
  }

  /** The number of rows that fit, with fractions. */
  get capacity() {
    return this.viewport.clientHeight / this.rowHeight;
  }

  get lastFirst() {
    return Math.max(0, this.total - this.capacity);
  }

  setTotal(total) {
    this.total = total;
    this.spacer.style.height = `${Math.min(total * this.rowHeight, TALLEST)}px`;
    this.first = Math.min(this.first, this.lastFirst);
    this.paint();
  }

  /**
   * Asks again for the visible rows, all or from one on. The old ones stay until the new ones come, so
   * nothing flashes; `forget` drops them at once.
   */
  reset(from = 0, { forget = false } = {}) {
    if (forget) this.stale.clear();
    for (const [page, entry] of this.pages) {
      if ((page + 1) * PAGE_SIZE <= from) continue;
      entry.controller?.abort();
      if (entry.rows && !forget) this.stale.set(page, entry);
      this.pages.delete(page);
    }
    this.paint();
  }

  // Scrolling

  /** Keeps the row that was shown last in sight, unless the person scrolled away from it. */
  resized() {
    if (this.measureRows()) this.setTotal(this.total);
    if (this.isAnchored) this.reveal(this.anchor);
    else this.paint();
  }

  scrolled() {
    const { viewport } = this;
    if (Math.abs(viewport.scrollTop - this.ownScroll) >= 1.5) this.isAnchored = false;
    if (this.isLong) {
      if (Math.abs(viewport.scrollTop - this.ownScroll) < 1.5) return;
      const range = viewport.scrollHeight - viewport.clientHeight;
      this.first = range > 0 ? viewport.scrollTop / range * this.lastFirst : 0;
    } else {
      this.first = viewport.scrollTop / this.rowHeight;
    }
    this.paint();
  }

  showFrom(first) {
    this.first = Math.max(0, Math.min(first, this.lastFirst));
    const range = this.viewport.scrollHeight - this.viewport.clientHeight;
    const top = this.isLong ? this.first / (this.lastFirst || 1) * range : this.first * this.rowHeight;
    this.viewport.scrollTop = top;
    this.ownScroll = this.viewport.scrollTop;
    this.paint();
  }

  wheel(event) {
    if (!this.isLong || event.ctrlKey) return;
    this.isAnchored = false;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 1 : event.deltaMode === 2 ? this.capacity : 1 / this.rowHeight;
    this.showFrom(this.first + event.deltaY * unit);
  }

  touchMove(event) {
    if (!this.isLong) return;
    event.preventDefault();
    const now = event.touches[0].clientY;
    this.showFrom(this.first + (this.touched - now) / this.rowHeight);
    this.touched = now;
  }

  /** Moves as little as possible so that a row is visible with a row around it. */
  reveal(index, { center = false } = {}) {
    const { capacity, first } = this;
    [this.anchor, this.isAnchored] = [index, true];
    if (center && (index < first || index > first + capacity - 1)) return this.showFrom(index - (capacity - 1) / 2);
    if (index < first + 1) return this.showFrom(index - 1);
    if (index > first + capacity - 2) return this.showFrom(index - capacity + 2);
    return this.paint();
  }

  // Rows

  rowAt(index) {
    const page = Math.floor(index / PAGE_SIZE);
    const entry = this.pages.get(page);
    const rows = entry?.rows ?? this.stale.get(page)?.rows ?? entry?.some;
    return rows?.[index % PAGE_SIZE];
  }

  paint() {
    if (this.isPainting) return;
    this.isPainting = true;
    queueMicrotask(() => {
      this.isPainting = false;
      this.paintNow();
    });
  }

  paintNow() {
    // A list that is not shown asks for nothing.
    if (!this.viewport.clientHeight) return;
    const start = Math.floor(this.first);
    const count = Math.min(Math.ceil(this.capacity) + 1, this.total - start);
    while (this.pool.length < count) {
      const node = this.build();
      node.classList.add('row');
      node.setAttribute('role', this.role);
      this.pool.push(node);
      this.layer.append(node);
    }
    const size = this.pool.length;
    for (let slot = 0; slot < size; slot++) {
      // A row keeps its node while it is visible, so the focus and a selection survive scrolling.
      const index = start + ((slot - start) % size + size) % size;
      const node = this.pool[slot];
      node.hidden = index >= start + count;
      if (node.hidden) continue;
      node.style.transform = `translateY(${(index - this.first) * this.rowHeight}px)`;
      node.setAttribute('aria-posinset', index + 1);
      node.setAttribute('aria-setsize', this.total);
      this.draw(node, this.rowAt(index), index);
    }
    this.onpaint?.();
    this.request(start, start + count);
  }

  request(start, end) {
    const needed = new Set();
    for (let index = start; index < end; index += PAGE_SIZE) needed.add(Math.floor(index / PAGE_SIZE));
    if (end > start) needed.add(Math.floor((end - 1) / PAGE_SIZE));
    for (const [page, entry] of this.pages) {
      if (entry.rows || needed.has(page)) continue;
      entry.controller.abort();
      this.pages.delete(page);
    }
    for (const page of needed) if (!this.pages.has(page)) this.loadPage(page);
  }

  async loadPage(page) {
    const entry = { controller: new AbortController(), rows: null };
    this.pages.set(page, entry);
    try {
      const from = page * PAGE_SIZE;
      const some = (rows) => {
        entry.some = rows;
        this.paint();
      };
      const rows = await this.load(from, Math.min(PAGE_SIZE, this.total - from), entry.controller.signal, some);
      if (this.pages.get(page) !== entry) return;
      entry.rows = rows;
      this.stale.delete(page);
      if (this.pages.size > KEPT_PAGES) this.forgetFarPages(page);
      this.paint();
      this.onload?.();
    } catch (error) {
      if (this.pages.get(page) === entry) entry.rows = [];
      if (!isAbandoned(error)) this.onerror?.(error);
    }
  }

  forgetFarPages(page) {
    for (const [other, entry] of this.pages) {
      if (Math.abs(other - page) > KEPT_PAGES / 3 && entry.rows) this.pages.delete(other);
    }
  }
}
