import { CHART_HEIGHT } from './charts.js';
import { secondsText } from './text.js';

export const RULER_HEIGHT = 28;
export const MINIMAP_HEIGHT = 12;
export const BAND_HEIGHT = 18;
export const LANE_HEIGHT = 6;
const LARGEST_LANES = 4;
const FONT = '11px system-ui, sans-serif';

/** Returns the colours of the theme, as a canvas wants them. */
export function mapColors(node) {
  const probe = document.createElement('i');
  probe.hidden = true;
  node.append(probe);
  const colors = {};
  const stores = Array.from({ length: 8 }, (_, place) => `store-${place}`);
  for (const name of ['accent', 'ink', 'soft', 'line', 'sheet', 'removed', 'divergent', 'changed', 'wash', ...stores]) {
    probe.style.color = `var(--${name})`;
    colors[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colors;
}

/** Returns a canvas's context in pixels of the page, empty. */
function cleared(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** Draws the overview: the ruler with signs, the bands, the effects and the charts, and over them the range and the position. */
export function drawMap({ canvas, ruler, minimap }, overview) {
  const { scale, colors, bodyHeight: height } = overview;
  const { width } = scale;
  const map = { context: cleared(canvas, width, height), width, height, overview, colors, scale };
  drawBands(map);
  drawBars(map);
  drawCharts(map);
  drawExtras(map);
  drawPosition(map);
  const top = { ...map, context: cleared(ruler, width, RULER_HEIGHT), height: RULER_HEIGHT };
  drawTicks(top);
  drawIdle(top);
  drawFlags(top);
  drawSigns(top);
  drawPosition(top);
  drawHandle(top);
  if (overview.view) drawMinimap({ ...map, context: cleared(minimap, width, MINIMAP_HEIGHT) });
}

function drawTicks({ context, overview, colors, scale }) {
  context.font = FONT;
  context.textBaseline = 'middle';
  for (const { x, text } of scale.ticks((row) => overview.numberAt(row))) {
    context.fillStyle = colors.line;
    context.fillRect(x, 20, 1, 8);
    context.fillStyle = colors.soft;
    context.fillText(text, x + 3, 21);
  }
}

/** Writes the lengths of idle pauses, as far as there is room. */
function drawIdle(map) {
  const { context, colors, scale, overview: { data, page } } = map;
  if (scale.isByTime) return;
  const pauses = scale.idle().map(({ row, pause }) => {
    const text = `idle ${secondsText(pause)}`;
    return { x: scale.x(row), pause, text, width: context.measureText(text).width };
  });
  const flags = (data?.extras ?? []).filter(({ kind }) => kind === 'mark').map(({ row }) => [scale.x(row), scale.x(row) + 9]);
  const signs = [...crosses(map), ...page.divergentRows.map((row) => scale.x(row) + scale.cell / 2)];
  const taken = [...flags, ...signs.map((center) => [center - 6, center + 6])];
  context.fillStyle = colors.changed;
  for (const { text, x } of idleLabels(pauses, taken, scale.width)) context.fillText(text, x, 8);
}

/**
 * Places the texts of pauses right of their lines, where they overlap neither each other nor what is taken.
 *
 * Longer pauses come first; those without room have no text.
 */
export function idleLabels(pauses, taken, end) {
  const used = [...taken];
  const labels = [];
  for (const { x, text, width } of [...pauses].sort((left, right) => right.pause - left.pause)) {
    const place = x + 3;
    const isFree = place + width <= end && used.every(([start, stop]) => place + width < start || stop < place);
    if (!isFree) continue;
    used.push([place - 4, place + width + 4]);
    labels.push({ text, x: place });
  }
  return labels;
}

function drawBands({ context, width, overview, colors, scale }) {
  const { bands, data } = overview;
  if (!data) return;
  const size = (data.to - data.from) / data.buckets;
  const most = Math.max(1, ...bands.map((band) => band.counts.reduce((max, count) => Math.max(max, count), 0)));
  bands.forEach((band, place) => {
    const y = place * BAND_HEIGHT;
    context.fillStyle = colors.line;
    context.globalAlpha = 0.45;
    context.fillRect(0, y + BAND_HEIGHT - 1, width, 1);
    context.fillStyle = overview.colorOf(band);
    band.counts.forEach((count, bucket) => {
      if (!count) return;
      const start = scale.x(data.from + Math.floor(bucket * size));
      const end = scale.isByTime ? start + 3 : scale.x(data.from + Math.floor((bucket + 1) * size));
      if (end < 0 || start > width) return;
      const gap = end - start > 4 && !scale.isByTime ? 1 : 0;
      context.globalAlpha = 0.35 + 0.65 * Math.sqrt(count / most);
      context.fillRect(start, y + 3, Math.max(1.5, end - start - gap), BAND_HEIGHT - 6);
    });
  });
  context.globalAlpha = 1;
  if (scale.isByTime) return;
  context.fillStyle = colors.changed;
  for (const { row } of scale.idle()) {
    for (let y = 0; y < bands.length * BAND_HEIGHT; y += 6) context.fillRect(scale.x(row) - 0.5, y, 1, 3);
  }
}

/** Puts effects that overlap below each other; those that find no lane share the last one. */
export function effectLanes(bars) {
  const ends = [];
  return bars.map((bar) => {
    let lane = ends.findIndex((end) => end < bar.from);
    if (lane < 0) lane = Math.min(ends.length, LARGEST_LANES - 1);
    ends[lane] = Math.max(ends[lane] ?? 0, bar.to);
    return { ...bar, lane };
  });
}

/** Draws each effect from the step that started it to its result. */
function drawBars({ context, width, overview, colors, scale }) {
  const top = overview.bands.length * BAND_HEIGHT + 4;
  context.fillStyle = colors.soft;
  for (const { from, to, lane } of overview.lanes) {
    const [start, end] = [scale.x(from + 0.5), scale.x(to + 0.5)];
    if (end < 0 || start > width) continue;
    const y = top + lane * LANE_HEIGHT;
    context.fillRect(start, y + 1, Math.max(2, end - start), 2);
    context.beginPath();
    context.arc(end, y + 2, 2.5, 0, 7);
    context.fill();
  }
}

function drawCharts({ context, width, overview, colors, scale }) {
  const top = overview.chartsTop;
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
      const left = scale.x(point.row);
      if (isDrawing) context.lineTo(left, level(point.value));
      else context.moveTo(left, level(point.value));
      context.lineTo(scale.x(point.row + 1), level(point.value));
      isDrawing = true;
    }
    context.stroke();
  });
}

/** Hatches gaps and damage. */
function drawExtras({ context, height, overview, colors, scale }) {
  for (const { row, kind } of overview.data?.extras ?? []) {
    if (kind === 'mark') continue;
    const left = scale.x(row);
    const width = Math.max(4, scale.cell);
    context.save();
    context.beginPath();
    context.rect(left, 0, width, height);
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

/** Raises a flag for each mark. */
function drawFlags({ context, overview, colors, scale }) {
  context.fillStyle = colors.ink;
  for (const { row, kind } of overview.data?.extras ?? []) {
    if (kind !== 'mark') continue;
    const left = scale.x(row);
    context.fillRect(left, 4, 1.5, 14);
    context.beginPath();
    context.moveTo(left + 1, 4);
    context.lineTo(left + 9, 7.5);
    context.lineTo(left + 1, 11);
    context.fill();
  }
}

/** Returns the centres of the crosses for rejections and for actions in flight. */
function crosses({ overview: { data }, scale }) {
  const centers = [];
  if (data) {
    const size = (data.to - data.from) / data.buckets;
    data.rejected.forEach((count, bucket) => {
      if (count) centers.push(scale.x(data.from + (bucket + (scale.isByTime ? 0 : 0.5)) * size));
    });
    for (const { row, kind } of data.extras) if (kind === 'inflight') centers.push(scale.x(row + 0.5));
  }
  return centers;
}

/** Draws the crosses, and a diamond for each divergence. */
function drawSigns(map) {
  const { context, overview: { page }, colors, scale } = map;
  context.strokeStyle = colors.removed;
  context.lineWidth = 1.75;
  let last = -Infinity;
  for (const center of crosses(map)) {
    if (center - last < 3) continue;
    last = center;
    context.beginPath();
    context.moveTo(center - 3, 9);
    context.lineTo(center + 3, 15);
    context.moveTo(center + 3, 9);
    context.lineTo(center - 3, 15);
    context.stroke();
  }
  context.fillStyle = colors.divergent;
  for (const row of page.divergentRows) {
    const center = scale.x(row) + scale.cell / 2;
    context.beginPath();
    context.moveTo(center, 4);
    context.lineTo(center + 6, 11);
    context.lineTo(center, 18);
    context.lineTo(center - 6, 11);
    context.fill();
  }
}

function shade({ context, colors, height }, left, right) {
  context.fillStyle = colors.accent;
  context.globalAlpha = 0.14;
  context.fillRect(left, 0, Math.max(1, right - left), height);
  context.globalAlpha = 1;
}

function drawPosition(map) {
  const { context, width, height, overview, colors, scale } = map;
  const { page, gesture } = overview;
  if (page.range) shade(map, scale.x(page.range.from), scale.x(page.range.to + 1));
  if (gesture?.isRange) shade(map, Math.min(gesture.start, gesture.end), Math.max(gesture.start, gesture.end));
  if (!page.info) return;
  const left = scale.x(page.row);
  if (left < -scale.cell || left > width) return;
  if (scale.cell > 4) shade(map, left, left + scale.cell);
  context.fillStyle = colors.ink;
  context.fillRect(Math.round(left + Math.min(scale.cell, width) / 2) - 0.75, 0, 1.5, height);
}

/** Draws the handle of the position, or an arrow towards it if it is not in sight. */
function drawHandle({ context, width, overview, colors, scale }) {
  const { page } = overview;
  const left = scale.x(page.row);
  const isLeft = page.row < overview.shown.from;
  const isRight = page.row >= overview.shown.to;
  context.fillStyle = isLeft || isRight ? colors.accent : colors.ink;
  const center = left + Math.min(scale.cell, width) / 2;
  const [x, tip] = isLeft ? [12, 2] : isRight ? [width - 12, width - 2] : [center, center];
  context.beginPath();
  if (isLeft || isRight) {
    context.moveTo(x, 4);
    context.lineTo(tip, 11);
    context.lineTo(x, 18);
  } else {
    context.moveTo(x - 5, 0);
    context.lineTo(x + 5, 0);
    context.lineTo(x, 6);
  }
  context.fill();
}

/** Draws the whole recording in small, with the part that is shown. */
function drawMinimap({ context, width, overview, colors }) {
  const { whole, shown, wholeSteps: steps } = overview;
  const place = (row) => (row - whole.from) / (whole.to - whole.from) * width;
  const most = Math.max(1, ...steps);
  context.fillStyle = colors.soft;
  steps.forEach((count, bucket) => {
    const height = Math.sqrt(count / most) * (MINIMAP_HEIGHT - 2);
    context.fillRect(bucket / steps.length * width, MINIMAP_HEIGHT - height, Math.max(1, width / steps.length), height);
  });
  context.fillStyle = colors.accent;
  context.globalAlpha = 0.3;
  context.fillRect(place(shown.from), 0, Math.max(4, place(shown.to) - place(shown.from)), MINIMAP_HEIGHT);
  context.globalAlpha = 1;
  context.fillRect(place(overview.page.row), 0, 2, MINIMAP_HEIGHT);
}
