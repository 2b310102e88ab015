import FluxJSON

/// Steps whose new states are not in the log, although no step is missing.
///
/// The writer left them out because it was behind; see docs/log-format.md, "Unwritten states": a store is unknown from such
/// a step to its next state, patch or removal, and the patches around it are those of the written states. Or the file that
/// was imported had none: every store is unknown until it is next written whole, or removed.
extension Timeline {
  /// `true` if the store's newest state at a position is not in the log.
  ///
  /// Uses only the index. Costs nothing in logs that have every state and no gap.
  package func isUnwritten(_ store: String, at position: Int) -> Bool {
    guard log.hasUnwritten(store) || !log.breaks.isEmpty else { return false }
    // After a restoring gap, the model is that of an earlier position.
    let position = log.sourcePosition(of: min(position, .max - 1))
    if importHiding(store, at: position) != nil { return true }
    guard log.hasUnwritten(store), position >= 0,
      let last = log.position(
        in: stretch(before: position + 1), .backwards, shapeWhere: { $0.kind(of: store) != nil })
    else { return false }
    return log.rules(at: last).effect(of: log.shape(at: last)?.kind(of: store)) == .unwritten
  }

  /// Returns the stores whose newest states at a position are not in the log, sorted by name.
  package func unwrittenStores(at position: Int) -> [String] {
    guard log.hasUnwrittenStates || !log.breaks.isEmpty else { return [] }
    return unwrittenStores(of: log.storeNames, at: position)
  }

  /// Returns those of the given stores whose newest states at a position are not in the log.
  package func unwrittenStores(of stores: [String], at position: Int) -> [String] {
    stores.filter { isUnwritten($0, at: position) }
  }

  /// Returns the last position up to this one at which the store is written, given that it is not
  /// written here.
  package func lastWritten(_ store: String, before position: Int) -> Int {
    if let imported = importHiding(store, at: position) { return imported - 1 }
    let range = stretch(before: position)
    let written = log.position(in: range, .backwards) { $0.hasState(of: store) }
    let start = written.map { $0 + 1 } ?? range.lowerBound
    let first = log.position(in: start..<position + 1) { shape in
      shape.kind(of: store) == .unwritten
    }
    return (first ?? position) - 1
  }

  /// Returns the nearest positions before and after this one at which a store that is not written here is known.
  ///
  /// - Parameters:
  ///   - store: A store that ``isUnwritten(_:at:)`` at the position.
  ///   - position: The position.
  /// - Returns: The positions; nil if there is none, or none that is indexed.
  /// - Throws: ``LogError`` if a line cannot be read.
  package func knownPositions(
    of store: String, around position: Int
  ) throws(LogError) -> (before: Int?, after: Int?) {
    let earlier = lastWritten(store, before: log.sourcePosition(of: position))
    let before = try storeState(store, at: earlier).isKnown ? earlier : nil
    let written = log.position(in: position + 1..<max(position + 1, log.count)) {
      $0.hasState(of: store)
    }
    let after = try written.flatMap { (next) throws(LogError) in
      try storeState(store, at: next).isKnown ? next : nil
    }
    return (before, after)
  }

  /// Returns the positions up to an end across which the model continues.
  private func stretch(before end: Int) -> Range<Int> {
    min(log.lastInterruption(atOrBefore: end - 1)?.position ?? 0, end)..<end
  }

  /// Returns the position from which an import without states hides a store up to a position; `nil` if none does, or if a
  /// step in between writes the store whole or removes it.
  package func importHiding(_ store: String, at position: Int) -> Int? {
    guard let found = log.breaks.last(atOrBefore: position), found.hidesStatesOnly else {
      return nil
    }
    let known = log.position(
      in: found.position..<position + 1, .backwards,
      shapeWhere: { shape in !shape.isRejected && shape.isBase(of: store) })
    return known == nil ? found.position : nil
  }

  /// Returns the last position up to this one at which every store is known.
  ///
  /// A replay that has to begin here begins there, and dispatches the recorded actions in between.
  ///
  /// - Returns: The position; `nil` if damage or a gap hides a store, so a replay cannot begin before
  ///   it either.
  package func lastKnownModel(atOrBefore position: Int) throws(LogError) -> RecordedModel? {
    let limit = log.lastInterruption(atOrBefore: position)?.position ?? Self.start
    var position = position
    while position >= limit {
      let unwritten = unwrittenStores(at: position)
      guard !unwritten.isEmpty else {
        let model = try model(at: position)
        return model.unknownStores.isEmpty ? model : nil
      }
      // At an earlier position, another store may be written.
      let known = unwritten.map { lastWritten($0, before: position) }
      position = known.reduce(position - 1, min)
    }
    return nil
  }

  /// Returns the first position of a range at which every store is known; `nil` if there is none.
  ///
  /// Uses only the index. The range contains no break after its first position.
  package func firstKnownPosition(in range: Range<Int>) -> Int? {
    var position = range.lowerBound
    while position < range.upperBound {
      var known = position
      for store in log.storeNames {
        guard let next = firstKnownPosition(of: store, in: position..<range.upperBound) else {
          return nil
        }
        known = max(known, next)
      }
      // A store can become unknown again before the last one is known.
      if known == position { return known }
      position = known
    }
    return nil
  }

  /// `true` if the log has the state of a store at a position.
  ///
  /// Uses only the index.
  package func hasState(of store: String, at position: Int) -> Bool {
    if case .hidden = log.stateBase(of: store, at: position) { return false }
    return !isUnwritten(store, at: position)
  }

  private func firstKnownPosition(of store: String, in range: Range<Int>) -> Int? {
    if case .hidden = log.stateBase(of: store, at: range.lowerBound) {
      return log.position(in: range) { !$0.isRejected && $0.isBase(of: store) }
    }
    guard isUnwritten(store, at: range.lowerBound) else { return range.lowerBound }
    return log.position(in: range.dropFirst()) { $0.hasState(of: store) }
  }
}

extension LogFile {
  /// `true` if some step of the indexed part leaves out the state of the store.
  func hasUnwritten(_ store: String) -> Bool {
    let stores = names.unwrittenStores
    return !stores.isEmpty && stores.contains(BytewiseName(store))
  }

  /// Returns the positions in a range from which the log was imported without states.
  package func imports(in range: Range<Int>) -> [Int] {
    breaks.elements(in: range, by: \.position).filter(\.hidesStatesOnly).map(\.position)
  }

  /// Returns the last break up to a position after which a replay cannot go on from the states before it.
  func lastInterruption(atOrBefore position: Int) -> LogBreak? {
    let breaks = breaks
    var index = breaks.lastIndex(atOrBefore: position)
    while let found = index, breaks[found].hidesStatesOnly { index = found > 0 ? found - 1 : nil }
    return index.map { breaks[$0] }
  }

  /// `true` if some step of the indexed part leaves out a state.
  package var hasUnwrittenStates: Bool { !names.unwrittenStores.isEmpty }

  /// Returns the number of steps that leave out the state of a store; in a range of positions, or in
  /// the indexed part of the log.
  package func unwrittenStepCount(in range: Range<Int>? = nil) -> Int {
    guard !names.unwrittenStores.isEmpty else { return 0 }
    var count = 0
    var rest = range ?? 0..<self.count
    while let found = position(
      in: rest, shapeWhere: { shape in shape.writes.contains { $0.kind == .unwritten } })
    {
      count += 1
      rest = found + 1..<rest.upperBound
    }
    return count
  }
}
