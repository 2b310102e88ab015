/// What a step is compared with: where the model was last known before it.
public struct Before: Sendable, Equatable {
  /// The position; ``Timeline/start`` for the initial states.
  public let position: Int
  /// Whether steps between the two are missing: what changed is then what all of them did.
  public let afterGap: Bool
}

extension Timeline {
  /// Where the model was last known before the step at a position.
  ///
  /// For most steps that is the step before. After a gap it is the last step before the gap, and
  /// so for the rejected steps that follow it: they change nothing. LOG-FORMAT, "Other lines".
  ///
  /// - Precondition: `position` is that of a step.
  /// - Throws: ``LogError`` where the index cannot be read.
  public func before(_ position: Int) throws(LogError) -> Before {
    let breaks = log.breaks
    var known = position - 1
    var afterGap = breaks.last(atOrBefore: position)?.position == position
    while let found = breaks.last(atOrBefore: known), try isHiddenByGap(found, at: known) {
      afterGap = true
      known = found.position - 1
    }
    return Before(position: known, afterGap: afterGap)
  }

  /// Whether a position lies between a gap and the next accepted step.
  private func isHiddenByGap(_ found: LogBreak, at position: Int) throws(LogError) -> Bool {
    guard found.kind == .gap, position >= found.position else { return false }
    return try log.firstAccepted(in: found.position..<position + 1) == nil
  }

  /// The last position at or before this one where the state of a store is known, and what it is.
  ///
  /// The initial states are always known.
  package func lastKnown(
    _ store: String, atOrBefore position: Int
  ) throws(LogError) -> (position: Int, state: StoreState) {
    var position = position
    while true {
      let state = try storeState(store, at: position)
      if state.isKnown || position < 0 { return (position, state) }
      position = try lastVisible(store, before: position)
    }
  }

  /// The position before that at which a store that is unknown here became unknown.
  private func lastVisible(_ store: String, before position: Int) throws(LogError) -> Int {
    switch try log.stateBase(of: store, at: position) {
    case .hidden(let start): return start - 1
    case let base:
      // A patch after the base does not apply: the first one that fails is found by halves.
      var (known, unknown) = (base.position, position)
      while unknown - known > 1 {
        let middle = (known + unknown) / 2
        if try storeState(store, at: middle).isKnown { known = middle } else { unknown = middle }
      }
      return known
    }
  }

  /// The stores that the step at a position changed, in the order of its line.
  ///
  /// The first accepted step after a gap replaces the whole model, and has changed what differs from
  /// the last known one, and what it patches although there is nothing to patch. After damage too
  /// nothing but the line tells what a step changed.
  ///
  /// - Throws: ``LogError`` where there is no such step, or a line cannot be read.
  public func changedStores(at position: Int) throws(LogError) -> [String] {
    guard position >= 0 else { return [] }
    guard let shape = try log.shape(at: position) else {
      _ = try log.step(at: position)
      return []
    }
    guard !shape.isRejected, log.breaks.last(atOrBefore: position)?.kind == .gap,
      try before(position).afterGap
    else { return shape.writes.map(\.store) }
    var changed: [String] = []
    for store in log.storeNames {
      let state = try storeState(store, at: position)
      let isChanged =
        state.isKnown
        ? try lastKnown(store, atOrBefore: position - 1).state != state
        : shape.kind(of: store) != nil
      if isChanged { changed.append(store) }
    }
    return changed
  }
}
