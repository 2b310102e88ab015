import FluxJSON
public import FluxLog

extension Session {
  /// The steps of a range; nil for all.
  public func steps(in range: PositionRange? = nil) throws -> StepList {
    list(try resolve(range))
  }

  /// The steps around here.
  ///
  /// - Parameter count: The number of steps before and after this one.
  /// - Returns: The steps, read while they are consumed.
  /// - Throws: ``CommandError`` if it is interrupted.
  public func steps(around count: Int) throws -> StepList {
    // No log has as many steps, and no sum overflows.
    let count = min(max(0, count), Int.max / 4)
    try waitForIndex(beyond: position + count)
    let first = max(0, position - count)
    return list(first..<max(first, min(position + count + 1, log.count)))
  }

  private func list(_ range: Range<Int>) -> StepList {
    let (timeline, here) = (timeline, position)
    return StepList("steps") { work, start, each in
      var budget = RowBudget(work)
      let log = timeline.log
      for position in max(range.lowerBound, start?.position ?? 0)..<max(range.upperBound, 0) {
        guard try budget.take() else {
          return .init(ListEnd(remarks: []), next: Cursor(position: position))
        }
        try each(
          ListedStep(
            step: try StepSummary(at: position, in: timeline), isHere: position == here,
            remarks: log.remarks(before: position)))
      }
      guard range.upperBound == log.count else { return .init(ListEnd(remarks: [])) }
      return .init(
        ListEnd(remarks: log.remarks(before: range.upperBound) + log.inFlightSentences))
    }
  }

  /// The steps that match a filter.
  ///
  /// Steps are searched while they are consumed, also those that are not indexed yet.
  ///
  /// - Parameters:
  ///   - filter: The types of actions, or an expression.
  ///   - range: The steps to search; nil for all.
  /// - Returns: The matching steps, with exit code 1 if there are none.
  /// - Throws: ``CommandError`` if the log has no such range.
  public func steps(
    matching filter: StepFilter, in range: PositionRange? = nil
  ) throws -> FoundSteps {
    let range = try range.map { try resolve($0) }
    let timeline = timeline
    return FoundSteps("steps") { work, start, each in
      var search = StepSearch(filter, in: range, from: start?.position, of: timeline, work)
      var budget = RowBudget(work)
      var isEmpty = true
      while case let batch = try search.nextBatch(), !batch.isEmpty {
        isEmpty = false
        for position in batch {
          guard try budget.take() else {
            return .init(SearchEnd(unknownSteps: nil), next: Cursor(position: position))
          }
          try each(try StepSummary(at: position, in: timeline))
        }
      }
      let hasMatch = !isEmpty || start != nil
      return .init(
        search.summary, exitCode: hasMatch ? 0 : 1,
        notes: hasMatch ? [] : try timeline.suggestions(for: filter))
    }
  }

  /// Counts the steps that match a filter.
  public func count(
    matching filter: StepFilter, in range: PositionRange? = nil
  ) throws -> StepCount {
    let range = try range.map { try resolve($0) }
    if case .glob(let glob) = filter {
      if range == nil { try waitForIndex() }
      let counts = log.typeCounts(in: range)
      let count = counts.reduce(0) { $0 + (glob.matches($1.type) ? $1.count : 0) }
      return StepCount(
        count: count, unknownSteps: nil,
        notes: count == 0 ? try timeline.suggestions(for: filter) : [])
    }
    var search = StepSearch(filter, in: range, from: nil, of: timeline, work)
    var count = 0
    while case let batch = try search.nextBatch(), !batch.isEmpty { count += batch.count }
    return StepCount(
      count: count, unknownSteps: search.summary.unknownSteps,
      notes: count == 0 ? try timeline.suggestions(for: filter) : [])
  }

  /// The chain of causes of the step here: itself first, its root action last.
  public func chain() throws -> Chain {
    _ = try stepHere()
    return Chain("chain") { [self] work, start, each in
      var budget = RowBudget(work)
      var here = try start.map { try standing(at: $0.place) } ?? self
      while true {
        guard try budget.take() else {
          return .init(ChainEnd(missingCause: nil), next: Cursor(place: here.place))
        }
        try each(ChainLink(try here.stepHere(), at: here.place))
        switch try here.cause() {
        case .none: return .init(ChainEnd(missingCause: nil))
        case .missing(let cause): return .init(ChainEnd(missingCause: cause))
        case .at(let place): here = try here.standing(at: place)
        }
      }
    }
  }

  /// The log in numbers; waits for the whole index.
  public func statistics() throws -> Statistics {
    try waitForIndex()
    return try Statistics(of: log)
  }

  /// The header of the log, and its condition; waits for the whole index.
  public func information() throws -> Information {
    try waitForIndex()
    return Information(log)
  }

  /// The types of actions, the most frequent first; waits for the whole index.
  public func types() throws -> TypeList {
    try waitForIndex()
    return TypeList(types: TypeCount.all(in: log))
  }
}

/// Searches steps batch by batch, so the first ones are there before the last ones are found.
struct StepSearch: Sendable {
  /// Enough to make the start of a search negligible.
  private static let largestPiece = 1 << 20

  private let timeline: Timeline
  private let filter: StepFilter
  private let work: Work
  private let start: Int
  /// Nil for the end of the log, which may still be indexed.
  private let end: Int?
  private var next: Int
  /// The number of steps to search at a time: the first matches are shown before the last ones are found.
  private var pieceSize = 64
  private var unknownSteps = 0

  /// Begins a search of a range, nil for the whole log, at a position in it.
  init(
    _ filter: StepFilter, in range: Range<Int>?, from position: Int?, of timeline: Timeline,
    _ work: Work
  ) {
    (self.filter, self.timeline, self.work) = (filter, timeline, work)
    start = max(range?.lowerBound ?? 0, position ?? 0)
    end = range?.upperBound
    next = start
  }

  /// The number of steps that could not be judged so far.
  var summary: SearchEnd { SearchEnd(unknownSteps: unknownSteps > 0 ? unknownSteps : nil) }

  /// The positions of the next matches; empty at the end.
  mutating func nextBatch() throws -> [Int] {
    while true {
      let limit = end ?? timeline.log.count
      if next < limit {
        let found = try find(before: limit)
        if !found.isEmpty { return found }
        continue
      }
      guard end == nil, try timeline.log.waitForIndex(beyond: limit, work) else { return [] }
    }
  }

  private mutating func find(before limit: Int) throws -> [Int] {
    let report = work.reporting("searching")
    let piece = next..<min(limit, next + pieceSize)
    let result = try timeline.find(filter, in: piece) { [start, next] done, _ in
      try report(next - start + done, limit - start)
    }
    unknownSteps += result.unknownSteps
    next = piece.upperBound
    pieceSize = min(4 * pieceSize, Self.largestPiece)
    return result.positions
  }
}

// A log that leaves many actions out has nearly as many gaps as steps, so they are searched by halves.
extension LogFile {
  /// The gap that contains the number of a step.
  func gap(around number: UInt64) -> GapEntry? {
    let place = gaps.partitioningIndex { $0.gap.through >= number }
    guard place < gaps.count, gaps[place].gap.from <= number else { return nil }
    return GapEntry(gaps[place].gap)
  }

  /// The gaps between the step at a position and the step before it.
  func gaps(before position: Int) -> [GapEntry] {
    let place = gaps.partitioningIndex { $0.position >= position }
    return gaps[place...].prefix { $0.position == position }.map { GapEntry($0.gap) }
  }

  /// `true` if lines are damaged between the step at a position and the step before it.
  func isDamaged(before position: Int) -> Bool {
    let place = breaks.partitioningIndex { $0.position >= position }
    return breaks[place...].prefix { $0.position == position }.contains { !$0.endsWithWholeModel }
      && !hasImportedGap(before: position)
  }

  /// `true` if a file that was imported had no states between the step at a position and the step before it.
  func hasImportedGap(before position: Int) -> Bool {
    let place = gaps.partitioningIndex { $0.position >= position }
    return gaps[place...].prefix { $0.position == position }.contains { $0.gap.why == .imported }
  }

  /// The damage, gaps and marks between the step at a position and the step before it, as sentences.
  func remarks(before position: Int) -> [String] {
    var remarks: [String] = []
    if isDamaged(before: position) { remarks.append("damaged lines are left out") }
    remarks += gaps(before: position).map(\.sentence)
    let place = marks.partitioningIndex { $0.position >= position }
    for mark in marks[place...].prefix(while: { $0.position == position }) {
      remarks.append("mark \(mark.mark.text) +\(Seconds(mark.mark.time))s")
    }
    return remarks
  }

  /// The actions in flight after the last step, as sentences; empty while the log is not indexed to its end.
  var inFlightSentences: [String] {
    guard isIndexComplete else { return [] }
    do throws(LogError) {
      return try inFlight().map { "in flight: \(InFlightStep($0).sentence)" }
    } catch {
      // The last step itself can be shown all the same.
      return ["the actions in flight after the last step cannot be read: \(error.message)"]
    }
  }

}

extension Timeline {
  /// Suggests what was meant by a filter that no step matches: another type, or other paths.
  func suggestions(for filter: StepFilter) throws -> [String] {
    switch filter {
    case .glob(let glob): return log.suggestion(for: glob).map { [$0] } ?? []
    case .expression(let expression): return try misses(of: expression)
    }
  }

  /// The paths of an expression that select nothing at either end of the log, as sentences.
  ///
  /// Only two steps are looked at. A path can be missing at both and exist between them.
  func misses(of expression: QueryExpression) throws -> [String] {
    var sentences: [String] = []
    for path in expression.singularPaths {
      // Where states are unknown, the search has said so.
      let found = try LogError.ifKnown {
        try path.miss(in: document(at: Timeline.start)) == nil
          ? nil : path.miss(in: document(at: max(end, Timeline.start)))
      }
      guard let miss = found ?? nil else { continue }
      // A feature may be absent at both ends.
      let isStore = miss.reached.elements == [.name("state")]
      guard !isStore || !log.storeNames.contains(miss.missing) else { continue }
      let place = miss.place.shorthand
      let meant = miss.suggestion.map { "; did you mean \($0.shorthand)?" } ?? ""
      let sentence = "\(place) is neither at the start nor at the end of the log\(meant)"
      if !sentences.contains(sentence) { sentences.append(sentence) }
    }
    return sentences
  }
}
