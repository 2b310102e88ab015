import FluxLog

extension Session {
  /// Moves by so many steps; at the ends of the log the move is cut off.
  mutating func move(_ count: UInt64, _ direction: SearchDirection) throws -> MoveAnswer {
    let resolved = try relative(direction, count)
    if let note = resolved.note { notes.append(note) }
    return try move(to: resolved.position, stopped: resolved.clamped ?? .step)
  }

  /// Moves by so many root actions, which are steps without a cause.
  mutating func moveOverRoots(
    _ count: UInt64, _ direction: SearchDirection
  ) throws -> MoveAnswer {
    var target = position
    for passed in 0..<count {
      try checkInterruption()
      guard let found = try root(direction, from: target) else {
        let end = direction == .forwards ? try lastPosition() : Timeline.start
        notes.append(
          "stopped at the \(direction == .forwards ? "end" : "start"), "
            + "after \(passed) of \(count) root actions")
        return try move(to: end, stopped: direction == .forwards ? .end : .start)
      }
      target = found
    }
    return try move(to: target, stopped: .step)
  }

  private func root(_ direction: SearchDirection, from position: Int) throws -> Int? {
    guard direction == .forwards else {
      return try log.lastPosition(in: 0..<max(0, position)) { !$0.hasCause }
    }
    return try searchAhead(from: position) { range in
      try log.firstPosition(in: range) { !$0.hasCause }
    }
  }
}
