import { element, named, quotedJSON, fill } from './dom.js';
import { counted, deltaText, instantText, secondsText, microseconds, shown, startName } from './text.js';

const SIGNS = { mark: '▸', gap: '⋯', damage: '✕', start: '○', outside: '·', inflight: '✕', left: '−' };
const DEEPEST = 8;
// The steps that a glance looks at for one that a step caused.
const NEAR = 20;

/** Makes the nodes of the list's rows, and fills them. */
export class StepRowView {
  constructor(pane) {
    Object.assign(this, { pane, page: pane.page });
  }

  build() {
    const node = element('div', { onclick: (event) => this.pane.clicked(event, node) });
    node.parts = {
      number: element('span', { class: 'number' }),
      // For the pointer. An option of a list contains no button, and the Space key does the same.
      fold: element('span', { class: 'fold', 'aria-hidden': 'true' }),
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
    const number = this.pane.model.row(index);
    this.drawMarks(node, row, number);
    // A step changes the marks of two rows and the content of none.
    const content = row?.kind === 'step' ? this.content(row, index) : { number };
    const key = JSON.stringify(content);
    if (node.row === row && node.key === key) return;
    [node.row, node.key] = [row, key];
    const { parts } = node;
    for (const part of Object.values(parts)) part.textContent = '';
    parts.fold.hidden = true;
    parts.guide.hidden = true;
    node.setAttribute('aria-label', row ? shown(rowLabel(row, content)) : 'Loading');
    if (!row) return;
    if (row.kind === 'step') this.drawStep(parts, row, content);
    else this.drawOther(parts, row);
  }

  /** Shows what depends on where the person is, and on what is under the pointer. */
  drawMarks(node, row, number) {
    const { lit } = this.pane;
    const isHere = number === this.page.row;
    node.dataset.row = number;
    node.id = `row-${number}`;
    node.setAttribute('aria-selected', String(isHere));
    node.className = ['row', row ? row.kind : 'pending', row?.rejected && 'rejected', isHere && 'here',
      this.page.divergentRows.includes(number) && 'diverged', lit?.causes.has(number) && 'lit-cause',
      lit && row?.causeRow === lit.row && 'lit-effect', row?.orphan && 'orphan'].filter(Boolean).join(' ');
  }

  /** What a row says that is not in its answer: it depends on the rows around it. */
  content(row, index) {
    const { model, list } = this.pane;
    const folded = model.folded?.(row.row) ?? 0;
    return {
      number: model.row(index), folded, folds: folded > 0 || (model.folded !== undefined && this.causesOneOf(row.row, index, list)),
      earlier: this.pane.showsDelta ? this.earlierTime(index) : undefined,
    };
  }

  drawStep(parts, row, { earlier, folded, folds }) {
    parts.number.textContent = row.n;
    this.drawType(parts, row);
    if (row.rejected) parts.type.append(element('span', { class: 'sign', title: 'Rejected' }, ' ✕'));
    if (row.payload !== undefined) fill(parts.payload, quotedJSON(row.payload));
    fill(parts.stores, row.changed.map((store) => element('span', { class: 'store-name' }, this.page.storeDot(store), named(store))), notRecordedSign(row));
    parts.time.textContent = folded ? `+${folded}`
      : earlier === undefined ? secondsText(microseconds(row.t)) : deltaText(earlier, row.t);
    parts.time.title = `${instantText(this.page.info.created, row.t)}\n${row.t} s`;
    parts.fold.hidden = !folds;
    parts.fold.textContent = folded ? '▸' : '▾';
    parts.fold.title = folded ? `Show the ${counted(folded, 'step')} that it caused` : 'Hide what it caused';
  }

  drawType({ guide, type }, { depth, type: name }) {
    guide.hidden = !depth;
    guide.style.width = `${Math.min(depth ?? 0, DEEPEST) * 12}px`;
    fill(type, named(name ?? 'an action of an unknown type'));
  }

  /** The time of the step before; marks and gaps between them have no say. */
  earlierTime(index) {
    for (let place = index - 1; place >= Math.max(0, index - 4); place--) {
      const { kind, t } = this.pane.list.rowAt(place) ?? {};
      if (kind === 'step') return t;
    }
    return undefined;
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
      if (row.payload !== undefined) fill(parts.payload, quotedJSON(row.payload));
    } else {
      fill(parts.type, row.kind === 'start' ? startName(row) : named(row.text ?? row.kind));
    }
    if (row.t !== undefined) parts.time.textContent = secondsText(microseconds(row.t));
  }
}

function rowLabel(row, { folded }) {
  if (row.kind === 'step') return `${row.n} ${row.type === '' ? '""' : row.type}${row.rejected ? ', rejected' : ''}${folded ? `, hides ${counted(folded, 'step')}` : ''}`;
  if (row.kind === 'start') return startName(row);
  return `${row.kind}: ${row.text ?? ''}`;
}

/** The stores that an imported step may have changed too: all of them, or some after those that it changed. */
function notRecordedSign({ changed, notRecorded }) {
  if (!notRecorded) return null;
  const title = `Not recorded: ${notRecorded.join(', ')}`;
  return element('span', { class: 'soft', title: shown(title) }, changed.length ? '…' : 'not recorded');
}
