import FluxRecorder

/// The changes since version 0.8, which had a store of stars and could sort, and 0.9, in which `done` was called
/// `completed`.
let todoEvolution: Evolution = {
  var evolution = Evolution()
  evolution.drop(store: "stars")
  evolution.drop(action: "star")
  evolution.drop(action: "todo/sort")
  evolution.actionUpcasters["todo/complete"] = { action in ("todo/toggle", action.payload) }
  for type in ["todo/loaded", "todo/toggleAll"] {
    evolution.renameMember("/**/completed", to: "done", inPayloadOf: type)
  }
  evolution.renameMember("/todos/**/completed", to: "done")
  return evolution
}()
