import FluxJSON
package import FluxLog
import FluxSystem

extension Session {
  /// Finds a position in the log.
  ///
  /// Waits for the index as far as the form of the position needs it.
  ///
  /// - Throws: ``CommandError`` of code `bad-position` if the log has no such position, and errors of the log.
  public func resolve(_ position: Position) throws -> ResolvedPosition {
    switch position {
    case .step(let number): return try step(number)
    case .numberTooLarge(let text): throw try noStep(text)
    case .relative(let direction, let count):
      return try standing(at: positionInRecording).relative(direction, count)
    case .percent(let millionths): return try percent(millionths)
    case .start: return ResolvedPosition(position: Timeline.start)
    case .end: return ResolvedPosition(position: try lastPosition())
    case .beforeEnd(let count): return try beforeEnd(count)
    case .here: return ResolvedPosition(position: positionInRecording)
    case .time(let time): return ResolvedPosition(position: try self.position(atOrBefore: time))
    case .seconds(let direction, let time): return try fromHere(direction, time)
    case .clock(let clock): return try self.position(ofClock: clock)
    case .occurrence(let glob, let count): return try occurrence(glob, count)
    case .bookmark(let name): return try bookmarked(name)
    }
  }

  /// Finds the steps of a range; nil for all of them.
  ///
  /// A range that begins with the number of a missing step begins with the next step, not with the one before it.
  ///
  /// - Throws: ``CommandError`` if an end is outside the log, or the range ends before it begins.
  public func resolve(_ range: PositionRange?) throws -> Range<Int> {
    let end = try range?.through.map { try resolve($0).position }
    let last = try end ?? lastPosition()
    guard let from = range?.from else { return 0..<max(0, last + 1) }
    let first = try resolve(from).position
    guard first <= last else {
      throw CommandError(
        .badPosition,
        "the range ends at step \(number(at: last)), before it begins at step "
          + "\(number(at: first))")
    }
    return max(0, isMissing(from, before: first + 1) ? first + 1 : first)..<max(0, last + 1)
  }

  /// `true` if a position names a step in the gap right before the step at `next`.
  private func isMissing(_ position: Position, before next: Int) -> Bool {
    guard case .step(let number) = position, number >= log.header.first else { return false }
    return log.number(at: next - 1) != number
  }

  /// The last position; waits for the whole index.
  func lastPosition() throws -> Int {
    try waitForIndex()
    return timeline.end
  }

  // MARK: Numbers

  private func step(_ number: UInt64) throws -> ResolvedPosition {
    let first = log.header.first
    if number < first, first - number == 1 { return ResolvedPosition(position: Timeline.start) }
    while log.number(at: log.count - 1).map({ $0 < number }) ?? true {
      guard try waitForIndex(beyond: log.count) else { break }
    }
    guard number >= first, let last = lastNumber, number <= last else {
      throw try noStep(String(number))
    }
    let position = log.position(atOrBefore: number) ?? Timeline.start
    guard log.number(at: position) != number else { return ResolvedPosition(position: position) }
    guard let gap = log.gap(around: number) else { throw damaged(number, after: position) }
    let place = position < 0 ? "the start" : "step \(self.number(at: position))"
    return ResolvedPosition(position: position, note: "\(gap.sentence); this is \(place)")
  }

  /// The last number that the log speaks of: that of its last step, or of a gap behind it.
  private var lastNumber: UInt64? {
    let step = log.number(at: log.count - 1)
    guard let gap = log.gaps.last?.gap.through else { return step }
    return max(step ?? 0, gap)
  }

  private func noStep(_ number: String) throws -> CommandError {
    try waitForIndex()
    guard let last = lastNumber else {
      return CommandError(.badPosition, "there is no step \(number); the log has none")
    }
    return CommandError(
      .badPosition,
      "there is no step \(number); the log has steps \(log.header.first) to \(last)")
  }

  private func damaged(_ number: UInt64, after position: Int) -> CommandError {
    let finding = log.findings.first { $0.step == number }
    return CommandError(
      .damaged,
      finding.map { "step \(number) cannot be used: \($0)" }
        ?? "step \(number) is missing: its line is damaged or was removed",
      hint: "the nearest step before it is \(self.number(at: position))")
  }

  // MARK: From here

  /// A number of steps from here, cut off at the ends of the log; on a fork, the index of a step of the fork.
  func relative(_ direction: SearchDirection, _ count: UInt64) throws -> ResolvedPosition {
    let steps = Int(clamping: count)
    let isForwards = direction == .forwards
    while isForwards, steps > stepCount - 1 - stepIndex {
      guard try waitForSteps(beyond: stepCount) else { break }
    }
    let ahead = isForwards ? stepCount - 1 - stepIndex : stepIndex + 1
    let distance = min(steps, ahead)
    let isCut = steps > ahead
    return ResolvedPosition(
      position: isForwards ? stepIndex + distance : stepIndex - distance,
      clamped: isCut ? (isForwards ? .end : .start) : nil,
      note: isCut ? note(onEnd: direction, after: UInt64(ahead), of: count, "steps") : nil)
  }

  /// The note on a move that ended at an end of the log or the fork, before it had passed `count` things.
  func note(
    onEnd direction: SearchDirection, after passed: UInt64, of count: UInt64, _ things: String
  ) -> String {
    // A larger number was cut off itself, and is not one that anybody wrote.
    let all = count == .max ? "" : " of \(count)"
    return "stopped at the \(nameOfEnd(direction)), after \(passed)\(all) \(things)"
  }

  private func beforeEnd(_ count: UInt64) throws -> ResolvedPosition {
    let last = try lastPosition()
    guard count > last + 1 else { return ResolvedPosition(position: last - Int(count)) }
    return ResolvedPosition(
      position: Timeline.start, clamped: .start,
      note: "stopped at the start, \(last + 1) steps before the end")
  }

  private func percent(_ millionths: UInt64) throws -> ResolvedPosition {
    guard millionths <= 100_000_000 else {
      throw CommandError(.badPosition, "a position cannot be beyond 100%")
    }
    let count = UInt64(try lastPosition() + 1)
    let product = count.multipliedFullWidth(by: millionths)
    let steps = UInt64(100_000_000).dividingFullWidth(product).quotient
    return ResolvedPosition(position: Int(steps) - 1)
  }

  // MARK: Times

  /// The position that was the newest one some seconds before or after the step here.
  private func fromHere(
    _ direction: SearchDirection, _ time: LogTime
  ) throws -> ResolvedPosition {
    let position = positionInRecording
    let here = position < 0 ? 0 : try log.step(at: position).time.microseconds
    guard direction == .backwards else {
      let (sum, isTooLate) = here.addingReportingOverflow(time.microseconds)
      let target = LogTime(microseconds: isTooLate ? .max : sum)
      return ResolvedPosition(position: try self.position(atOrBefore: target))
    }
    guard time.microseconds <= here else {
      return ResolvedPosition(
        position: Timeline.start, clamped: .start,
        note: "the recording began later; this is the start")
    }
    return ResolvedPosition(
      position: try self.position(atOrBefore: LogTime(microseconds: here - time.microseconds)))
  }

  private func position(atOrBefore time: LogTime) throws -> Int {
    while try lastIndexedTime().map({ $0 <= time }) ?? true {
      guard try waitForIndex(beyond: log.count) else { break }
    }
    return try log.position(atOrBefore: time) ?? Timeline.start
  }

  private func lastIndexedTime() throws -> LogTime? {
    log.count > 0 ? try log.step(at: log.count - 1).time : nil
  }

  /// The clock time on the day of the recording; on the next day if the recording began later than that, and
  /// lasted long enough.
  private func position(ofClock clock: LogTime) throws -> ResolvedPosition {
    guard let created = log.header.created else {
      throw CommandError(
        .badPosition, "the log does not say when it was created; use seconds, as in @12.5")
    }
    let day: Int64 = 86_400_000_000
    let local = try created.microseconds % day + log.zoneOffset() * 1_000_000
    let beginning = ((local % day) + day) % day
    let since = Int64(clamping: clock.microseconds) - beginning
    if since >= 0 {
      let time = LogTime(microseconds: UInt64(since))
      return ResolvedPosition(position: try position(atOrBefore: time))
    }
    let next = LogTime(microseconds: UInt64(since + day))
    try waitForIndex()
    guard let last = try lastIndexedTime(), last >= next else {
      return ResolvedPosition(
        position: Timeline.start, note: "the recording began after that time; this is the start")
    }
    return ResolvedPosition(position: try position(atOrBefore: next))
  }

  // MARK: Names

  private func occurrence(_ glob: Glob, _ count: UInt64) throws -> ResolvedPosition {
    let rank = Int(clamping: count)
    var found = 0
    var from = 0
    while true {
      try checkInterruption()
      let end = log.count
      let result = log.position(
        ofRank: rank - found, in: from..<end, typeWhere: glob.matches)
      if let position = result.position { return ResolvedPosition(position: position) }
      found += result.matchCount
      from = end
      guard try waitForIndex(beyond: end) else { break }
    }
    throw CommandError(
      .badPosition,
      count == .max
        ? "the number after \(glob)# is too large: the log has \(found.counted("such action"))"
        : "there is no \(glob)#\(count): the log has \(found.counted("such action"))",
      hint: found == 0 ? log.suggestion(for: glob) : nil)
  }

  private func bookmarked(_ name: String) throws -> ResolvedPosition {
    if let bookmark = namedPositions.first(where: { $0.name == name }) {
      return ResolvedPosition(position: bookmark.position)
    }
    throw missingBookmark(name)
  }

  func missingBookmark(_ name: String) -> CommandError {
    let question = Spelling.question(name, among: namedPositions.map(\.name), prefix: "$")
    return CommandError(.notFound, "no bookmark $\(name)\(question)")
  }
}

extension LogFile {
  /// Suggests a type for a glob that no action of the log matches.
  package func suggestion(for glob: Glob) -> String? {
    let types = typeCounts().map({ $0.type }).sorted()
    guard let literal = glob.literal else {
      // Types of a nested enum begin with those around it: app/cart/add.
      let inner = Glob("*/\(glob)")
      return types.contains(where: inner.matches) && !types.contains(where: glob.matches)
        ? "did you mean \(inner)?" : nil
    }
    guard !types.contains(literal) else { return nil }
    return Self.nearest(to: literal, among: types).map { "did you mean \($0)?" }
  }

  /// The type of action that a text names, exactly, as a glob, or nearly; nil if there is none.
  package func typeMeant(by text: String) -> String? {
    let types = typeCounts().map(\.type).sorted()
    if types.contains(text) || types.contains(where: Glob(text).matches) { return text }
    return Self.nearest(to: text, among: types)
  }

  /// The type with nearly the same name, or else the first one that continues it: `todo/tog` means `todo/toggle`.
  private static func nearest(to text: String, among types: [String]) -> String? {
    if let inner = types.first(where: { $0.hasSuffix("/" + text) }) { return inner }
    if let nearest = Spelling.nearest(to: text, among: types) { return nearest }
    guard text.count > 2, text.last != "/" else { return nil }
    return types.first { $0.hasPrefix(text) }
  }

  /// The seconds that the time zone of `created` is ahead of UTC.
  package func zoneOffset() throws -> Int64 {
    guard let text = try JSON.parse(headerText)["created"]?.string,
      let written = LogInstant(text), text.last != "Z", text.last != "z",
      let local = LogInstant(text.dropLast("+00:00".utf8.count) + "Z")
    else { return 0 }
    return (local.microseconds - written.microseconds) / 1_000_000
  }
}
