import { element, button } from './dom.js';
import { TreeView } from './tree.js';
import { openPathMenu } from './menu.js';
import { pointerTokens, pointerText } from './paths.js';

/** The state after the selected step, as a tree that loads what is visible. */
export class StatePane {
  constructor(page) {
    this.page = page;
    this.field = element('input', { type: 'search', placeholder: 'Search keys and values', 'aria-label': 'Search the state',
      autocomplete: 'off', spellcheck: 'false', oninput: () => this.typed() });
    this.tree = new TreeView(page, {
      label: 'State after the selected step',
      request: () => ({ place: this.page.row, of: 'state', path: '', depth: this.depth, unfold: this.unfolds, search: this.page.search || undefined }),
      open: page.open, closed: page.closed,
      menu: (row, rect, opener) => openPathMenu(page, row, rect, opener, { place: page.row, of: 'state' }),
      ondrawn: () => this.revealWanted(),
    });
    this.depth = 1;
    // What changed is unfolded until the person folds everything.
    this.unfolds = true;
    this.node = element('div', { class: 'pane' }, element('div', { class: 'pane-bar' }, this.field,
      button('⊟', 'Fold everything', () => this.fold(0), { class: 'plain' }),
      button('⊞', 'Unfold two levels', () => this.fold(2), { class: 'plain' })), this.tree.view);
    page.on('place', () => { this.shownRow = null; });
    page.on('tab', () => {
      [this.tree.open, this.tree.closed] = [page.open, page.closed];
      if (this.field.value !== page.search) this.field.value = page.search;
    });
  }

  show(row, step) {
    // The tree needs the row alone; the step that arrives later says nothing new.
    if (step && this.shownRow === row && this.shownSearch === this.page.search) return;
    [this.shownRow, this.shownSearch] = [row, this.page.search];
    this.tree.wantsChange = true;
    this.tree.refresh();
  }

  typed() {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => {
      this.page.search = this.field.value.trim();
      this.shownSearch = this.page.search;
      this.tree.refresh({ forget: true });
      this.page.noteView();
    }, 160);
  }

  fold(depth) {
    this.depth = depth;
    this.unfolds = depth > 0;
    this.page.open.clear();
    this.page.closed.clear();
    this.tree.refresh();
    this.page.noteView();
  }

  /** Opens everything around a path, and shows it. */
  reveal(path) {
    const tokens = pointerTokens(path) ?? [];
    for (let count = 1; count < tokens.length; count++) {
      const outer = pointerText(tokens.slice(0, count));
      this.page.open.add(outer);
      this.page.closed.delete(outer);
    }
    this.page.search = this.field.value = '';
    this.wanted = path;
    this.tree.refresh();
  }

  revealWanted() {
    if (this.wanted === undefined) return;
    const { list } = this.tree;
    for (let index = 0; index < list.total; index++) {
      const row = list.rowAt(index);
      if (!row) break;
      if (row.path !== this.wanted) continue;
      this.wanted = undefined;
      this.tree.activate(index);
      this.tree.node.focus();
      return;
    }
  }
}
