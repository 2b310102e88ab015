public import FluxJSON

extension Timeline {
  /// Returns the values that a path had, and the steps that wrote them, oldest first.
  ///
  /// Holds all values in memory. For a large state with many writes, use
  /// ``forEachWrite(of:through:_:check:progress:_:)``.
  ///
  /// - Parameters:
  ///   - path: A path into the states.
  ///   - end: The last position to include; `nil` for all.
  ///   - check: Called often. An error ends the search.
  /// - Returns: The writes; empty if the path never selected anything.
  /// - Throws: As ``forEachWrite(of:through:_:check:progress:_:)``.
  public func writes(
    of path: Path, through end: Int? = nil, check: @escaping () throws -> Void = {}
  ) throws -> [PathWrite] {
    var writes: [PathWrite] = []
    try forEachWrite(of: path, through: end, check: check) { write in
      writes.append(write)
      return true
    }
    return writes
  }

  /// Returns the last step up to a position that wrote the selection of a path, or the initial
  /// value if no step did.
  ///
  /// Returns `nil` if the value was never present. To find the write before the current one, pass
  /// the position before it.
  ///
  /// - Throws: As ``forEachWrite(of:through:_:check:progress:_:)``.
  public func lastWrite(
    of path: Path, atOrBefore position: Int, check: @escaping () throws -> Void = {}
  ) throws -> PathWrite? {
    var last: PathWrite?
    try forEachWrite(of: path, through: position, .backwards, check: check) { write in
      last = write
      return false
    }
    return last
  }

  /// Calls `body` with the values that a path had, and the steps that wrote them, one after
  /// another.
  ///
  /// A step wrote a value if it created, changed or removed it. After a gap or damage, the
  /// comparison is with the last known value, so that `full` and adaptive logs have the same
  /// writes. The initial value is an entry of its own at ``start``, if there is one. Positions at
  /// which a store of the path is unknown are skipped.
  ///
  /// - Parameters:
  ///   - path: A path into the states.
  ///   - end: The last position to include; `nil` for all.
  ///   - direction: Forwards for the oldest first, backwards for the newest first.
  ///   - check: Called often. An error ends the search.
  ///   - progress: Called from time to time with the number of searched steps and of all steps to
  ///     search. An error ends the search.
  ///   - body: Called with each write; returns `false` to stop.
  /// - Throws: ``LogError`` if a line cannot be read, `QueryError` if the path is too expensive,
  ///   and any error of `check`, `progress` and `body`.
  public func forEachWrite(
    of path: Path, through end: Int? = nil, _ direction: SearchDirection = .forwards,
    check: @escaping () throws -> Void = {},
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in },
    _ body: (PathWrite) throws -> Bool
  ) throws {
    let watch = PathWatch(path, in: self, check: check)
    let limit = max(0, min(end.map { $0 + 1 } ?? log.count, log.count))
    switch direction {
    case .forwards: try forEachWrite(watch, before: limit, progress, body)
    case .backwards: try forEachWriteBackwards(watch, before: limit, progress, body)
    }
  }

  /// The number of steps between two reports of progress.
  private static let writesPerReport = 4096

  private func forEachWrite(
    _ watch: PathWatch, before limit: Int, _ progress: (Int, Int) throws -> Void,
    _ body: (PathWrite) throws -> Bool
  ) throws {
    var value = try watch.value(at: Self.start)
    if let json = value?.json, try !body(try write(of: json, at: Self.start)) { return }
    var position = 0
    var isHidden = false
    while position < limit {
      try progress(position, limit)
      let end = min(position + Self.writesPerReport, limit)
      guard let found = try watch.nextCandidate(in: position..<end) else {
        position = end
        continue
      }
      position = found + 1
      guard let after = try watch.value(at: found) else {
        isHidden = true
        continue
      }
      let wasHidden = isHidden
      isHidden = false
      guard after != value else { continue }
      value = after
      guard try body(try write(of: after.json, at: found, wasHidden: wasHidden)) else { return }
    }
  }

  private func forEachWriteBackwards(
    _ watch: PathWatch, before limit: Int, _ progress: (Int, Int) throws -> Void,
    _ body: (PathWrite) throws -> Bool
  ) throws {
    var end = limit
    // The known value at `end`, or at the next position where it is known.
    var after: (position: Int, value: PathValue)?
    var isHidden = false
    while end > 0 {
      try progress(limit - end, limit)
      let start = max(0, end - Self.writesPerReport)
      guard let found = try watch.previousCandidate(in: start..<end) else {
        end = start
        continue
      }
      end = found
      guard let value = try watch.value(at: found) else {
        isHidden = true
        continue
      }
      if let after, after.value != value,
        try !body(try write(of: after.value.json, at: after.position, wasHidden: isHidden))
      {
        return
      }
      isHidden = false
      after = (found, value)
    }
    guard let initial = try watch.value(at: Self.start) else { return }
    if let after, after.value != initial,
      try !body(try write(of: after.value.json, at: after.position, wasHidden: isHidden))
    {
      return
    }
    if let json = initial.json { _ = try body(try write(of: json, at: Self.start)) }
  }

  /// Makes the entry of a write; `wasHidden` tells whether earlier steps could not be evaluated.
  private func write(
    of value: JSON?, at position: Int, wasHidden: Bool = false
  ) throws(LogError) -> PathWrite {
    let afterGap = position >= 0 ? try baseline(of: position).afterGap : false
    return PathWrite(
      position: position, number: number(at: position) ?? 0, type: try log.type(at: position),
      value: value, afterGap: afterGap || wasHidden)
  }
}
