extension Timeline {
  /// The values that a path took, and the steps that wrote them, oldest first.
  ///
  /// All of them at once: of a large state that was written often, ``forEachWrite(of:through:_:check:progress:_:)``
  /// gives one after the other.
  ///
  /// - Parameters:
  ///   - path: A path into the states.
  ///   - end: The last position that counts; nil for all.
  ///   - check: Called often; what it throws ends the search.
  /// - Returns: The writes; none where the path never selected anything.
  /// - Throws: as ``forEachWrite(of:through:_:check:progress:_:)``.
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

  /// The last step at or before a position that wrote what a path selects; the initial value where
  /// none did.
  ///
  /// Nil where the value is not there at ``start`` and never was. For `last`, ask strictly before
  /// here.
  ///
  /// - Throws: as ``forEachWrite(of:through:_:check:progress:_:)``.
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

  /// Gives the values that a path took, and the steps that wrote them, one after the other.
  ///
  /// A step counts where value or existence after it differs from before it, or, after a gap or
  /// damage, from what was last known; so full and adaptive logs tell the same. The initial value
  /// is an entry of its own, at ``start``, where there is one. Positions at which a store of the path
  /// is not known are passed over.
  ///
  /// - Parameters:
  ///   - path: A path into the states.
  ///   - end: The last position that counts; nil for all.
  ///   - direction: Forwards for the oldest first, backwards for the newest first.
  ///   - check: Called often; what it throws ends the search.
  ///   - progress: Called now and then with the steps that are done and all that count; what it
  ///     throws ends the search.
  ///   - body: Called with each write; returns whether to go on.
  /// - Throws: ``LogError`` where a line cannot be read, `QueryError` where the path asks for too
  ///   much, and what `check`, `progress` and `body` throw.
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

  /// So many steps are looked through before progress is told.
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
    // What is known at `end` or next after it.
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

  /// What a step wrote; it is hidden where steps before it could not be looked into.
  private func write(
    of value: JSON?, at position: Int, wasHidden: Bool = false
  ) throws(LogError) -> PathWrite {
    let afterGap = position >= 0 ? try before(position).afterGap : false
    return PathWrite(
      position: position, number: number(at: position) ?? 0, type: try log.type(at: position),
      value: value, afterGap: afterGap || wasHidden)
  }
}
