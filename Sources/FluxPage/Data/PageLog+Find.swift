import FluxInspector
import FluxJSON
import FluxLog

extension PageLog {
  /// The number of steps that a search looks at between two looks at the clock.
  private static let searchPiece = 256
  private static let largestPiece = 1 << 20

  /// `find`: the steps that match a filter.
  func find(_ request: PageRequest) throws -> Answer {
    let rows = rows()
    let isForwards = try request.text("direction") != "backwards"
    let direction: SearchDirection = isForwards ? .forwards : .backwards
    let limit = try request.count("limit", standard: 200)
    let countsOnly = try request.flag("count")
    let onlyRoots = try request.flag("roots")
    let filter = try filter(request)
    let begin = try request.place(
      request.has("next") ? "next" : "from", standard: isForwards ? 0 : rows.count - 1,
      through: rows.count - 1)
    // Steps from a row on, or up to and with it.
    var rest =
      isForwards
      ? rows.stepCount(before: begin)..<rows.stepCount
      : 0..<rows.stepCount(before: begin + 1)
    let total = rest.count
    var found: [Int] = []
    var matches = 0
    var unknown = 0
    var piece = Self.searchPiece
    while !rest.isEmpty, countsOnly || found.count < limit {
      let part = direction.beginning(of: rest, count: piece)
      let began = ContinuousClock.now
      let result = try search(
        filter, in: part, direction,
        limit: countsOnly ? .max : limit - found.count, onlyRoots: onlyRoots)
      unknown += result.unknownSteps
      matches += result.positions.count
      if !countsOnly { found += result.positions }
      let isFull = !countsOnly && found.count >= limit
      // A search that stopped at its limit continues after the last step it found.
      let edge = isFull ? found.last : nil
      rest = direction.rest(of: rest, beyond: edge.map { $0..<$0 + 1 } ?? part)
      if request.isOver { break }
      if ContinuousClock.now - began < .milliseconds(5) {
        piece = min(4 * piece, Self.largestPiece)
      }
    }
    var list = StepRows(timeline, rows)
    let answers = try found.map { try list.listed(rows.row(ofStep: $0), .step($0)) }
    let next =
      rest.isEmpty ? nil : rows.row(ofStep: isForwards ? rest.lowerBound : rest.upperBound - 1)
    let scanned = total - rest.count
    return Answer { [matches, unknown] members in
      try members.set("rows", answers)
      try members.set("matches", matches)
      try members.set("scanned", scanned)
      try members.set("next", ifPresent: next)
      try members.set("unknown", ifPresent: unknown > 0 ? unknown : nil)
    }
  }

  private func filter(_ request: PageRequest) throws -> StepFilter? {
    guard let text = try request.text("filter"), !text.isEmpty else { return nil }
    do {
      return try timeline.filter(text)
    } catch {
      throw CommandError(.usage, error)
    }
  }

  private func search(
    _ filter: StepFilter?, in range: Range<Int>, _ direction: SearchDirection, limit: Int,
    onlyRoots: Bool
  ) throws -> (positions: [Int], unknownSteps: Int) {
    let deadline = ContinuousClock.now + .seconds(10)
    let result = try timeline.find(
      filter ?? .glob(Glob("*")), in: range, direction, limit: onlyRoots ? .max : limit
    ) { _, _ in
      // An expression on a huge state may take any time; nobody waits for as long.
      if ContinuousClock.now > deadline { throw CommandError(.cancelled, "interrupted") }
    }
    guard onlyRoots else { return (result.positions, result.unknownSteps) }
    let roots = result.positions.filter { log.shape(at: $0)?.hasCause == false }
    return (Array(roots.prefix(limit)), result.unknownSteps)
  }

  // MARK: The writes of a value

  /// `writes`: the steps that wrote a value, newest or oldest first.
  func writes(_ request: PageRequest) throws -> Answer {
    let rows = rows()
    let text = try request.required("path")
    let path: Path
    do {
      path = try Path(text, dialect: .inspector)
    } catch {
      throw CommandError(.usage, error)
    }
    let isForwards = try request.text("direction") == "forwards"
    let limit = try request.count("limit", standard: 50)
    let search = try WriteSearch(
      path, from: request.has("next") ? request.members["next"] : nil,
      through: isForwards
        ? nil : (try request.has("row") ? request.row("row", in: rows).row.position : timeline.end),
      isForwards ? .forwards : .backwards, limit: limit, deadline: request.deadline, in: timeline)
    let answers = search.writes.map { write in
      let time = write.position >= 0 ? log.time(at: write.position) : nil
      return Answer { [timeline] members in
        try members.set("row", rows.row(ofStep: write.position))
        try members.set("n", timeline.stepNumber(at: write.position))
        try members.set("t", ifPresent: time.map { Seconds($0) })
        try members.set("type", ifPresent: write.type ?? (write.restored == nil ? nil : "restored"))
        try members.setValue("value", write.value)
        try members.set("afterGap", ifTrue: write.afterGap)
      }
    }
    return Answer { members in
      try members.set("path", text)
      try members.set("writes", answers)
      try members.set("scanned", search.scanned)
      try members.set("next", ifPresent: search.next)
    }
  }
}

extension LogFile {
  /// Returns the time of the step at a position; nil if its line cannot be read.
  fileprivate func time(at position: Int) -> LogTime? {
    do throws(LogError) {
      return try step(at: position).time
    } catch {
      return nil
    }
  }
}
