import { element, quoted, button, fill } from './dom.js';
import { Turn, askOn, isAbandoned } from './answers.js';
import { pointerTokens, queryText } from './paths.js';

export const CHART_HEIGHT = 72;

/** The pinned numbers of the state, each as a line over the recording. */
export class Charts {
  constructor(page, changed) {
    Object.assign(this, { page, changed });
    this.series = new Map();
    this.turn = new Turn();
    this.nodes = new Map();
  }

  /** Loads the points of every pinned path in a range of rows. */
  async load({ from, to }, points) {
    const signal = this.turn.begin();
    for (const path of this.page.pins) {
      const series = { points: [], low: Infinity, high: -Infinity };
      try {
        await askOn(this.page, 'series', { path, from, to, points }, signal, (part) => this.take(path, series, part));
      } catch (error) {
        if (isAbandoned(error)) return;
        this.page.explain(error);
      }
    }
  }

  take(path, series, part) {
    for (const { row, n, value } of part.points) {
      // 1e400 has no place among numbers of this language, and would flatten the line of all others.
      const number = Number.isFinite(Number(value?.text)) ? Number(value.text) : undefined;
      series.points.push({ row, n, value: number, text: value?.text });
      if (number === undefined) continue;
      series.low = Math.min(series.low, number);
      series.high = Math.max(series.high, number);
    }
    this.series.set(path, series);
    this.changed();
  }

  get labels() {
    this.nodes.clear();
    return this.page.pins.map((path) => {
      const value = element('span', { class: 'chart-value' });
      const query = queryText(pointerTokens(path) ?? []);
      const node = element('div', { class: 'chart-label' }, quoted(query), value, element('span', { class: 'chart-tools' },
        button('‹', `Previous change of ${query}`, () => this.page.emit('change', { path, direction: 'backwards' })),
        button('›', `Next change of ${query}`, () => this.page.emit('change', { path, direction: 'forwards' })),
        button('×', `Unpin ${query}`, () => this.page.togglePin(path))));
      node.style.height = `${CHART_HEIGHT}px`;
      this.nodes.set(path, value);
      return node;
    });
  }

  /** Writes the range of each chart, and its value at the position. */
  drawLabels() {
    for (const [path, node] of this.nodes) {
      const series = this.series.get(path);
      const here = series?.points.findLast((point) => point.row <= this.page.row);
      if (!series) continue;
      if (series.low > series.high) node.textContent = 'no number here';
      else fill(node, element('b', { text: here?.text ?? '–' }), ` of ${short(series.low)} to ${short(series.high)}`);
    }
  }
}

function short(number) {
  return String(Number(number.toPrecision(6)));
}
