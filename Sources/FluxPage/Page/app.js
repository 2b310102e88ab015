import { element, quoted, button, byId, fill, setLabel } from './dom.js';
import { shown } from './text.js';
import { jsonText } from './values.js';

/** Steers the running app: its views show the row that the page moves to, and buttons pause, resume, restore and dispatch. */
export class RunningApp {
  constructor(page) {
    this.page = page;
    this.shows = true;
    // True while the app shows another state than its newest because of this page.
    this.showsPast = false;
    // What the events say: whoever paused the app, and whichever command ended the pause.
    this.isPaused = false;
    this.hasEnded = false;
    this.wanted = null;
    this.isBusy = false;
    this.node = byId('live');
    this.face = button('', '', () => this.toggle(), { id: 'running' });
    this.pause = button('', '', () => this.togglePause(), { id: 'pause-app' });
    this.node.append(element('span', { class: 'app-controls', role: 'group', 'aria-label': `Steering ${shown(this.name)}` },
      this.face, this.pause,
      button('⟲ restore', `Restore ${this.name} to the state at this step`, () => this.run('restore'), { id: 'restore-app' }),
      button('⇥ dispatch', `Dispatch an action in ${this.name}`, () => this.openDispatch(), { id: 'dispatch-app' })));
    page.on('row', (row) => this.show(row));
    page.on('app', ({ paused, ended }) => {
      [this.isPaused, this.hasEnded] = [paused, ended];
      this.draw();
    });
    // The app must not stay in the past when nobody looks.
    addEventListener('pagehide', () => {
      if (this.showsPast || this.isPaused) page.source.post('show', {}, undefined, true).catch(() => {});
    });
    this.draw();
  }

  get name() {
    return this.page.info.capabilities.running;
  }

  toggle() {
    this.shows = !this.shows;
    this.draw();
    if (this.shows) return this.show(this.page.row);
    this.showsPast = false;
    return this.send({});
  }

  togglePause() {
    this.run(this.isPaused ? 'resume' : 'pause');
  }

  run(line) {
    this.page.emit('run', line);
  }

  draw() {
    const isShowing = this.shows && !this.hasEnded;
    const label = isShowing ? `${this.name} shows the state at this step` : `Show the state at this step in ${this.name}`;
    this.face.textContent = this.hasEnded ? `${shown(this.name)} has ended` : `${isShowing ? '▶' : '▷'} ${shown(this.name)}`;
    setLabel(this.face, this.hasEnded ? `${this.name} has ended` : label);
    this.face.setAttribute('aria-pressed', String(isShowing));
    this.pause.textContent = this.isPaused ? '▶ resume' : '⏸ pause';
    setLabel(this.pause, this.isPaused ? `Resume ${this.name}` : `Pause ${this.name}`);
    this.pause.setAttribute('aria-pressed', String(this.isPaused));
    for (const control of this.face.parentNode.children) control.disabled = this.hasEnded;
  }

  show(row) {
    // A fork is no state of the app.
    if (!this.shows || this.hasEnded || this.page.fork !== null) return;
    const isPast = row < this.page.endRow - 1;
    // A page that only follows the app leaves what another inspector shows.
    if (isPast || this.showsPast) this.send({ row });
    this.showsPast = isPast;
  }

  async send(request) {
    this.wanted = request;
    if (this.isBusy) return;
    this.isBusy = true;
    while (this.wanted) {
      const next = this.wanted;
      this.wanted = null;
      try {
        await this.page.ask('show', next);
      } catch (error) {
        this.page.explain(error);
      }
    }
    this.isBusy = false;
  }

  // Dispatching

  /** Opens a form with the types of the recording, and the newest payload of each. */
  openDispatch() {
    const dialog = byId('dispatch');
    const types = this.page.info.types?.map(({ type }) => type) ?? [];
    const type = element('input', { type: 'text', list: 'dispatch-types', 'aria-label': 'Type', value: this.page.step?.type ?? types[0] ?? '',
      onchange: () => this.fillPayload(type.value, payload) });
    const payload = element('textarea', { rows: '5', 'aria-label': 'Payload, as JSON', spellcheck: 'false' });
    fill(dialog, element('form', { method: 'dialog', onsubmit: (event) => this.dispatch(event, type.value, payload.value) },
      element('h2', {}, 'Dispatch in ', quoted(this.name)), type,
      element('datalist', { id: 'dispatch-types' }, types.map((name) => element('option', { value: name }))), payload,
      element('div', { class: 'buttons' }, element('button', { type: 'submit', class: 'plain', text: 'Dispatch' }),
        button('Cancel', 'Cancel', () => dialog.close(), { class: 'plain' }))));
    dialog.showModal();
    this.fillPayload(type.value, payload);
  }

  async fillPayload(type, field) {
    const { rows: [last] } = await this.page.source.ask('find', { filter: `$.action.type == ${JSON.stringify(type)}`, direction: 'backwards', limit: 1 });
    const step = last ? await this.page.source.ask('step', { row: last.row }) : null;
    field.value = step?.payload === undefined ? '' : jsonText(step.payload, { limit: 4000 });
  }

  async dispatch(event, type, payload) {
    event.preventDefault();
    byId('dispatch').close();
    // An app takes actions at its newest step; anywhere else, they would make a fork.
    await this.page.goToPlace(null, this.page.info.rows - 1);
    const action = `{"type":${JSON.stringify(type)}${payload.trim() ? `,"payload":${payload.trim()}` : ''}}`;
    this.run(`dispatch ${action}`);
  }
}
