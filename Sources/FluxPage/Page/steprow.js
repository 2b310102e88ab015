import { element, quoted, fill, setLabel } from './dom.js';
import { counted, deltaText, instantText, secondsText, microseconds, shown } from './text.js';

const SIGNS = { mark: '▸', gap: '⋯', damage: '✕', start: '○', outside: '·', inflight: '✕', left: '−' };
const DEEPEST = 8;
// The steps that a glance looks at for one that a step caused.
const NEAR = 20;

/** Makes the nodes of the list's rows, and fills them. */
export class StepRowView {
  constructor(pane) {
    this.pane = pane;
  }

  get page() {
    return this.pane.page;
  }

  build() {
    const node = element('div', { onclick: (event) => this.pane.clicked(event, node) });
    node.parts = {
      number: element('span', { class: 'number' }),
      fold: element('button', { type: 'button', class: 'fold', tabindex: '-1' }),
      guide: element('span', { class: 'guide', 'aria-hidden': 'true' }),
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
    const { model, lit } = this.pane;
    const number = model.row(index);
    node.dataset.row = number;
    node.id = `row-${number}`;
    node.setAttribute('aria-selected', String(number === this.page.row));
    node.className = ['row', row ? row.kind : 'pending', row?.rejected && 'rejected', number === this.page.row && 'here',
      this.pane.isDivergent(number) && 'diverged', lit?.causes.has(number) && 'lit-cause',
      lit && row?.causeRow === lit.row && 'lit-effect', row?.orphan && 'orphan'].filter(Boolean).join(' ');
    for (const part of Object.values(parts)) part.textContent = '';
    parts.fold.hidden = true;
    parts.guide.hidden = true;
    if (!row) return;
    if (row.kind === 'step') this.drawStep(parts, row, index);
    else this.drawOther(parts, row);
    node.setAttribute('aria-label', shown(rowLabel(row)));
  }

  drawStep(parts, row, index) {
    parts.number.textContent = row.n;
    this.drawType(parts, row);
    if (row.rejected) parts.type.append(element('span', { class: 'sign', title: 'Rejected' }, ' ✕'));
    if (row.payload !== undefined) fill(parts.payload, quoted(row.payload));
    fill(parts.stores, row.changed.map((store) => element('span', { class: 'store-name' }, this.page.storeDot(store), quoted(store))), notRecordedSign(row));
    const earlier = this.earlierTime(index);
    parts.time.textContent = !this.pane.showsDelta || earlier === undefined
      ? secondsText(microseconds(row.t)) : deltaText(earlier, row.t);
    parts.time.title = `${instantText(this.page.info.created, row.t)}\n${row.t} s`;
    this.drawFold(parts, row, index);
  }

  drawType({ guide, type }, { depth, type: name }) {
    guide.hidden = !depth;
    guide.style.width = `${Math.min(depth ?? 0, DEEPEST) * 12}px`;
    fill(type, quoted(name ?? 'an action of an unknown type'));
  }

  /** The time of the step before; marks and gaps between them have no say. */
  earlierTime(index) {
    for (let place = index - 1; place >= Math.max(0, index - 4); place--) {
      const { kind, t } = this.pane.list.rowAt(place) ?? {};
      if (kind === 'step') return t;
    }
    return undefined;
  }

  drawFold({ fold, time }, row, index) {
    const { model, list } = this.pane;
    const count = model.folded?.(row.row) ?? 0;
    fold.hidden = !count && !(model.folded && this.causesOneOf(row.row, index, list));
    fold.textContent = count ? '▸' : '▾';
    setLabel(fold, count ? `Show the ${counted(count, 'step')} that it caused` : 'Hide what it caused');
    if (count) time.textContent = `+${count}`;
  }

  causesOneOf(row, index, list) {
    for (let place = index + 1; place <= index + NEAR; place++) if (list.rowAt(place)?.causeRow === row) return true;
    return false;
  }

  drawOther(parts, row) {
    const isAction = row.kind === 'inflight' || row.kind === 'left';
    parts.number.textContent = row.kind === 'inflight' ? row.n : row.kind === 'left' ? row.repeats : SIGNS[row.kind] ?? '·';
    if (isAction) {
      this.drawType(parts, { ...row, depth: row.causeRow === undefined ? 0 : 1 });
      parts.type.append(element('span', { class: 'sign' }, ` ${SIGNS[row.kind]} ${row.kind === 'left' ? 'left out' : 'in flight'}`));
      if (row.payload !== undefined) fill(parts.payload, quoted(row.payload));
    } else {
      fill(parts.type, row.kind === 'start' ? (row.fork ? `Start of fork ${row.fork}` : 'Start') : quoted(row.text ?? row.kind));
    }
    if (row.t !== undefined) parts.time.textContent = secondsText(microseconds(row.t));
  }
}

function rowLabel(row) {
  if (row.kind === 'step') return `${row.n} ${row.type}${row.rejected ? ', rejected' : ''}`;
  if (row.kind === 'start') return row.fork ? `Start of fork ${row.fork}` : 'Start';
  return `${row.kind}: ${row.text ?? ''}`;
}

/** The stores that an imported step may have changed too: all of them, or some after those that it changed. */
function notRecordedSign({ changed, notRecorded }) {
  if (!notRecorded) return null;
  const title = `Not recorded: ${notRecorded.join(', ')}`;
  return element('span', { class: 'soft', title: shown(title) }, changed.length ? '…' : 'not recorded');
}
