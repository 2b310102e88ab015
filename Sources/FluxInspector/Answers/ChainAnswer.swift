import FluxLog

/// What led to a step: `{"chain":[{"n","type"}]}`, from the step up to its root.
struct ChainAnswer: Answer {
  let session: Session
  /// The positions, the step itself first.
  let chain: [Int]
  /// The cause of the last of them, where it is not in the log.
  let missingCause: UInt64?

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("chain")
    json.writer.beginArray()
    for position in chain {
      json.writer.beginObject()
      json.writer.name("n")
      json.writer.stepNumber(session.stepNumber(at: position))
      json.writer.member("type", try session.log.type(at: position) ?? "")
      json.writer.endObject()
      try json.drain()
    }
    json.writer.endArray()
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    for (depth, position) in chain.enumerated() {
      try session.checkInterruption()
      let step = try session.log.step(at: position)
      text.write("#\(depth) ", .dim)
      text.write("\(step.number) ", .number)
      text.write(step.type, .action)
      if let payload = step.payload { text.write(" \(payload.description.shortened)") }
      if let effect = step.effect { text.write(" by the effect \(effect)", .dim) }
      if let source = step.source { text.write(" at \(source)", .dim) }
      try text.line(" +\(step.time.seconds)s", .dim)
    }
    if let missingCause {
      try text.line("#\(chain.count) step \(missingCause) is not in the log before it", .dim)
    }
  }
}
