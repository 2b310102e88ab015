import { button, byId, setLabel } from './dom.js';
import { shown } from './text.js';

/** Shows each row that the page moves to in the views of the running app; the newest row wins. */
export class RunningApp {
  constructor(page) {
    this.page = page;
    this.shows = true;
    this.wanted = null;
    this.isBusy = false;
    this.face = button('', '', () => this.toggle(), { id: 'running' });
    byId('tools').prepend(this.face);
    page.on('row', (row) => this.show(row));
    // The app must not stay in the past when nobody looks.
    addEventListener('pagehide', () => page.source.post('show', {}, undefined, true).catch(() => {}));
    this.draw();
  }

  toggle() {
    this.shows = !this.shows;
    this.draw();
    if (this.shows) this.show(this.page.row);
    else this.send({});
  }

  draw() {
    const name = this.page.info.capabilities.running;
    this.face.textContent = `${this.shows ? '▶' : '▷'} ${shown(name)}`;
    setLabel(this.face, this.shows ? `${name} shows the state at this step` : `Show the state at this step in ${name}`);
    this.face.setAttribute('aria-pressed', String(this.shows));
  }

  show(row) {
    if (this.shows) this.send({ row });
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
}
