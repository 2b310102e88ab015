// A replay host for Redux: answers flux-inspect on standard streams, as docs/app-protocol.md describes.
import { createInterface } from "node:readline";

// Serves a reducer until the input ends; returns false if nobody asked for a host. `slices` names the members of the
// root state, for logs that were imported with --slices.
export async function serveReplays(name, reducer, slices) {
  if (process.env.FLUX_REPLAY_HOST !== "stdio") return false;
  console.log = console.error; // Standard output is for answers alone.
  const stores = slices ?? ["state"];
  const part = (root, store) => (slices ? root?.[store] : root);
  const pick = (root, names) => Object.fromEntries(names.map((store) => [store, part(root, store)]));
  const sessions = [];

  const dispatch = (session, { n = session.next, t, action }) => {
    const before = session.root;
    session.next = n + 1;
    try {
      session.root = reducer(before, action);
    } catch (error) {
      return { n, t, rejected: { reason: "error", message: String(error) } };
    }
    const changed = stores.filter((store) => part(before, store) !== part(session.root, store));
    const removed = changed.filter((store) => part(session.root, store) === undefined);
    return { n, t, states: pick(session.root, changed), removed }; // JSON leaves out what is undefined.
  };

  const app = { name, stores: stores.map((name) => ({ name })), actionTypes: ["*"], reducers: "plain" };
  const methods = {
    initialize: () => ({ protocol: "1.1", app }),
    "session/start": ({ states, next }) => {
      const root = states ? (slices ? states : states.state) : reducer(undefined, { type: "@@INIT" });
      return { session: sessions.push({ root, next }) };
    },
    "session/dispatch": ({ session, actions }) => ({
      steps: actions.map((action) => dispatch(sessions[session - 1], action)),
    }),
    "session/states": ({ session }) => ({ states: pick(sessions[session - 1].root, stores) }),
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    const result = methods[method]?.(params) ?? {};
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\n");
    if (method === "shutdown") break;
  }
  return true;
}
