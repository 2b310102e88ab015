extension Timeline {
  /// The values that a path took, and the steps that wrote them, oldest first.
  ///
  /// A step counts where value or existence after it differs from before it, or, after a gap or
  /// damage, from what was last known; so full and adaptive logs tell the same. The initial value
  /// is an entry of its own, at ``start``, where there is one. Positions at which a store of the path
  /// is not known are passed over.
  ///
  /// - Parameters:
  ///   - path: A path into the states.
  ///   - end: The last position that counts; nil for all.
  ///   - check: Called often; what it throws ends the search.
  /// - Returns: The writes; none where the path never selected anything.
  /// - Throws: ``LogError`` where a line cannot be read, `QueryError` where the path asks for too
  ///   much, and what `check` throws.
  public func writes(
    of path: Path, through end: Int? = nil, check: @escaping () throws -> Void = {}
  ) throws -> [PathWrite] {
    let watch = PathWatch(path, in: self, check: check)
    var value = try watch.value(at: Self.start)
    var writes: [PathWrite] = []
    if let json = value?.json { writes.append(try write(of: json, at: Self.start)) }
    var position = 0
    let limit = min(end.map { $0 + 1 } ?? log.count, log.count)
    while position < limit, let found = try watch.nextCandidate(in: position..<limit) {
      position = found + 1
      guard let after = try watch.value(at: found), after != value else { continue }
      value = after
      writes.append(try write(of: after.json, at: found))
    }
    return writes
  }

  /// The last step at or before a position that wrote what a path selects; the initial value where
  /// none did.
  ///
  /// Nil where the value is not there at ``start`` and never was. For `last`, ask strictly before
  /// here.
  ///
  /// - Throws: as ``writes(of:through:check:)``.
  public func lastWrite(
    of path: Path, atOrBefore position: Int, check: @escaping () throws -> Void = {}
  ) throws -> PathWrite? {
    let watch = PathWatch(path, in: self, check: check)
    var end = min(position + 1, log.count)
    // What is known at `end - 1` or last before it.
    var after: (position: Int, value: PathValue)?
    while end > 0, let found = try watch.previousCandidate(in: 0..<end) {
      end = found
      guard let value = try watch.value(at: found) else { continue }
      if let after, after.value != value {
        return try write(of: after.value.json, at: after.position)
      }
      after = (found, value)
    }
    guard let initial = try watch.value(at: Self.start) else { return nil }
    if let after, after.value != initial {
      return try write(of: after.value.json, at: after.position)
    }
    return try initial.json.map { json in try write(of: json, at: Self.start) }
  }

  private func write(of value: JSON?, at position: Int) throws(LogError) -> PathWrite {
    PathWrite(
      position: position, number: number(at: position) ?? 0, type: try log.type(at: position),
      value: value, afterGap: position >= 0 ? try before(position).afterGap : false)
  }
}
