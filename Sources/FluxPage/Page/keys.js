import { element, byId, fill, button } from './dom.js';
import { TABS, tabName } from './detail.js';

const KEYS = [
  ['↓ ↑ or j k', 'Next or previous row of the list'], ['→ ←', 'One step forwards or backwards'],
  ['n p', 'Next or previous root action, over what it caused'], ['Home End', 'Start and end of the recording'],
  ['Page Up Page Down', 'One page of the list'], ['Space', 'Fold or unfold what a step caused'],
  ['g', 'Go to a position: 17, +5, 50%, @2.5, cart/add#3'], ['/', 'Search the steps: text, a pattern such as cart/*, or an expression'], ['Ctrl-K or :', 'Type a command'],
  [TABS.map((_, place) => place + 1).join(' '), TABS.map(tabName).join(', ')], ['Enter', 'Into the selected view; Esc goes back'], ['r', 'Hide or show caused steps'],
  ['Shift-Space', 'Play or pause'], ['w', 'What if the step had not happened'], ['[ ]', 'Previous or next change of the first pinned value'], ['f', 'The recording or the next fork'], ['i', 'Summary of the recording'], ['t', 'Light or dark'], ['?', 'This list'],
];

/** The keyboard, outside of fields and trees. */
export class Keyboard {
  constructor(page, { steps, terminal, player, cycleTheme }) {
    Object.assign(this, { page, steps, terminal, player, cycleTheme });
    document.addEventListener('keydown', (event) => this.key(event));
    this.buildHelp();
    this.buildJump();
  }

  get actions() {
    const { page, steps } = this;
    return {
      ArrowDown: () => steps.walk(1), ArrowUp: () => steps.walk(-1), j: () => steps.walk(1), k: () => steps.walk(-1),
      ArrowRight: () => page.go(page.row + 1), ArrowLeft: () => page.go(page.row - 1),
      PageDown: () => steps.walkPages(1), PageUp: () => steps.walkPages(-1),
      Home: () => page.go(page.firstRow), End: () => page.go(page.endRow - 1),
      n: () => page.goToRoot('forwards'), p: () => page.goToRoot('backwards'),
      ' ': (event) => (event.shiftKey ? this.player.toggle() : steps.toggleFold(page.row)), r: () => steps.toggleRoots(), t: () => this.cycleTheme(),
      '[': () => this.goToChange('backwards'), ']': () => this.goToChange('forwards'), f: () => this.nextPlace(),
      w: () => page.step && page.runWithout(page.step), i: () => page.emit('summary'), g: () => this.openJump(), '/': () => byId('filter').focus(), ':': () => this.terminal.focus(), '?': () => byId('help').showModal(),
      Enter: () => this.enter(), Escape: () => byId('list').focus(),
      ...Object.fromEntries(TABS.map((tab, place) => [String(place + 1), () => page.set('tab', tab)])),
    };
  }

  key(event) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      this.terminal.focus();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const { target } = event;
    const isField = target.matches('input, textarea, select');
    if (isField && event.key !== 'Escape') return;
    const pressesButton = target.matches('button, a') && (event.key === 'Enter' || event.key === ' ');
    const action = this.actions[event.key];
    if (!action || pressesButton || !this.page.info) return;
    event.preventDefault();
    action(event);
  }

  goToChange(direction) {
    const [path] = this.page.pins;
    if (path !== undefined) this.page.emit('change', { path, direction });
  }

  /** Goes from the recording to its first fork, from there to the next, and at last back. */
  nextPlace() {
    const { page } = this;
    const place = page.forks.findIndex(({ fork }) => fork === page.fork);
    const next = page.forks[place + 1];
    if (next || page.fork !== null) page.openPlace(next ?? null);
  }

  /** Moves the focus into what the tab shows. */
  enter() {
    const panel = byId('panel');
    const inside = panel.querySelector('[role=tree]:not([hidden])') ?? panel.querySelector('a, button, input');
    (inside ?? panel).focus();
  }

  buildHelp() {
    const help = byId('help');
    fill(help, element('h2', { id: 'help-title', text: 'Keys' }),
      element('dl', {}, KEYS.map(([key, text]) => [element('dt', {}, element('kbd', { text: key })), element('dd', { text })])),
      element('p', { class: 'soft', text: 'Overview: click or drag to move, wheel to zoom, drag on the ruler or with Shift to choose a range, double-click to see everything.' }),
      button('Close', 'Close', () => help.close(), { class: 'plain' }));
  }

  buildJump() {
    const field = element('input', { id: 'position', type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: '17, +5, 50%, end, @2.5, cart/add#3', 'aria-label': 'Position' });
    const form = element('form', { onsubmit: (event) => this.jump(event) },
      element('h2', { id: 'jump-title', text: 'Go to' }), field, element('button', { type: 'submit', class: 'plain', text: 'Go' }));
    fill(byId('jump'), form);
    this.position = field;
  }

  openJump() {
    this.position.value = '';
    byId('jump').showModal();
    this.position.focus();
  }

  async jump(event) {
    event.preventDefault();
    byId('jump').close();
    if (this.position.value.trim()) await this.page.goTo(this.position.value.trim());
    byId('list').focus();
  }
}
