import FluxLog

/// An action and where it came from: `{"action","target","cause","effect","at"}`.
struct ActionAnswer: Answer {
  let step: LogStep

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("action")
    json.writer.raw(step.action)
    if let target = step.target { json.writer.member("target", target) }
    if let cause = step.cause {
      json.writer.name("cause")
      json.writer.uint(cause)
    }
    if let effect = step.effect { json.writer.member("effect", effect) }
    if let source = step.source { json.writer.member("at", source) }
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    try text.line(step.type, .action)
    if let payload = step.payload { try text.value(payload) }
    let origins = [
      ("target", step.target), ("cause", step.cause.map { "step \($0)" }),
      ("effect", step.effect), ("at", step.source),
    ]
    for case (let label, let origin?) in origins {
      text.write("\(label): ", .dim)
      try text.line(origin)
    }
  }
}
