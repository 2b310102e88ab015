import FluxLog

/// A step as lists have it: `{"n","t","type","changed","rejected"?}`.
struct StepLine {
  let step: LogStep
  let changed: [String]

  init(at position: Int, in timeline: Timeline) throws(LogError) {
    step = try timeline.log.step(at: position)
    changed = try timeline.changedStores(at: position)
  }
}

extension Int {
  /// The number and what is counted: `1 step`, `2 steps`.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension JSONWriter {
  /// Writes a step of a list.
  mutating func step(_ line: StepLine) {
    beginObject()
    name("n")
    uint(line.step.number)
    name("t")
    seconds(line.step.time)
    member("type", line.step.type)
    name("changed")
    strings(line.changed)
    if let rejection = line.step.rejection { self.rejection(rejection) }
    endObject()
  }
}

extension TextOutput {
  /// Writes a step of a list: `5 todo/toggle {"id":2} +3s  todos`.
  mutating func step(_ line: StepLine) throws {
    let step = line.step
    write("\(step.number) ", .number)
    write(step.type, .action)
    if let payload = step.payload { write(" \(payload.description.shortened)") }
    write(" +\(step.time.seconds)s", .dim)
    if let rejection = step.rejection {
      write("  rejected: ", .error)
      write("\(rejection.reason): \(rejection.message)")
    } else if !line.changed.isEmpty {
      write("  \(line.changed.joined(separator: ", "))", .dim)
    }
    if let cause = step.cause { write("  caused by \(cause)", .dim) }
    try endLine()
  }
}
