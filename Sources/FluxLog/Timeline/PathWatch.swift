/// Watches what a path selects in the states, and knows which steps cannot change it.
///
/// A step that writes none of the path's stores cannot; nor can one whose patches touch other
/// places. All others are evaluated. INSPECTOR: a value counts as written by a step where its value
/// or existence after it differs from before it.
struct PathWatch {
  private let timeline: Timeline
  private let path: Path
  private let check: () throws -> Void
  /// The stores that the path reads, nil for all.
  private let stores: Set<String>?
  /// For each store, the places in it below which lies all that the path reads.
  private let places: [String: [Pointer]]

  init(_ path: Path, in timeline: Timeline, check: @escaping () throws -> Void) {
    self.timeline = timeline
    self.path = path
    self.check = check
    let footprint = path.footprint
    stores = footprint.stores
    places = footprint.placesByStore
  }

  /// What the path selects at a position; nil where a store that it reads is not known.
  func value(at position: Int) throws -> PathValue? {
    do {
      let nodes = try path.nodes(in: timeline.document(at: position), check: check)
      return PathValue(nodes, isSingular: path.isSingular)
    } catch let error as LogError {
      guard case .unknownStates = error.reason else { throw error }
      return nil
    }
  }

  /// Whether the step at a position changes what the path selects, against what was last known.
  func isChange(at position: Int) throws -> Bool {
    guard let after = try value(at: position) else { return false }
    var known = try timeline.before(position).position
    while known >= 0 {
      if let before = try value(at: known) { return before != after }
      known = try lastKnown(before: known)
    }
    return try value(at: Timeline.start) != after
  }

  /// The last position before this one at which none of the stores that hide the value here was
  /// hidden.
  private func lastKnown(before position: Int) throws(LogError) -> Int {
    var known = position - 1
    for store in stores ?? Set(timeline.log.storeNames) {
      known = min(known, try timeline.lastKnown(store, atOrBefore: position).position)
    }
    return known
  }

  /// The first position in the range whose step may have changed what the path selects.
  func nextCandidate(in range: Range<Int>) throws -> Int? {
    var position = range.lowerBound
    while let found = try next(in: position..<range.upperBound) {
      try check()
      if try mayChange(at: found) { return found }
      position = found + 1
    }
    return nil
  }

  /// The last such position.
  func previousCandidate(in range: Range<Int>) throws -> Int? {
    var end = range.upperBound
    while let found = try previous(in: range.lowerBound..<max(range.lowerBound, end)) {
      try check()
      if try mayChange(at: found) { return found }
      end = found
    }
    return nil
  }

  // MARK: Candidates

  private func next(in range: Range<Int>) throws(LogError) -> Int? {
    guard !range.isEmpty else { return nil }
    let written = try timeline.log.firstPosition(in: range, shapeWhere: writes)
    let broken = try timeline.log.firstAfterBreak(in: range)
    guard let written, let broken else { return written ?? broken }
    return min(written, broken)
  }

  private func previous(in range: Range<Int>) throws(LogError) -> Int? {
    guard !range.isEmpty else { return nil }
    let written = try timeline.log.lastPosition(in: range, shapeWhere: writes)
    let broken = try timeline.log.lastAfterBreak(in: range)
    guard let written, let broken else { return written ?? broken }
    return max(written, broken)
  }

  private func writes(_ shape: StepShape) -> Bool {
    guard let stores else { return !shape.writes.isEmpty }
    return shape.writes.contains { stores.contains($0.store) }
  }

  private func mayChange(at position: Int) throws(LogError) -> Bool {
    guard let shape = try timeline.log.shape(at: position), let stores,
      try !timeline.before(position).afterGap
    else { return true }
    for write in shape.writes where stores.contains(write.store) {
      guard write.kind == .patch else { return true }
      // Read through the cache: where it has to be evaluated, the line is read already.
      guard let patch = try timeline.step(at: position).patches?[write.store] else { return true }
      for place in places[write.store] ?? [] where place.mayChange(by: patch) { return true }
    }
    return false
  }
}

extension LogFile {
  /// The first position in the range of a step that the model is not led on to: the first one
  /// behind a break, or the first accepted one behind a gap.
  fileprivate func firstAfterBreak(in range: Range<Int>) throws(LogError) -> Int? {
    // A gap before the range may be followed by its accepted step within it.
    let place = breaks.lastPlace(atOrBefore: range.lowerBound) ?? 0
    for found in breaks[place...] {
      guard found.position < range.upperBound else { return nil }
      if let position = try resumption(after: found, upTo: range.upperBound),
        range.contains(position)
      {
        return position
      }
    }
    return nil
  }

  fileprivate func lastAfterBreak(in range: Range<Int>) throws(LogError) -> Int? {
    guard let place = breaks.lastPlace(atOrBefore: range.upperBound - 1) else { return nil }
    for found in breaks[...place].reversed() {
      guard let position = try resumption(after: found, upTo: range.upperBound) else { continue }
      return position >= range.lowerBound ? position : nil
    }
    return nil
  }

  private func resumption(after found: LogBreak, upTo end: Int) throws(LogError) -> Int? {
    found.kind == .damage ? found.position : try firstAccepted(in: found.position..<end)
  }
}

extension Footprint {
  /// The places in the states, without those of the states before a step.
  fileprivate var placesByStore: [String: [Pointer]] {
    var byStore: [String: [Pointer]] = [:]
    for place in places {
      let tokens = place.tokens
      guard tokens.first == "state", tokens.count > 1 else { continue }
      byStore[tokens[1], default: []].append(Pointer(tokens: tokens.dropFirst(2)))
    }
    return byStore
  }
}
