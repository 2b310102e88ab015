import FluxLog

extension Session {
  /// The steps that a written range holds, as ``Timeline`` counts; nil for all of them.
  ///
  /// - Throws: ``CommandError`` where an end is outside the log, or the range ends before it begins.
  func resolve(_ range: RangeText?) throws -> Range<Int> {
    let end = try range?.through.map { try resolve($0).position }
    let last = try end ?? lastPosition()
    guard let from = range?.from else { return 0..<max(0, last + 1) }
    let first = try resolve(from).position
    guard first <= last else {
      throw CommandError(
        .badPosition,
        "the range ends with step \(stepText(at: last)), before it begins with step "
          + "\(stepText(at: first))")
    }
    return max(0, first)..<max(0, last + 1)
  }
}
