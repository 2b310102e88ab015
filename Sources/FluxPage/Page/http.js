import { Refusal, plainAnswer, readAnswer, isAbandoned } from './answers.js';
import { parseJSON } from './json.js';

const TOKEN_KEY = 'flux-token';
const SESSION_KEY = 'flux-session';
const HEARTBEAT_LIMIT = 15000;

/** Moves the token from the address to the session's storage, so that no link contains it. */
export function takeToken() {
  const found = /^#token=([0-9a-f]{64})(.*)$/.exec(location.hash);
  if (!found) return sessionStorage.getItem(TOKEN_KEY);
  sessionStorage.setItem(TOKEN_KEY, found[1]);
  history.replaceState(null, '', '#' + (found[2].startsWith('/') ? found[2] : '/'));
  return found[1];
}

/** The name of this tab's session. Reloading keeps it, because the program has few sessions. */
function sessionName() {
  const name = sessionStorage.getItem(SESSION_KEY) ?? crypto.randomUUID();
  sessionStorage.setItem(SESSION_KEY, name);
  return name;
}

/** The program behind the page, by HTTP. */
export class HTTPSource {
  constructor(token) {
    this.token = token;
    this.session = sessionName();
    this.log = undefined;
    /** The number by which the server knows the log; it may open another one by the same name. */
    this.opening = undefined;
    this.isLive = true;
  }

  async ask(name, request, signal) {
    const response = await this.post(name, request, signal);
    const text = await response.text();
    try {
      return readAnswer(text);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Refusal('internal', `The server's answer to ${name} cannot be read: ${error.message}`);
    }
  }

  async post(name, request, signal, keepalive = false) {
    try {
      return await fetch('/data/' + name, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Flux-Token': this.token ?? '', 'X-Flux-Session': this.session },
        body: JSON.stringify({ log: this.log, opening: this.opening, ...request }),
        cache: 'no-store', credentials: 'omit', signal, keepalive,
      });
    } catch (error) {
      if (isAbandoned(error)) throw error;
      throw new Refusal('offline', 'The server does not answer. Start flux-inspect serve again, and open its new address.');
    }
  }

  /** Calls `each` with every event until the signal ends, and connects again if the server is back. */
  async follow(since, signal, each) {
    while (!signal.aborted) {
      try {
        await this.readEvents(since(), signal, each);
      } catch (error) {
        if (signal.aborted) return;
        each({ event: 'lost', message: error.message, reload: error.code === 'gone' });
      }
      await new Promise((resume) => setTimeout(resume, 1000));
    }
  }

  async readEvents(since, signal, each) {
    const ending = new AbortController();
    const end = () => ending.abort();
    signal.addEventListener('abort', end);
    let watchdog = setTimeout(end, HEARTBEAT_LIMIT);
    try {
      const response = await this.post('events', { since }, ending.signal);
      if (!response.ok) readAnswer(await response.text());
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(watchdog);
        watchdog = setTimeout(end, HEARTBEAT_LIMIT);
        const lines = (rest + value).split('\n');
        rest = lines.pop();
        for (const line of lines) if (line.trim()) each(plainAnswer(parseJSON(line)));
      }
    } finally {
      clearTimeout(watchdog);
      signal.removeEventListener('abort', end);
    }
  }
}
