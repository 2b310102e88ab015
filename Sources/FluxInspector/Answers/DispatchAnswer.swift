import FluxLog
import FluxReplay

/// What an action did on a branch: `{"fork","steps":[…],"changes":[…],"rejected"?}`.
struct DispatchAnswer: Answer {
  let fork: Int
  /// The action's own step, and those of its follow-ups.
  let steps: [BranchStep]
  let changes: [ModelChange]

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("fork")
    json.writer.int(fork)
    try json.steps(steps)
    json.writer.name("changes")
    json.writer.beginArray()
    for change in changes { json.writer.change(change) }
    json.writer.endArray()
    if let rejection = steps.first?.rejection { json.writer.rejection(rejection) }
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    try text.line("fork \(fork)", .heading)
    for step in steps { try text.step(step) }
    for change in changes { try text.change(change) }
  }
}
