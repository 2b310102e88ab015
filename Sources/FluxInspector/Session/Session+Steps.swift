import FluxJSON
public import FluxLog
import FluxSystem

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
      // A cursor of a client may lie beyond the range.
      let upper = max(range.upperBound, 0)
      for position in min(max(range.lowerBound, start?.position ?? 0), upper)..<upper {
        guard try budget.take() else {
          return .init(ListEnd(remarks: []), next: Cursor(position: position))
        }
        try each(
          ListedStep(
            step: try StepSummary(at: position, in: timeline), isHere: position == here,
            remarks: log.remarks(before: position)))
      }
      let isEnd = range.upperBound == log.count
      // A range without steps lies in a gap, which says why there are none.
      guard isEnd || range.isEmpty else { return .init(ListEnd(remarks: [])) }
      return .init(
        ListEnd(
          remarks: log.remarks(before: upper) + (isEnd ? log.inFlightNotes.map(\.text) : [])))
    }
  }

  /// The steps that match a filter.
  ///
  /// Steps are searched while they are consumed, also those that are not indexed yet.
  ///
  /// - Parameters:
  ///   - filter: The types of actions, or an expression.
  ///   - range: The steps to search; nil for all, and backwards for all that are indexed.
  ///   - direction: The order of the steps.
  /// - Returns: The matching steps, with exit code 1 if there are none.
  /// - Throws: ``CommandError`` if the log has no such range.
  public func steps(
    matching filter: StepFilter, in range: PositionRange? = nil,
    _ direction: SearchDirection = .forwards
  ) throws -> FoundSteps {
    let searched = try range.map { try resolve($0) }
    let found = positions(matching: filter, in: searched, direction)
    return FoundSteps("steps") { [self] work, start, each in
      var isEmpty = start == nil
      let end = try found.run(work, from: start) { position in
        isEmpty = false
        try each(try StepSummary(at: position, in: timeline))
      }
      return .init(
        end.trailer, next: end.next, exitCode: isEmpty ? 1 : 0,
        notes: end.next == nil ? try notes(on: filter, in: searched, isEmpty: isEmpty) : [])
    }
  }

  /// The positions of the steps that match a filter, in a range or in the whole log.
  ///
  /// With a deadline, a run does not wait for steps that are not indexed yet.
  package func positions(
    matching filter: StepFilter?, in range: Range<Int>? = nil,
    _ direction: SearchDirection = .forwards, onlyRoots: Bool = false
  ) -> Rows<NoMembers, Int, SearchEnd> {
    Rows("positions") { [timeline, log] work, start, each in
      var budget = RowBudget(work)
      let report = work.reporting("searching")
      var rest = direction.rest(of: range ?? 0..<log.count, from: start?.position)
      var (searched, unknown) = (0, 0)
      // The first matches are shown before the last ones are found.
      var piece = 64
      /// The end of a run before some steps that are left, or before a match.
      func end(_ rest: Range<Int>) -> Rows<NoMembers, Int, SearchEnd>.End {
        let next = direction == .forwards ? rest.first : rest.last
        return .init(
          SearchEnd(unknownSteps: unknown > 0 ? unknown : nil),
          next: next.map { Cursor(position: $0) })
      }
      while true {
        guard !rest.isEmpty else {
          guard budget.rest > 0, range == nil, direction == .forwards, work.deadline == nil,
            try log.waitForIndex(beyond: rest.upperBound, work)
          else { return end(rest) }
          rest = rest.upperBound..<log.count
          continue
        }
        guard budget.rest > 0 else { return end(rest) }
        let part = direction.beginning(of: rest, count: piece)
        let (done, began) = (searched, ContinuousClock.now)
        let total = searched + rest.count
        let result = try timeline.find(
          filter ?? .glob(Glob("*")), in: part, direction, limit: onlyRoots ? .max : budget.rest
        ) { found, _ in try report(done + found, total) }
        unknown += result.unknownSteps
        for position in result.positions {
          if onlyRoots, log.shape(at: position)?.hasCause != false { continue }
          guard try budget.take() else {
            return end(position..<position + 1)
          }
          try each(position)
          // Nobody waits for the match after the last one that was asked for.
          guard budget.rest > 0 else {
            return end(direction.rest(of: rest, beyond: position..<position + 1))
          }
        }
        rest = direction.rest(of: rest, beyond: part)
        searched += part.count
        if budget.isOver { return end(rest) }
        if work.deadline == nil || ContinuousClock.now - began < .milliseconds(5) {
          piece = min(4 * piece, 1 << 20)
        }
      }
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
        notes: try notes(on: filter, in: range, isEmpty: count == 0))
    }
    var count = 0
    let end = try positions(matching: filter, in: range).run(work) { _ in count += 1 }
    return StepCount(
      count: count, unknownSteps: end.trailer.unknownSteps,
      notes: try notes(on: filter, in: range, isEmpty: count == 0))
  }

  private func notes(
    on filter: StepFilter, in range: Range<Int>?, isEmpty: Bool
  ) throws -> [Note] {
    guard isEmpty else { return timeline.unquotedTexts(in: filter) }
    return try (range.map(notes(onEmpty:)) ?? []) + timeline.suggestions(for: filter)
  }

  /// The gap or the damage that a range without steps lies in; empty for a range with steps.
  package func notes(onEmpty range: Range<Int>) -> [Note] {
    range.isEmpty ? log.remarks(before: range.upperBound).map { Note($0) } : []
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

  /// The notes that the app made with the recorder, oldest first.
  ///
  /// - Returns: The notes, each with the last step before it.
  /// - Throws: ``CommandError`` if waiting for the index is interrupted.
  public func marks() throws -> MarkList {
    try waitForIndex()
    return MarkList("marks") { [log, timeline] work, start, each in
      var budget = RowBudget(work)
      let marks = log.marks
      // A cursor is the rank of a mark.
      for rank in min(max(0, start?.position ?? 0), marks.count)..<marks.count {
        guard try budget.take() else { return .init(NoMembers(), next: Cursor(position: rank)) }
        let last = marks[rank].position - 1
        try each(
          MarkEntry(
            text: marks[rank].mark.text, t: Seconds(marks[rank].mark.time),
            after: timeline.stepNumber(at: last), type: log.type(at: last)))
      }
      return .init(NoMembers())
    }
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
    gaps.elements(in: position..<position + 1, by: \.position).map { GapEntry($0.gap) }
  }

  /// `true` if lines are damaged between the step at a position and the step before it.
  ///
  /// After damage, a gap may still tell the model. A file that was imported without states has a gap, and no damage.
  package func isDamaged(before position: Int) -> Bool {
    let here = position..<position + 1
    guard !breaks.elements(in: here, by: \.position).isEmpty else { return false }
    return damagedLines(before: position) != nil
      || gaps.elements(in: here, by: \.position).contains { $0.gap.why == .damaged }
  }

  /// The damage, gaps and marks between the step at a position and the step before it, as sentences.
  func remarks(before position: Int) -> [String] {
    var remarks: [String] = []
    if isDamaged(before: position) { remarks.append("damaged lines are left out") }
    remarks += gaps(before: position).map(\.sentence)
    return remarks
      + marks.elements(in: position..<position + 1, by: \.position).map {
        "mark \($0.mark.text) +\(Seconds($0.mark.time))s"
      }
  }

  /// The newest actions in flight after the last step; empty while the log is not indexed to its end.
  ///
  /// An app that was killed while its log was behind leaves thousands. The note before the newest ten counts the others.
  package var inFlightNotes: [Note] {
    guard isIndexComplete else { return [] }
    do throws(LogError) {
      let actions = try inFlight()
      let others = actions.dropLast(10)
      var notes = actions.suffix(10).map {
        Note("in flight: \(InFlightStep($0).sentenceWithPayload)")
      }
      if let first = others.first, let last = others.last {
        let steps = first.number == last.number ? "" : " to step \(last.number)"
        notes.insert(
          Note(
            "in flight: \(others.count.counted("action")), step \(first.number)\(steps)",
            next: .listActionsInFlight), at: 0)
      }
      return notes
    } catch {
      // The last step itself can be shown all the same.
      return ["the actions in flight after the last step cannot be read: \(error.message)"]
    }
  }
}
