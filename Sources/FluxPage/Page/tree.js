import { element, named, quoted, quotedJSON, button, fill } from './dom.js';
import { VirtualList, PAGE_SIZE } from './list.js';
import { clipped, counted } from './text.js';
import { errorNotice, hasSlot, notice, slot, valueText } from './pieces.js';

const MARKS = { removed: ['−', 'Removed by this step'], added: ['+', 'Added by this step'], replaced: ['~', 'Changed by this step'], inside: ['•', 'Changed inside by this step'] };

/**
 * A tree of a value, of which only the visible rows are asked for.
 *
 * `request` returns the place and what else the request needs; `open` and `closed` are the sets of
 * paths that the person opened and folded.
 */
export class TreeView {
  constructor(page, { label, request, open, closed, menu, ondrawn }) {
    Object.assign(this, { page, requestOf: request, open, closed, menu, ondrawn });
    this.active = 0;
    this.node = element('div', { class: 'tree', role: 'tree', tabindex: '0', 'aria-label': label,
      onkeydown: (event) => this.key(event) });
    this.message = element('div', { class: 'tree-message', hidden: true });
    this.view = element('div', { class: 'tree-view' }, this.node, this.message);
    this.list = new VirtualList(this.node, {
      rowHeight: () => (page.isTouched || page.isSmall ? 32 : 24), role: 'treeitem',
      load: (from, count, signal) => this.load(from, signal),
      build: () => this.build(),
      draw: (node, row, index) => this.draw(node, row, index),
    });
    this.list.onerror = (error) => this.show(errorNotice(error));
    this.list.setTotal(1);
  }

  /** Asks again, after the place or the open paths changed. */
  refresh(options) {
    this.list.setTotal(Math.max(1, this.list.total));
    this.list.reset(0, options);
  }

  show(message) {
    this.message.hidden = !message;
    this.node.hidden = Boolean(message);
    if (message) fill(this.message, message);
  }

  async load(from, signal) {
    // The number of rows is only known from the answer, so every request asks for a whole page.
    const request = { ...this.requestOf(), open: [...this.open], closed: [...this.closed], from, count: PAGE_SIZE };
    const answer = await this.page.ask('tree', request, signal);
    const { rows } = answer;
    // A search goes on until it has a page of rows, or all of them.
    let part = answer;
    while (part.next !== undefined && rows.length < PAGE_SIZE) {
      part = await this.page.ask('tree', { ...request, next: part.next }, signal);
      // The containers around later matches come again.
      const known = new Set(rows.map((row) => row.path));
      rows.push(...part.rows.filter((row) => !known.has(row.path)));
    }
    const total = Math.max(part.total ?? rows.length, from + rows.length);
    this.show(total === 0 ? this.emptyNotice(request) : null);
    queueMicrotask(() => {
      if (this.list.total !== total) this.list.setTotal(Math.max(1, total));
      // The first change is shown, unless the person looks elsewhere in the tree.
      if (this.wantsChange && answer.change !== undefined && this.node !== document.activeElement) this.list.reveal(answer.change);
      this.wantsChange = false;
      this.ondrawn?.();
    });
    return rows;
  }

  emptyNotice(request) {
    return request.search ? notice('No match', `Nothing here contains ${request.search}.`) : notice('Empty', 'There is nothing inside.');
  }

  // Rows

  build() {
    const node = element('div', { onclick: (event) => this.clicked(event, node),
      oncontextmenu: (event) => this.contextMenu(event, node) });
    node.parts = {
      sign: element('span', { class: 'sign' }),
      caret: element('span', { class: 'caret', 'aria-hidden': 'true' }),
      key: element('bdi', { class: 'key' }),
      value: element('span', { class: 'content' }),
      more: element('button', { type: 'button', class: 'more', tabindex: '-1', title: 'More', 'aria-label': 'More' }, '⋯'),
    };
    node.append(...Object.values(node.parts));
    return node;
  }

  draw(node, row, index) {
    const { sign, caret, key, value } = node.parts;
    node.dataset.index = index;
    node.id = `node-${index}`;
    node.className = ['row', row ? '' : 'pending', row?.changed, row?.match && 'match', index === this.active && 'here'].filter(Boolean).join(' ');
    for (const part of [sign, caret, key, value]) part.textContent = '';
    if (!row) return;
    const isContainer = row.kind === 'object' || row.kind === 'array';
    node.setAttribute('aria-level', row.depth + 1);
    node.setAttribute('aria-selected', String(index === this.active));
    if (isContainer && row.count) node.setAttribute('aria-expanded', String(row.open === true));
    else node.removeAttribute('aria-expanded');
    if (row.changed) [sign.textContent, sign.title] = MARKS[row.changed];
    else sign.title = '';
    caret.style.marginInlineStart = `${Math.min(row.depth, 24) * 16}px`;
    caret.textContent = isContainer && row.count ? (row.open ? '▾' : '▸') : '';
    key.append(named(String(row.key), typeof row.key === 'number' ? 'index' : ''));
    fill(value, this.content(row, isContainer), row.remark ? element('span', { class: 'soft', title: row.remark, text: ' rebuilt by replay' }) : null);
  }

  content(row, isContainer) {
    if (row.kind === 'removed') return [element('del', {}, slot(row, 'old', 400)), element('span', { class: 'soft', text: ' removed' })];
    const now = this.present(row, isContainer);
    // The old value stands before the new one, as in the changes.
    return hasSlot(row, 'old') ? [element('del', { class: 'old' }, slot(row, 'old', 120)), element('span', { class: 'arrow', role: 'img', 'aria-label': 'becomes', text: ' → ' }), now] : now;
  }

  present(row, isContainer) {
    if (row.kind === 'unknown' || row.kind === 'unwritten' || row.kind === 'absent') {
      return [element('span', { class: row.kind === 'absent' ? 'none' : 'unknown' }, quoted(row.text ?? row.kind))];
    }
    if (isContainer) {
      const noun = row.kind === 'array' ? 'element' : 'member';
      const gone = row.removed && !row.open ? element('span', { class: 'gone' }, ' − ', quoted(row.removed.join(', '))) : null;
      if (!row.count) return [element('span', { class: 'value', text: row.kind === 'array' ? '[ ]' : '{ }' }), gone];
      return [element('span', { class: 'soft', text: counted(row.count, noun) + ' ' }),
        row.open ? null : quotedJSON(row.preview ?? '', 'preview'), gone];
    }
    if (row.length === undefined) return [valueText(row.value, 400)];
    return [quoted(clipped(JSON.stringify(row.value), 400), 'value string'), element('span', { class: 'soft', text: ` ${row.length} characters` })];
  }

  // Mouse and keys

  rowOf(node) {
    return this.list.rowAt(Number(node.dataset.index));
  }

  clicked(event, node) {
    this.activate(Number(node.dataset.index));
    const row = this.rowOf(node);
    if (!row) return;
    if (event.target.closest('.more')) this.menu?.(row, event.target.getBoundingClientRect());
    else if (String(getSelection()) === '') this.toggle(row);
  }

  contextMenu(event, node) {
    const row = this.rowOf(node);
    if (!row || row.kind === 'removed' || !this.menu || String(getSelection()) !== '') return;
    event.preventDefault();
    this.activate(Number(node.dataset.index));
    this.menu(row, new DOMRect(event.clientX, event.clientY, 0, 0));
  }

  toggle(row, isOpen = !row.open) {
    if (!row.count || isOpen === (row.open === true)) return;
    this.open.delete(row.path);
    this.closed.delete(row.path);
    (isOpen ? this.open : this.closed).add(row.path);
    this.refresh();
    this.page.noteView();
  }

  activate(index) {
    this.active = Math.max(0, Math.min(index, this.list.total - 1));
    this.node.setAttribute('aria-activedescendant', `node-${this.active}`);
    this.list.reveal(this.active);
  }

  key(event) {
    const row = this.list.rowAt(this.active);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in moves) {
      this.activate(this.active + moves[event.key]);
    } else if (event.key === 'ArrowRight' && row) {
      if (row.open || !row.count) this.activate(this.active + 1);
      else this.toggle(row, true);
    } else if (event.key === 'ArrowLeft' && row) {
      if (row.open) this.toggle(row, false);
      else this.activateParent(row);
    } else if ((event.key === 'Enter' || event.key === ' ' || event.key === 'ContextMenu') && row) {
      const node = this.list.pool.find((node) => !node.hidden && Number(node.dataset.index) === this.active);
      this.menu?.(row, (node ?? this.node).getBoundingClientRect(), this.node);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  activateParent(row) {
    for (let index = this.active - 1; index >= 0; index--) {
      const other = this.list.rowAt(index);
      if (!other) return;
      if (other.depth < row.depth) return this.activate(index);
    }
  }
}
