import { Members } from './json.js';
import { partition } from './values.js';
import { applyPatch, PatchFailure } from './patch.js';

// What is known of a store at a row: a value, or one of these.
export const ABSENT = Object.freeze({ kind: 'absent' });
export const UNKNOWN = Object.freeze({ kind: 'unknown' });
export const UNWRITTEN = Object.freeze({ kind: 'unwritten' });

/** Returns the state of a store among those of a model, which may be null; `ABSENT` if it has none. */
export function stateIn(states, store) {
  return states.has(store) ? states.get(store) : ABSENT;
}

/** Tells a state from the three signs for there being none. */
export function isState(state) {
  return state !== ABSENT && state !== UNKNOWN && state !== UNWRITTEN;
}

const CHECKPOINT_DISTANCE = 64;
const KEPT_STATES = 400;
// A break comes between the rows before the next step, which still show the model before it, and that step.
const BEFORE = 0.5;

/**
 * The states of a report, rebuilt from whole states and the patches after them.
 *
 * For each store there is a list of events: it was written whole, patched, removed, left out, or
 * hidden by damage or a gap; a state that the app went back to may be hidden as well. A state is the newest base before the row, and the patches since.
 */
export class ReportStates {
  constructor(rows) {
    this.rows = rows;
    this.events = new Map();
    this.readBaseline();
    for (const answer of rows.answers) this.read(answer);
  }

  get stores() {
    return [...this.events.keys()];
  }

  readBaseline() {
    const { rows } = this;
    const states = rows.baseline?.get('states') ?? new Members();
    const names = new Set([...rows.info.stores.map((store) => store.name), ...states.names]);
    const unknown = rows.baseline?.get('unknown') ?? [];
    const unwritten = rows.baseline?.get('unwritten') ?? [];
    for (const { writes } of rows.places) for (const { store } of writes) names.add(store);
    for (const name of [...names].sort()) {
      const events = [{ row: rows.first, kind: 'value', value: stateIn(states, name) }];
      if (unknown.includes(name)) events[0].value = UNKNOWN;
      if (unwritten.includes(name)) events.push({ row: rows.first, kind: 'unwritten' });
      this.events.set(name, { list: events, cache: new Map() });
    }
  }

  push(store, event) {
    this.events.get(store).list.push(event);
  }

  read(answer) {
    if (answer.kind === 'step') {
      if (!answer.rejected) this.readStep(answer.row);
    } else if (answer.kind === 'damage' || answer.kind === 'gap') {
      this.readBreak(answer, this.rows.nextStepRow(answer.row) - BEFORE);
    }
  }

  readBreak({ row: place, kind, why, step }, row) {
    this.replacesModel = kind === 'gap' && !/^(damaged|imported)$/.test(why);
    const states = this.replacesModel ? this.rows.member(place, 'states') : undefined;
    const unknown = states && this.rows.member(place, 'unknown');
    for (const store of this.stores) {
      if (unknown?.includes(store)) this.hideAsAt(step, store, row);
      else this.push(store, { row, kind: 'value', value: states ? stateIn(states, store) : UNKNOWN });
    }
  }

  /** Hides the state of a store from a row on as at the step with a number, to which the app went back. */
  hideAsAt(step, store, row) {
    const known = this.rows.rowOf(step);
    const { state, row: since } = known === undefined ? { state: UNKNOWN } : this.lastKnown(store, known);
    this.push(store, { row, kind: 'value', value: state, since });
    this.push(store, { row, kind: known !== undefined && this.state(store, known) === UNWRITTEN ? 'unwritten' : 'hidden' });
  }

  readStep(row) {
    const writes = this.rows.writes(row);
    for (const { store, kind } of writes) {
      this.push(store, kind === 'removed' ? { row, kind: 'value', value: ABSENT } : { row, kind });
    }
    if (!this.replacesModel) return;
    this.replacesModel = false;
    for (const store of this.stores) {
      if (!writes.some((write) => write.store === store)) this.push(store, { row, kind: 'value', value: ABSENT });
    }
  }

  /** Returns the place of the newest event of a store at or before a row. */
  eventPlace(store, row) {
    const { list } = this.events.get(store);
    return partition(list.length, (place) => list[place].row > row) - 1;
  }

  /** Returns the state of a store after a row, or the sign that says why there is none. */
  state(store, row) {
    const place = this.events.has(store) ? this.eventPlace(store, row) : -1;
    if (place < 0) return ABSENT;
    const { kind } = this.events.get(store).list[place];
    return kind === 'unwritten' ? UNWRITTEN : kind === 'hidden' ? UNKNOWN : this.written(store, place);
  }

  /** Returns the last written state at an event. */
  written(store, target) {
    const { list, cache } = this.events.get(store);
    let base = target;
    while (!cache.has(base) && /^(patch|unwritten|hidden)$/.test(list[base].kind)) base--;
    let value = cache.has(base) ? cache.get(base) : this.base(store, list[base]);
    for (let place = base + 1; place <= target; place++) {
      if (list[place].kind === 'patch') value = this.patched(store, value, list[place].row);
      if (place % CHECKPOINT_DISTANCE === 0) this.keep(cache, place, value);
    }
    this.keep(cache, target, value);
    return value;
  }

  keep(cache, place, value) {
    if (cache.size >= KEPT_STATES) {
      for (const old of cache.keys()) {
        if (old % CHECKPOINT_DISTANCE !== 0 || cache.size > 4 * KEPT_STATES) cache.delete(old);
        if (cache.size < KEPT_STATES / 2) break;
      }
    }
    cache.set(place, value);
  }

  base(store, event) {
    return event.kind === 'value' ? event.value : this.rows.line(event.row).get('states').get(store);
  }

  patched(store, value, row) {
    if (!isState(value)) return UNKNOWN;
    try {
      return applyPatch(value, this.rows.member(row, 'patches').get(store));
    } catch (error) {
      if (error instanceof PatchFailure) return UNKNOWN;
      throw error;
    }
  }

  /** Returns the model after a row: what is known of each store, by name. */
  model(row) {
    return new Members(this.stores, this.stores.map((store) => this.state(store, row)));
  }

  // Comparisons

  /**
   * Returns the last row before a step at which the model was known, and if a gap lies between.
   *
   * If the app went back to the model, its place is between two rows, and `restored` is what the gap's row says.
   */
  baselineOf(row) {
    const { rows } = this;
    let [known, afterGap, isKept] = [row - 1, false, false];
    for (let place = row - 1; place > rows.first; place--) {
      const restored = rows.answer(place);
      const { kind, rejected, step } = restored;
      if (kind === 'step' && !rejected) break;
      isKept ||= kind === 'step';
      if (kind !== 'gap' && kind !== 'damage') continue;
      afterGap = true;
      known = place - 1;
      if (!rows.member(place, 'states')) continue;
      // Without the number of a step, the model is that of none, but rejected steps keep it.
      if (step === undefined && isKept) return { row: row - 1, afterGap: false };
      return { row: rows.nextStepRow(place) - BEFORE, afterGap, restored };
    }
    return { row: known, afterGap };
  }

  /** Returns the last known state of a store at or before a row, and the last row that has it. */
  lastKnown(store, row) {
    const { list } = this.events.get(store);
    const newest = this.eventPlace(store, row);
    for (let place = newest; place >= 0; place--) {
      if (/^(unwritten|hidden)$/.test(list[place].kind)) continue;
      const state = this.written(store, place);
      if (state === UNKNOWN) continue;
      if (place === newest) return { state, row, isExact: true };
      return { state, row: list[place].since ?? Math.ceil(list[place + 1].row) - 1, isExact: false };
    }
    return { state: ABSENT, row: this.rows.first, isExact: false };
  }
}
