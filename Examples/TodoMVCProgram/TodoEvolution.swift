import FluxJSON
import FluxLog
import FluxRecorder

/// The changes since version 0.9, in which `done` was called `completed`.
let todoEvolution: Evolution = {
  var evolution = Evolution()
  evolution.actionUpcasters["todo/complete"] = { action in ("todo/toggle", action.payload) }
  for type in ["todo/loaded", "todo/toggleAll"] {
    evolution.actionUpcasters[type] = { action in
      (action.type, action.payload?.renaming("completed", to: "done"))
    }
  }
  evolution.stateUpcasters["todos"] = { $0.renaming("completed", to: "done") }
  return evolution
}()

extension JSON {
  /// Returns the value with a member renamed at every depth.
  fileprivate func renaming(_ old: String, to new: String) -> JSON {
    var writer = JSONWriter()
    writer.write(self) { $0 == old ? new : $0 }
    do {
      return try writer.json().canonical()
    } catch {
      preconditionFailure("what was written value by value is a value: \(error)")
    }
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ value: JSON, _ rename: (String) -> String) {
    switch value.kind {
    case .object:
      beginObject()
      for member in value.members {
        name(rename(member.name))
        write(member.value, rename)
      }
      endObject()
    case .array:
      beginArray()
      for element in value.elements { write(element, rename) }
      endArray()
    case .null, .bool, .number, .string: raw(value)
    }
  }
}
