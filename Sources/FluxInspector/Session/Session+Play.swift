import FluxLog

extension Session {
  /// Passes one step after the other at the recorded pace, until something stops it.
  ///
  /// For programs only the last step is written, as each command gives one document.
  mutating func play(speed: Double) throws -> MoveAnswer {
    let points = stops.enabled
    let conditions = try stopConditions(of: points)
    var here = position
    var next = try position(after: here)
    while let target = next {
      services.pause(try seconds(from: here, to: target) / speed)
      guard !services.isInterrupted() else {
        notes.append("interrupted")
        return try move(to: here, stopped: .step)
      }
      here = target
      let stop = try timeline.stop(
        at: conditions, in: here..<here + 1, .forwards, check: check)
      if let stop { return try move(to: here, reaching: stop.conditions.map { points[$0] }) }
      next = try position(after: here)
      // The last one is the answer.
      if next != nil { try emit(try moveAnswer(at: here, stopped: .step), of: "play") }
    }
    return try move(to: here, stopped: .end)
  }

  private func position(after position: Int) throws -> Int? {
    try searchAhead(from: position) { $0.first }
  }

  /// How long the app took from one step to another; nothing from the start.
  private func seconds(from position: Int, to next: Int) throws -> Double {
    guard position >= 0 else { return 0 }
    let (earlier, later) = (try timeline.step(at: position).time, try timeline.step(at: next).time)
    guard later > earlier else { return 0 }
    return Double(later.microseconds - earlier.microseconds) / 1_000_000
  }
}
