#!/usr/bin/env node
// An app around the reducer that flux-inspect can replay.
import { reducer } from "./reducer.mjs";
import { serveReplays } from "./replay-host.mjs";

if (!(await serveReplays("Todos", reducer))) {
  console.log(JSON.stringify(reducer(undefined, { type: "ADD_TODO", id: 0, text: "milk" })));
}
