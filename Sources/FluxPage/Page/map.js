import { CHART_HEIGHT } from './charts.js';

export const RULER_HEIGHT = 20;

/** Returns the colours of the theme, as a canvas wants them. */
export function mapColors(node) {
  const probe = document.createElement('i');
  probe.hidden = true;
  node.append(probe);
  const colors = {};
  for (const name of ['accent', 'ink', 'soft', 'line', 'removed', 'divergent', 'changed', 'wash']) {
    probe.style.color = `var(--${name})`;
    colors[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colors;
}

/** Draws the overview: bands, then charts, and over them the marks, the range and the position. */
export function drawMap(canvas, overview) {
  const width = canvas.parentElement.clientWidth;
  const height = canvas.parentElement.clientHeight;
  const scale = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const { from, to } = overview.shown;
  const map = { context, width, height, overview, colors: overview.colors, x: (row) => (row - from) / (to - from) * width,
    cell: width / (to - from) };
  drawBands(map);
  drawCharts(map);
  drawExtras(map);
  drawSigns(map);
  drawPosition(map);
}

function drawBands({ context, width, overview, colors, x }) {
  const { data, bandHeight } = overview;
  if (!data) return;
  const size = (data.to - data.from) / data.buckets;
  const most = Math.max(1, ...data.bands.map((band) => band.counts.reduce((max, count) => Math.max(max, count), 0)));
  data.bands.forEach((band, place) => {
    const y = RULER_HEIGHT + place * bandHeight;
    context.fillStyle = colors.line;
    context.globalAlpha = 0.45;
    context.fillRect(0, y + bandHeight - 1, width, 1);
    context.fillStyle = colors.accent;
    band.counts.forEach((count, bucket) => {
      if (!count) return;
      const start = x(data.from + Math.floor(bucket * size));
      const end = x(data.from + Math.floor((bucket + 1) * size));
      if (end < 0 || start > width) return;
      const gap = end - start > 4 ? 1 : 0;
      context.globalAlpha = 0.3 + 0.6 * Math.sqrt(count / most);
      context.fillRect(start, y + 2, Math.max(1, end - start - gap), bandHeight - 4);
    });
  });
  context.globalAlpha = 1;
}

function drawCharts({ context, width, overview, colors, x, cell }) {
  const top = RULER_HEIGHT + (overview.data?.bands.length ?? 0) * overview.bandHeight;
  overview.page.pins.forEach((path, place) => {
    const y = top + place * CHART_HEIGHT;
    context.fillStyle = colors.line;
    context.globalAlpha = 0.45;
    context.fillRect(0, y + CHART_HEIGHT - 1, width, 1);
    context.globalAlpha = 1;
    const series = overview.charts.series.get(path);
    if (!series?.points.length) return;
    const { low, high } = series;
    const level = (value) => y + CHART_HEIGHT - 7 - (high > low ? (value - low) / (high - low) : 0.5) * (CHART_HEIGHT - 14);
    context.strokeStyle = colors.accent;
    context.lineWidth = 1.5;
    context.lineJoin = 'round';
    context.beginPath();
    let isDrawing = false;
    for (const point of series.points) {
      if (point.value === undefined) {
        isDrawing = false;
        continue;
      }
      const left = x(point.row);
      if (isDrawing) context.lineTo(left, level(point.value));
      else context.moveTo(left, level(point.value));
      context.lineTo(left + cell, level(point.value));
      isDrawing = true;
    }
    context.stroke();
  });
}

/** Hatches gaps and damage, and raises a flag for each mark. */
function drawExtras({ context, height, overview, colors, x, cell }) {
  for (const { row, kind } of overview.data?.extras ?? []) {
    const left = x(row);
    if (kind === 'mark') {
      context.fillStyle = colors.ink;
      context.fillRect(left, 4, 1.5, 14);
      context.beginPath();
      context.moveTo(left + 1, 4);
      context.lineTo(left + 9, 7.5);
      context.lineTo(left + 1, 11);
      context.fill();
      continue;
    }
    const width = Math.max(4, cell);
    context.save();
    context.beginPath();
    context.rect(left, RULER_HEIGHT - 6, width, height);
    context.clip();
    context.strokeStyle = kind === 'damage' ? colors.removed : colors.soft;
    context.lineWidth = 1;
    context.beginPath();
    for (let at = left - height; at < left + width; at += 5) {
      context.moveTo(at, height);
      context.lineTo(at + height, 0);
    }
    context.stroke();
    context.restore();
  }
}

/** Draws a cross for rejections and a diamond for each divergence, on the ruler. */
function drawSigns({ context, overview, colors, x, cell }) {
  const { data, page } = overview;
  if (data) {
    const size = (data.to - data.from) / data.buckets;
    context.strokeStyle = colors.removed;
    context.lineWidth = 1.75;
    let last = -Infinity;
    data.rejected.forEach((count, bucket) => {
      const center = x(data.from + (bucket + 0.5) * size);
      if (!count || center - last < 3) return;
      last = center;
      context.beginPath();
      context.moveTo(center - 3, 9);
      context.lineTo(center + 3, 15);
      context.moveTo(center + 3, 9);
      context.lineTo(center - 3, 15);
      context.stroke();
    });
  }
  context.fillStyle = colors.divergent;
  for (const { row } of page.info?.divergences ?? []) {
    const center = x(row) + cell / 2;
    context.beginPath();
    context.moveTo(center, 4);
    context.lineTo(center + 6, 11);
    context.lineTo(center, 18);
    context.lineTo(center - 6, 11);
    context.fill();
  }
}

function drawPosition({ context, width, height, overview, colors, x, cell }) {
  const { page, gesture } = overview;
  const shade = (left, right) => {
    context.fillStyle = colors.accent;
    context.globalAlpha = 0.14;
    context.fillRect(left, 0, Math.max(1, right - left), height);
    context.globalAlpha = 1;
  };
  if (page.range) shade(x(page.range.from), x(page.range.to + 1));
  if (gesture?.isRange) shade(Math.min(gesture.start, gesture.end), Math.max(gesture.start, gesture.end));
  if (!page.info) return;
  const left = x(page.row);
  if (left < -cell || left > width) return;
  const center = left + Math.min(cell, width) / 2;
  if (cell > 4) shade(left, left + cell);
  context.fillStyle = colors.ink;
  context.fillRect(Math.round(center) - 0.75, 2, 1.5, height);
  context.beginPath();
  context.moveTo(center - 5, 0);
  context.lineTo(center + 5, 0);
  context.lineTo(center, 6);
  context.fill();
}
