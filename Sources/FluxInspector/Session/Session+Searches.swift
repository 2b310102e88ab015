package import FluxJSON
package import FluxLog
import FluxReplay

// Searches of the place that a front end shows: of the recording, or of the fork that the session is on. Commands such as
// `find` search the recording, wherever the session is.
extension Session {
  /// The indexes of the steps here that match a filter, in a range of them; nil for all steps.
  package func stepIndexes(
    matching filter: StepFilter?, in range: Range<Int>, _ direction: SearchDirection,
    onlyRoots: Bool = false
  ) -> Rows<NoMembers, Int, SearchEnd> {
    guard let here = forkHere else {
      return positions(matching: filter, in: range, direction, onlyRoots: onlyRoots)
    }
    let history = here.fork.history
    return Rows("positions") { work, start, each in
      let range = range.clamped(to: 0..<history.steps.count)
      let next = try direction.search(range, work, from: start?.position) { index in
        try (!onlyRoots || history.isRoot(index))
          && (filter.map { try history.matches($0, at: index, check: work.check) } ?? true)
      } each: {
        try each($0)
      }
      return .init(SearchEnd(unknownSteps: nil), next: next.map { Cursor(position: $0) })
    }
  }

  /// The steps that the one here caused, as links; on a fork, those of the fork.
  ///
  /// A cursor has the index of the next one.
  package func causedLinks() throws -> Rows<NoMembers, ChainLink, NoMembers> {
    guard let here = forkHere else {
      let caused = try causedSteps()
      return Rows("steps") { work, start, each in
        let end = try caused.run(work, from: start) { try each($0.step.link) }
        return .init(NoMembers(), next: end.next)
      }
    }
    let cause = try stepHere().number
    return Rows("steps") { work, start, each in
      let later = here.count..<here.steps.count
      let next = try SearchDirection.forwards.search(later, work, from: start?.position) {
        here.steps[$0].cause == cause
      } each: {
        try each(ChainLink(here.steps[$0].logStep, at: .fork(here.fork.number, $0 + 1)))
      }
      return .init(NoMembers(), next: next.map { Cursor(position: $0) })
    }
  }

  /// The steps here that wrote a value, as ``writes(of:through:_:isSingle:isRequired:)`` finds them on the recording.
  ///
  /// On a fork, the position of a write is the index of its step, or `Timeline.start` for the value that the fork began with.
  ///
  /// - Parameters:
  ///   - query: The value.
  ///   - end: The index of the last step to look at; nil for all.
  ///   - direction: Backwards for the newest first.
  /// - Returns: The writes, computed while they are consumed.
  /// - Throws: ``CommandError`` of code `usage` if the query reads something else than states.
  package func writesHere(
    of query: ValueQuery, through end: Int?, _ direction: SearchDirection
  ) throws -> Writes {
    guard let here = forkHere else {
      return try writes(of: query, through: end, direction, isRequired: false)
    }
    try requireStates(query)
    let history = here.fork.history
    return Writes("writes", header: WritesHeader(query)) { work, start, each in
      func value(_ count: Int) throws -> WatchedValue {
        try WatchedValue(query, in: history.document(afterSteps: count), check: work.check)
      }
      // By numbers of steps: a value is there before the first one, too.
      let counts = 0..<min(end.map { $0 + 1 } ?? .max, history.steps.count) + 1
      let rest = start?.writes?.rest
      let first = direction == .forwards ? rest?.lowerBound : rest.map { $0.upperBound - 1 }
      let next = try direction.search(counts, work, from: first) { count in
        try count == 0 ? value(0).json != nil : value(count) != value(count - 1)
      } each: { count in
        try each(
          Write(
            number: here.number(afterSteps: count), position: count - 1,
            type: count > 0 ? history.steps[count - 1].type : nil, value: value(count).json))
      }
      let left = next.map { direction == .forwards ? $0..<max($0, counts.upperBound) : 0..<$0 + 1 }
      return .init(
        NoMembers(),
        next: left.map { Cursor(WriteCursor(known: nil, isHidden: false, rest: $0)) })
    }
  }
}

extension SearchDirection {
  /// The part of a range in which a search goes on from an index; all of it for nil.
  func rest(of range: Range<Int>, from start: Int?) -> Range<Int> {
    guard let start else { return range }
    return self == .forwards
      ? min(max(start, range.lowerBound), range.upperBound)..<range.upperBound
      : range.lowerBound..<max(range.lowerBound, min(start, range.upperBound - 1) + 1)
  }

  /// Passes the indexes of a fork's steps that are found to a closure, from one of them on: their states are known, and near.
  ///
  /// - Returns: The index to go on from; nil if none is left.
  fileprivate func search(
    _ range: Range<Int>, _ work: Work, from start: Int?, _ isFound: (Int) throws -> Bool,
    each: (Int) throws -> Void
  ) throws -> Int? {
    var budget = RowBudget(work)
    var isFirst = true
    for index in indices(in: rest(of: range, from: start)) {
      try work.check()
      // Each run makes progress, however little time there is.
      if budget.rest == 0 || budget.isOver && !isFirst { return index }
      isFirst = false
      guard try isFound(index) else { continue }
      _ = try budget.take()
      try each(index)
    }
    return nil
  }
}
