import FluxLog
import FluxReplay

/// An action and where it came from: `{"action","target","cause","effect","at"}`.
struct ActionAnswer: Answer {
  let action: JSON
  let target: String?
  let cause: UInt64?
  let effect: String?
  /// The line of the app that dispatched it.
  let source: String?

  init(step: LogStep) {
    (action, target, cause, effect) = (step.action, step.target, step.cause, step.effect)
    source = step.source
  }

  init(step: BranchStep) {
    (action, target, cause, effect) = (step.action, step.target, step.cause, step.effect)
    source = nil
  }

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("action")
    json.writer.raw(action)
    if let target { json.writer.member("target", target) }
    if let cause {
      json.writer.name("cause")
      json.writer.uint(cause)
    }
    if let effect { json.writer.member("effect", effect) }
    if let source { json.writer.member("at", source) }
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    try text.line(action["type"]?.string ?? "", .action)
    if let payload = action["payload"] { try text.value(payload) }
    let origins = [
      ("target", target), ("cause", cause.map { "step \($0)" }),
      ("effect", effect), ("at", source),
    ]
    for case (let label, let origin?) in origins {
      text.write("\(label): ", .dim)
      try text.line(origin)
    }
  }
}
