import FluxLog

/// The steps that match: `{"steps":[{"n","t","type","changed","rejected"?}]}`, and `"unknown"`, the
/// number of steps that could not be judged, where there are such.
///
/// All but the first are looked for while they are written.
struct FindAnswer: Answer {
  let session: Session
  /// What was found so far.
  let found: [Int]
  /// Finds the rest.
  let search: StepSearch

  var exitCode: Int32 { found.isEmpty ? 1 : 0 }

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("steps")
    json.writer.beginArray()
    let unknownSteps = try forEachStep { line in
      json.writer.step(line)
      try json.drain()
    }
    json.writer.endArray()
    if unknownSteps > 0 {
      json.writer.name("unknown")
      json.writer.int(unknownSteps)
    }
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    let unknownSteps = try forEachStep { line in try text.step(line) }
    if found.isEmpty { try text.line("no step matches", .dim) }
    try text.unjudged(unknownSteps)
  }

  /// Returns how many steps could not be judged.
  private func forEachStep(_ body: (StepLine) throws -> Void) throws -> Int {
    var search = search
    var batch = found
    while !batch.isEmpty {
      for position in batch {
        try session.checkInterruption()
        try body(try StepLine(at: position, in: session.timeline))
      }
      batch = try search.nextBatch()
    }
    return search.unknownSteps
  }
}

extension TextOutput {
  /// Says how many steps could not be judged, where there are such.
  mutating func unjudged(_ count: Int) throws {
    guard count > 0 else { return }
    let steps = count.counted("step")
    try line("\(steps) cannot be judged: a state that decides is not known there", .dim)
  }
}
