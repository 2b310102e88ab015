public import FluxJSON
public import FluxLog
import FluxReplay

extension Session {
  /// The stop points, by number.
  public var stopPoints: StopPointList { StopPointList(breakpoints: stops.points) }

  /// Adds a stop point.
  ///
  /// - Parameters:
  ///   - kind: The steps to stop at. A catchpoint for divergences needs an app, and replays the whole log before
  ///     the first move that could stop there.
  ///   - condition: An expression that has to hold as well, for breakpoints and watchpoints.
  ///   - isTemporary: `true` to delete the point when a move reaches it.
  /// - Returns: The stop point, with notes on a type or a path that the log does not have.
  /// - Throws: ``CommandError`` of code `no-app` if the kind needs an app, and errors of the log.
  public mutating func addStopPoint(
    _ kind: StopPoint.Kind, if condition: QueryExpression? = nil, isTemporary: Bool = false
  ) throws -> StopPointChange {
    var notes: [Note] = []
    switch kind {
    case .breakpoint(let glob):
      if log.isIndexComplete, let note = unknownType(glob) { notes.append(note) }
    case .watchpoint(let query):
      if case .path(let path) = query, let note = try miss(of: path) { notes.append(Note(note)) }
    case .divergence:
      // Without an app, no move could ever stop there.
      _ = try app()
      // The app may have been built again since the last replay.
      replayed = nil
    case .rule(let name):
      if try violations(of: name).isEmpty {
        notes.append("the rule \(name) is violated at no step, so no move stops there")
      }
    case .rejection, .gap, .steps: break
    }
    if let condition, log.isIndexComplete {
      notes += try standing(at: position).doubts(about: condition)
    }
    return StopPointChange(
      stops.add(kind, if: condition, isTemporary: isTemporary), .added, notes: notes)
  }

  /// Deletes a stop point.
  public mutating func removeStopPoint(_ number: Int) throws(CommandError) -> StopPointChange {
    StopPointChange(try stops.remove(number), .deleted)
  }

  /// Enables or disables a stop point.
  public mutating func setStopPoint(
    _ number: Int, isEnabled: Bool
  ) throws(CommandError) -> StopPointChange {
    let point = try stops.change(number) { $0.isEnabled = isEnabled }
    return StopPointChange(point, isEnabled ? .enabled : .disabled)
  }

  /// The command lines that run when a move reaches a stop point.
  public func commands(ofStopPoint number: Int) throws(CommandError) -> [String] {
    stops.points[try stops.index(of: number)].commands
  }

  /// Replaces the command lines that a console runs when a move reaches a stop point.
  public mutating func setCommands(
    _ commands: [String], ofStopPoint number: Int
  ) throws(CommandError) -> StopCommands {
    _ = try stops.change(number) { $0.commands = commands }
    return StopCommands(number: number, commands: commands)
  }

  private func unknownType(_ glob: Glob) -> Note? {
    guard log.position(in: 0..<log.count, typeWhere: glob.matches) == nil else {
      return nil
    }
    if case .step(let number)? = Position(glob.description) {
      return Note("no action of the log matches \(glob)", next: .goToStep(number))
    }
    let store = glob.description.prefix { $0 != "." && $0 != "[" }
    if log.storeNames.contains(String(store)) {
      return Note("no action of the log matches \(glob)", next: .watch("\(glob)"))
    }
    let suggestion = log.suggestion(for: glob).map { "; \($0)" } ?? ""
    return "no action of the log matches \(glob)\(suggestion)"
  }

  /// Moves to the nearest stop point; to the end of the log, or of the fork, in this direction if there is none.
  public mutating func run(_ direction: SearchDirection = .forwards) throws -> Move {
    let points = stops.enabled
    // Only the recording is searched for conditions; a fork looks at each of its steps.
    var (conditions, notes) = try forkHere == nil ? stopConditions(of: points) : ([], [])
    let found = try search(direction, beyond: stepIndex) { range in
      try points.isEmpty ? nil : firstHits(of: points, conditions, in: range, direction)
    }
    if forkHere == nil {
      let passed =
        direction == .forwards
        ? position + 1..<max(position + 1, found?.step ?? log.count)
        : min(found.map { $0.step + 1 } ?? 0, max(0, position))..<max(0, position)
      let unjudged = try unjudgedSteps(of: conditions, in: passed)
      if unjudged > 0 { notes.append(note(onUnjudgedSteps: unjudged)) }
    }
    guard let found else { return try moveToEnd(direction, notes: notes) }
    return try move(to: place(ofStep: found.step), reaching: found.hits, notes: notes)
  }

  /// The first step of a range that meets stop points, of the recording or of the fork that the session is on.
  private func firstHits(
    of points: [StopPoint], _ conditions: [StopCondition], in range: Range<Int>,
    _ direction: SearchDirection
  ) throws -> (step: Int, hits: [StopHit])? {
    guard forkHere == nil else { return try firstForkHits(of: points, in: range, direction) }
    guard let stop = try stop(at: conditions, in: range, direction) else { return nil }
    return (stop.position, try stop.conditions.map { try hit(points[$0], at: stop.position) })
  }

  /// Returns the number of steps in a range at which conditions cannot be evaluated.
  ///
  /// Examines only the steps at which a state is unknown, which the index tells: a log with one gap may have millions of
  /// others.
  private func unjudgedSteps(of conditions: [StopCondition], in range: Range<Int>) throws -> Int {
    var count = 0
    var position = range.lowerBound
    while position < range.upperBound {
      let nextBreak = log.breaks.first { $0.position > position }?.position ?? range.upperBound
      let end = min(nextBreak, range.upperBound)
      guard log.storeNames.allSatisfy({ timeline.hasState(of: $0, at: position) }) else {
        let known = timeline.firstKnownPosition(in: position..<end) ?? end
        count += try timeline.unjudgedSteps(of: conditions, in: position..<known, check: check)
        position = known
        continue
      }
      let unwritten =
        log.hasUnwrittenStates
        ? log.position(in: position + 1..<end) { $0.writes.contains { $0.kind == .unwritten } }
        : nil
      position = unwritten ?? end
    }
    return count
  }

  // MARK: Searching

  /// The positions of all steps beyond a position that a stop point of this kind would stop at, in order.
  ///
  /// - Parameters:
  ///   - kind: The kind of the stop point.
  ///   - condition: An expression that has to hold as well.
  ///   - start: The position before the first candidate.
  /// - Returns: The positions; waits for the whole index.
  /// - Throws: ``CommandError`` if it is interrupted, and errors of the log.
  public mutating func positions(
    of kind: StopPoint.Kind, if condition: QueryExpression? = nil,
    beyond start: Int = Timeline.start
  ) throws -> [Int] {
    let point = StopPoint(number: 0, kind: kind, condition: condition, isTemporary: false)
    let conditions = try stopConditions(of: [point]).conditions
    var positions: [Int] = []
    // A step before the log or after it is none to search beyond.
    var last = min(max(start, Timeline.start), .max - 1)
    while let stop = try nearestStop(at: conditions, from: last, .forwards) {
      positions.append(stop.position)
      last = stop.position
    }
    return positions
  }

  /// The number of steps between two reports of progress: a fraction of a second if each has to be evaluated.
  private static let stretch = 4096

  /// Finds the nearest step of the recording strictly beyond a position that meets one of several conditions.
  func nearestStop(
    at conditions: [StopCondition], from position: Int, _ direction: SearchDirection
  ) throws -> Stop? {
    guard !conditions.isEmpty else { return nil }
    return try standing(at: position).search(direction, beyond: position) { range in
      try stop(at: conditions, in: range, direction)
    }
  }

  /// Finds the first step of a range of the recording that meets one of several conditions.
  func stop(
    at conditions: [StopCondition], in range: Range<Int>, _ direction: SearchDirection
  ) throws -> Stop? {
    let report = work.reporting("searching")
    let stretch = conditions.allSatisfy(\.isAnsweredByIndex) ? range.count : Self.stretch
    var rest = range
    while !rest.isEmpty {
      try report(range.count - rest.count, range.count)
      let part = direction.beginning(of: rest, count: stretch)
      if let stop = try timeline.stop(at: conditions, in: part, direction, check: check) {
        return stop
      }
      rest = direction.rest(of: rest, beyond: part)
    }
    return nil
  }

  /// Moves to a step that meets stop points.
  mutating func move(
    to place: Place, reaching hits: [StopHit], notes: [Note]
  ) throws -> Move {
    var move = try move(to: place, stopped: hits.first?.point.stop ?? .step, notes: notes)
    move.number = hits.first?.point.number
    move.hits = hits
    if case .recording(let position) = place, hits.contains(where: \.point.isAtGap) {
      // The move has told them if it came from the step before.
      move.notes += breaks(before: position).filter { !move.notes.contains($0) }
    }
    move.notes += hits.compactMap(\.note).map { Note($0) }
    switch hits.lazy.compactMap(\.finding).first {
    case .divergence(let divergence): move.divergence = divergence
    case .failure(let failure): move.failure = failure.description
    case nil: break
    }
    stops.reach(hits.map(\.point.number))
    return move
  }

  /// The way in which a step of the recording meets a stop point.
  func hit(_ point: StopPoint, at position: Int) throws -> StopHit {
    var hit = StopHit(point: point)
    switch point.kind {
    case .watchpoint(let query):
      hit.old = try LogError.ifKnown {
        try values(of: query, in: timeline.document(before: position, for: query))
      }
      hit.new = try LogError.ifKnown { try values(of: query, in: timeline.document(at: position)) }
    case .divergence: hit.finding = replayed?.findings[position]
    case .breakpoint, .rejection, .gap, .rule, .steps: break
    }
    return hit
  }

  // MARK: Conditions

  /// The conditions of stop points, in the same order, and remarks on the replay that they took.
  mutating func stopConditions(
    of points: [StopPoint]
  ) throws -> (conditions: [StopCondition], notes: [Note]) {
    var conditions: [StopCondition] = []
    var notes: [Note] = []
    for point in points {
      switch point.kind {
      case .breakpoint(let glob): conditions.append(.action(glob, where: point.condition))
      case .watchpoint(let query): conditions.append(.change(query, where: point.condition))
      case .rejection: conditions.append(.rejection)
      case .gap: conditions.append(.gap)
      case .steps(let positions, _):
        conditions.append(.positions(positions, where: point.condition))
      case .divergence:
        conditions.append(.positions(try replayedLog(&notes).findings.keys.sorted()))
      case .rule(let name): conditions.append(.positions(try violations(of: name).sorted()))
      }
    }
    return (conditions, notes)
  }
}

extension StopCondition {
  /// `true` if the index answers it without reading a line, in milliseconds for millions of steps.
  fileprivate var isAnsweredByIndex: Bool {
    switch self {
    case .action(_, let expression), .positions(_, let expression): expression == nil
    case .expression, .change: false
    case .rejection, .gap: true
    }
  }
}
