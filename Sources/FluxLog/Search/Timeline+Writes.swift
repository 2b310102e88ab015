public import FluxJSON

/// A step that wrote a value, and the value; or the app's return to another model, which did.
public struct PathWrite: Sendable, Equatable {
  /// The position of the step; ``Timeline/start`` for the initial value.
  ///
  /// If the app went back to another model, it is that of the next step.
  public let position: Int
  /// The number of the step; for the initial value, the number before the first step.
  public let number: UInt64
  /// The action type of the step; `nil` for the initial value, and if the app went back to another model.
  public let type: String?
  /// The value after the step; `nil` if the step removed it.
  public let value: JSON?
  /// The model to which the app went back right before the step at ``position``, if that wrote the value.
  public let restored: LogGap.Model?
  /// `true` if steps before this one are missing or hide the value, so that one of them may have
  /// written it.
  public let afterGap: Bool
}

/// The state of a search for writes that has stopped.
public struct WriteCursor: Sendable, Hashable {
  /// The last position in the direction of the search at which the value was known.
  package let known: Int?
  /// `true` if the value was unknown after it.
  package let isHidden: Bool
  /// The positions that are left.
  package let rest: Range<Int>

  /// Makes a cursor, such as one that was sent to a client and came back.
  package init(known: Int?, isHidden: Bool, rest: Range<Int>) {
    (self.known, self.isHidden, self.rest) = (known, isHidden, rest)
  }
}

extension Timeline {
  /// Calls `body` with the values that a path or an expression had, and the steps that wrote them, one
  /// after another.
  ///
  /// A step wrote a value if it created, changed or removed it. After a gap or damage, the
  /// comparison is with the last known value, so that `full` and adaptive logs have the same
  /// writes. The initial value is a separate entry at ``start``, if there is one. Positions at
  /// which a store of the query is unknown are skipped. If the app went back to another model and the next step left the
  /// value as it was there, the return wrote it, and not that step.
  ///
  /// - Parameters:
  ///   - query: A path into the states, or an expression about them.
  ///   - end: The last position to include; `nil` for all.
  ///   - direction: Forwards for the oldest first, backwards for the newest first.
  ///   - start: The cursor of an earlier search for the same query and direction that stopped.
  ///   - check: Called often. An error ends the search.
  ///   - goesOn: Called from time to time with the number of searched steps and of all steps to search; returns `false` to
  ///     stop.
  ///   - body: Called with each write; returns `false` to stop.
  /// - Returns: The cursor to continue from; `nil` if the search is complete.
  /// - Throws: ``LogError`` if a line cannot be read, `QueryError` if the query is too expensive,
  ///   and any error of `check`, `goesOn` and `body`.
  @discardableResult
  public func forEachWrite(
    of query: ValueQuery, through end: Int? = nil, _ direction: SearchDirection = .forwards,
    from start: WriteCursor? = nil, check: @escaping () throws -> Void = {},
    goesOn: (_ done: Int, _ total: Int) throws -> Bool = { _, _ in true },
    _ body: (PathWrite) throws -> Bool
  ) throws -> WriteCursor? {
    // First, because the watch knows only the shapes of steps that the log has by now.
    let count = log.count
    let limit = max(0, end.map { $0 < count ? $0 + 1 : count } ?? count)
    let watch = ValueWatch(query, in: self, check: check)
    // The nearest position before, in the direction, at which the value is known.
    var known: (position: Int, value: WatchedValue, isChange: Bool)?
    var isHidden = start?.isHidden ?? false
    if let position = start?.known, positions.contains(position) {
      known = try watch.lastKnown(atOrBefore: position).map { ($0.position, $0.value, false) }
      isHidden = isHidden || known?.position != position
    }
    /// Compares the value with the known one; returns `false` to stop.
    func visit(_ position: Int, _ value: WatchedValue?, isChange: Bool = false) throws -> Bool {
      guard let value else {
        isHidden = true
        return true
      }
      let visited = (position: position, value: value, isChange: isChange)
      let (previous, wasHidden) = (known, isHidden)
      (known, isHidden) = (visited, false)
      guard let previous else { return true }
      let (earlier, later) = direction == .forwards ? (previous, visited) : (visited, previous)
      let restored = try watch.restoredValue(before: later.position)
      var isWrite = later.isChange || earlier.value != later.value
      // Even if the value is the same in the end, the return may have changed it and the step changed it back.
      if let restored { isWrite = restored != earlier.value || restored != later.value }
      guard isWrite else { return true }
      let write = try write(
        of: later.value.json, at: later.position, wasHidden: wasHidden && restored == nil,
        byRestoring: restored == later.value)
      return try body(write)
    }
    func cursor(_ rest: Range<Int>) -> WriteCursor {
      WriteCursor(known: known?.position, isHidden: isHidden, rest: rest)
    }
    var rest = 0..<limit
    if let start {
      let upper = direction == .forwards ? limit : min(start.rest.upperBound, limit)
      rest = min(start.rest.lowerBound, upper)..<upper
    }
    if direction == .forwards, start == nil {
      _ = try visit(Self.start, watch.value(at: Self.start))
      if let initial = known?.value.json, try !body(try write(of: initial, at: Self.start)) {
        return cursor(rest)
      }
    }
    let left = try Scan(watch.question, rest, direction).run(
      check: { _ in try check() }, goesOn: { try goesOn(limit - $0.count, limit) }
    ) { run in
      try visit(run.positions.lowerBound, run.answer, isChange: run.isChange == true)
    }
    if let left { return cursor(left) }
    guard direction == .backwards else { return nil }
    // The initial value is left if the search stops before it.
    guard try visit(Self.start, watch.value(at: Self.start)) else { return cursor(0..<0) }
    if let initial = known?.value.json { _ = try body(try write(of: initial, at: Self.start)) }
    return nil
  }

  /// Makes the entry of a write; `wasHidden` tells whether earlier steps could not be evaluated.
  private func write(
    of value: JSON?, at position: Int, wasHidden: Bool = false, byRestoring: Bool = false
  ) throws(LogError) -> PathWrite {
    var isAfterGap = position >= 0 ? baseline(of: position).afterGap : false
    if isAfterGap, let found = log.breaks.last(atOrBefore: position), found.kind == .restored {
      // The model is known from such a gap on, unless it is that of a step whose states are unknown.
      let unknown = try model(before: position).unknownStores
      isAfterGap = found.position == position && !unknown.isEmpty
    }
    return PathWrite(
      position: position, number: number(at: position) ?? 0,
      type: byRestoring ? nil : log.type(at: position), value: value,
      restored: byRestoring ? log.restoredModel(before: position) : nil,
      afterGap: isAfterGap || wasHidden)
  }
}
