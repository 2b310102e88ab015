public import FluxJSON
public import FluxLog
import FluxReplay

/// The positions that a session stood at, like the history of a browser.
package struct JumpHistory: Sendable {
  private var positions: [Int]
  private var place = 0

  package init(start: Int) { positions = [start] }

  var current: Int { positions[place] }

  /// Adds a move, and forgets the moves that were undone; ignores a move to the same position.
  package mutating func append(_ position: Int) {
    guard position != current else { return }
    positions.removeSubrange((place + 1)...)
    positions.append(position)
    place += 1
  }

  /// Sets another position without a move.
  mutating func replace(_ position: Int) { positions[place] = position }

  /// Goes back by one move; returns `false` if there is none.
  mutating func undo() -> Bool {
    guard place > 0 else { return false }
    place -= 1
    return true
  }

  /// Repeats one move that was undone; returns `false` if there is none.
  mutating func redo() -> Bool {
    guard place + 1 < positions.count else { return false }
    place += 1
    return true
  }
}

// On a fork, steps, causes and searches for stops and filters lead over its steps. Every other move leads to the recording.
extension Session {
  /// Describes the current position, as the end of a move.
  public func here(stopped stop: Move.Stop = .goto) throws -> Move {
    let displays = try displays.map { try value(of: $0) }
    if let here = forkHere {
      return Move(
        step: here.number, fork: here.fork.number, try currentStep(),
        changed: here.step?.changed ?? [], unrecorded: [], stopped: stop, displays: displays)
    }
    return Move(
      step: number(at: position), try currentStep(),
      changed: try timeline.changedStores(at: position),
      unrecorded: try timeline.unrecordedStores(at: position), stopped: stop, displays: displays)
  }

  /// Moves to a position.
  ///
  /// Relative positions are cut off at the ends of the log; a note says so.
  ///
  /// - Throws: ``CommandError`` if the log has no such position, and `LogError` if the step cannot be read. The
  ///   session then stays where it is.
  public mutating func move(to position: Position) throws -> Move {
    let resolved = try resolve(position)
    return try move(
      to: resolved.position, stopped: resolved.clamped ?? .goto, notes: resolved.notes)
  }

  /// Moves to the state before the first step.
  public mutating func moveToStart() throws -> Move {
    try move(to: Timeline.start, stopped: .start)
  }

  /// Moves to the last step; waits for the whole index.
  public mutating func moveToEnd() throws -> Move {
    let move = try move(to: try lastPosition(), stopped: .end)
    // A running app may have made a step meanwhile.
    if services.live != nil { liveView.followed = position }
    return move
  }

  /// Moves by a number of steps, cut off at the ends of the log.
  public mutating func step(
    _ count: UInt64 = 1, _ direction: SearchDirection = .forwards
  ) throws -> Move {
    let resolved = try relative(direction, count)
    return try move(
      to: place(ofStep: resolved.position), stopped: resolved.clamped ?? .step,
      notes: resolved.notes)
  }

  /// Moves by a number of root actions: steps without a cause.
  public mutating func stepOverRoots(
    _ count: UInt64 = 1, _ direction: SearchDirection = .forwards
  ) throws -> Move {
    var target = stepIndex
    for passed in 0..<count {
      try checkInterruption()
      guard let found = try search(direction, beyond: target, { firstRoot(in: $0, direction) })
      else {
        let note = note(onEnd: direction, after: passed, of: count, "root actions")
        return try moveToEnd(direction, notes: [Note(note)])
      }
      target = found
    }
    return try move(to: place(ofStep: target), stopped: .step)
  }

  private func firstRoot(in range: Range<Int>, _ direction: SearchDirection) -> Int? {
    guard let here = forkHere else {
      return log.position(in: range, direction) { !$0.hasCause }
    }
    return direction.indices(in: range).first(where: here.fork.history.isRoot)
  }

  /// Goes back to the position before the last move.
  public mutating func undo() throws -> Move {
    try walkHistory(missing: "there is no move to undo") { $0.undo() }
  }

  /// Repeats the last move that was undone.
  public mutating func redo() throws -> Move {
    try walkHistory(missing: "there is no undone move to repeat") { $0.redo() }
  }

  private mutating func walkHistory(
    missing: String, _ walk: (inout JumpHistory) -> Bool
  ) throws -> Move {
    var jumps = jumps
    guard walk(&jumps) else { throw CommandError(.notFound, missing) }
    var move = try standing(at: jumps.current).here()
    self.jumps = jumps
    if let note = leaveFork() { move.notes.append(note) }
    return move
  }

  // MARK: Searches

  func note(onUnjudgedSteps count: Int) -> Note {
    Note(
      SearchEnd.sentence(onUnknownSteps: count),
      next: services.app == nil ? nil : .redispatch(places: nil))
  }

  /// The number of steps at which an expression cannot be evaluated, because a state is unknown; nil if there is none.
  func unjudgedSteps(of expression: QueryExpression, in range: Range<Int>) throws -> Int? {
    guard !log.breaks.isEmpty || log.hasUnwrittenStates else { return nil }
    return try positions(matching: .expression(expression), in: range).run(work) { _ in }
      .trailer.unknownSteps
  }

  /// Moves to the nearest step, strictly beyond here, that a filter matches; stays if there is none.
  public mutating func move(
    toNearest filter: StepFilter, _ direction: SearchDirection = .forwards
  ) throws -> Move {
    let found = try search(direction, beyond: stepIndex) { range in
      try firstMatch(of: filter, in: range, direction)
    }
    guard let found else {
      var move = try here(stopped: .none)
      move.notes += try remarks(onMissing: filter, direction)
      return move
    }
    var move = try move(to: place(ofStep: found), stopped: .until)
    if case .expression(let expression) = filter, !expression.existenceTests.isEmpty {
      move.notes += try remarks(on: expression)
    }
    if forkHere == nil { move.notes += timeline.unquotedTexts(in: filter) }
    return move
  }

  private func firstMatch(
    of filter: StepFilter, in range: Range<Int>, _ direction: SearchDirection
  ) throws -> Int? {
    if let here = forkHere {
      return try direction.indices(in: range).first { step in
        try checkInterruption()
        return try here.fork.history.matches(filter, at: step, check: check)
      }
    }
    let condition: StopCondition =
      switch filter {
      case .glob(let glob): .action(glob, where: nil)
      case .expression(let expression), .text(_, let expression): .expression(expression)
      }
    return try stop(at: [condition], in: range, direction)?.position
  }

  /// The likely reasons why no step beyond here matches a filter.
  private func remarks(
    onMissing filter: StepFilter, _ direction: SearchDirection
  ) throws -> [Note] {
    guard case .expression(let expression) = filter else { return try suggestions(for: filter) }
    var remarks = try doubts(about: expression)
    guard forkHere == nil else { return remarks }
    let rest = direction == .forwards ? position + 1..<log.count : 0..<max(0, position)
    if let count = try unjudgedSteps(of: expression, in: rest) {
      remarks.append(note(onUnjudgedSteps: count))
    }
    return remarks
  }

  /// Moves to the last step before here that changed a value; stays if there is none.
  public mutating func move(toLastChangeOf value: ValueQuery) throws -> Move {
    try move(toChangeOf: value, from: positionInRecording, .backwards)
  }

  /// Moves to the first step of the log that changed a value; stays if there is none.
  public mutating func move(toFirstChangeOf value: ValueQuery) throws -> Move {
    try move(toChangeOf: value, from: Timeline.start, .forwards)
  }

  private mutating func move(
    toChangeOf value: ValueQuery, from position: Int, _ direction: SearchDirection
  ) throws -> Move {
    if let found = try nearestStop(at: [.change(value, where: nil)], from: position, direction) {
      return try move(to: found.position, stopped: .goto)
    }
    var move = try standing(at: self.position).here(stopped: .none)
    if let note = leaveFork() { move.notes.append(note) }
    switch value {
    case .path(let path):
      if let note = try miss(of: path) { move.notes.insert(Note(note), at: 0) }
    case .expression(let expression): move.notes += try timeline.misses(of: expression)
    }
    return move
  }

  /// Finds the step where an expression became true by binary search, and moves there.
  ///
  /// The search finds the step only if the expression became true once and stayed true. It begins at `start`, which is nil
  /// for the start of the log or, backwards, its end. Backwards, the expression holds at the step and at all earlier ones.
  public mutating func bisect(
    _ expression: QueryExpression, from start: Position? = nil,
    _ direction: SearchDirection = .forwards
  ) throws -> Bisection {
    try waitForIndex()
    let range = try start.map { start in
      let position = try resolve(start).position
      return direction == .forwards
        ? position..<timeline.positions.upperBound : Timeline.start..<position + 1
    }
    let result = try timeline.bisect(
      expression, in: range, direction, of: document(at:), check: check)
    guard let position = result?.position else {
      let note = leaveFork()
      return Bisection(
        move: nil, isMonotone: result?.isMonotone ?? true,
        notes: (note.map { [$0] } ?? []) + (try doubts(about: expression)))
    }
    let move = try move(to: position, stopped: .goto)
    return Bisection(
      move: move, isMonotone: result?.isMonotone ?? true,
      notes: move.notes + (try remarks(on: expression)))
  }

  // MARK: Playing

  /// Passes one step after the other at the recorded pace, up to the next stop point or the end of the log.
  ///
  /// - Parameters:
  ///   - speed: The pace as a multiple of the recorded one. At 0, the second step never comes; a negative pace and NaN do
  ///     not wait.
  ///   - passing: Receives every step but the last one.
  /// - Returns: The last step.
  /// - Throws: Errors of the log, and of `passing`.
  public mutating func play(
    speed: Double = 1, passing: (Move) throws -> Void = { _ in }
  ) throws -> Move {
    let points = stops.enabled
    let (conditions, notes) = try stopConditions(of: points)
    var here = positionInRecording
    var next = try nextPosition(after: here)
    while let target = next {
      // A wait of decades counts as one without end, and would overflow a duration.
      let wait = try seconds(from: here, to: target) / speed
      services.pause(wait > 0 ? min(wait, 1e9) : 0)
      guard !services.isInterrupted() else {
        return try move(to: here, stopped: .step, notes: notes + ["interrupted"])
      }
      here = target
      let stop = try timeline.stop(
        at: conditions, in: here..<here + 1, .forwards, check: check)
      if let stop {
        let hits = try stop.conditions.map { try hit(points[$0], at: here) }
        return try move(to: .recording(here), reaching: hits, notes: notes)
      }
      next = try nextPosition(after: here)
      if next != nil { try passing(try standing(at: here).here(stopped: .step)) }
    }
    return try move(to: here, stopped: .end, notes: notes)
  }

  private func nextPosition(after position: Int) throws -> Int? {
    try standing(at: position).search(.forwards, beyond: position) { $0.first }
  }

  /// The seconds between two steps of the app; 0 from the start.
  private func seconds(from position: Int, to next: Int) throws -> Double {
    guard position >= 0 else { return 0 }
    let (earlier, later) = (try timeline.step(at: position).time, try timeline.step(at: next).time)
    guard later > earlier else { return 0 }
    return Double(later.microseconds - earlier.microseconds) / 1_000_000
  }

  // MARK: The end of a move

  /// Moves to the last step of the recording, or of the fork here; backwards, to the state before the first.
  mutating func moveToEnd(_ direction: SearchDirection, notes: [Note]) throws -> Move {
    try move(
      to: place(ofStep: direction == .forwards ? try lastStep() : Timeline.start),
      stopped: direction == .forwards ? .end : .start, notes: notes)
  }

  /// Moves to a position of the recording.
  mutating func move(
    to position: Int, stopped stop: Move.Stop, notes: [Note] = []
  ) throws -> Move {
    try move(to: .recording(position), stopped: stop, notes: notes)
  }

  /// Moves to a place.
  ///
  /// The description comes first, so a step that cannot be read leaves the session where it is.
  mutating func move(
    to place: Place, stopped stop: Move.Stop, notes: [Note] = []
  ) throws -> Move {
    let there = try standing(at: place)
    var move = try there.here(stopped: stop)
    move.notes = notes
    guard case .recording(let position) = place else {
      forkPlace = there.forkPlace
      return move
    }
    move.notes += breaks(onTheWayTo: position)
    if position >= 0 {
      move.notes += try timeline.removalFindings(at: position).map { Note($0.description) }
    }
    if position == timeline.end { move.notes += log.inFlightNotes }
    jumps.append(position)
    if let note = leaveFork() { move.notes.append(note) }
    return move
  }

  /// The gaps and damage between here and a position next to it.
  private func breaks(onTheWayTo other: Int) -> [Note] {
    abs(other - position) == 1 ? breaks(before: max(other, position)) : []
  }

  /// The gaps and damage right before a step.
  func breaks(before position: Int) -> [Note] {
    var notes = log.gaps(before: position).map { Note($0.sentence) }
    if log.isDamaged(before: position) {
      notes.append("lines before step \(number(at: position)) are damaged and left out")
    }
    return notes
  }
}
