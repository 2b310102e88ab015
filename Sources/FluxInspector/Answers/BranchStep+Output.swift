import FluxLog
import FluxReplay

extension JSONOutput {
  /// Writes the member with the steps of a branch:
  /// `[{"n","t","type","changed","cause"?,"repeats"?,"rejected"?,"effects"?}]`.
  mutating func steps(_ steps: [BranchStep]) throws {
    writer.name("steps")
    writer.beginArray()
    for step in steps {
      writer.step(step)
      try drain()
    }
    writer.endArray()
  }
}

extension JSONWriter {
  fileprivate mutating func step(_ step: BranchStep) {
    beginObject()
    name("n")
    uint(step.number)
    name("t")
    seconds(step.time)
    member("type", step.type)
    name("changed")
    strings(step.changes.map(\.store))
    member("cause", step.cause)
    member("repeats", step.repeats)
    if let rejection = step.rejection { self.rejection(rejection) }
    if !step.effects.isEmpty {
      name("effects")
      strings(step.effects)
    }
    endObject()
  }
}

extension TextOutput {
  /// Writes a step of a branch: `5 todo/toggle {"id":2} +3s  todos  repeats 6`.
  mutating func step(_ step: BranchStep) throws {
    write("\(step.number) ", .number)
    write(step.type, .action)
    if let payload = step.action["payload"] { write(" \(payload.description.shortened)") }
    write(" +\(step.time.seconds)s", .dim)
    if let rejection = step.rejection {
      write("  rejected: ", .error)
      write("\(rejection.reason): \(rejection.message)")
    } else if !step.changes.isEmpty {
      write("  \(step.changes.map(\.store).joined(separator: ", "))", .dim)
    }
    if let cause = step.cause { write("  caused by \(cause)", .dim) }
    if let repeats = step.repeats, repeats != step.number { write("  repeats \(repeats)", .dim) }
    if !step.effects.isEmpty {
      write("  effects that do not run: \(step.effects.joined(separator: ", "))", .dim)
    }
    try endLine()
  }
}
