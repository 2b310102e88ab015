import FluxJSON

/// The position that a step is compared with: the last one at which the model was known before the
/// step.
public struct Baseline: Sendable, Equatable {
  /// The position; ``Timeline/start`` for the initial states.
  public let position: Int
  /// `true` if steps between the two are missing.
  ///
  /// Differences then come from all of those steps.
  public let afterGap: Bool
  /// `true` if the app went back to a model of no step right before the step, so the model that the step began with is not
  /// that of ``position``.
  public internal(set) var isRestored = false
}

extension Timeline {
  /// Returns the last position before a step at which the model was known.
  ///
  /// For most steps, this is the previous step. After a gap, it is the last step before the gap;
  /// also for rejected steps that follow the gap, which change nothing. See docs/log-format.md,
  /// "Other lines".
  ///
  /// - Precondition: `position` is the position of a step.
  public func baseline(of position: Int) -> Baseline {
    let breaks = log.breaks
    var known = position - 1
    var afterGap = false
    if let found = breaks.last(atOrBefore: position), found.position == position {
      afterGap = true
      if let restored = log.restoredPosition(before: position) { known = restored }
    }
    while log.rules(after: known).awaitsWholeModel, let found = breaks.last(atOrBefore: known),
      // Rejected steps keep the states that such a gap lists.
      log.restoredStates(before: found.position) == nil
    {
      afterGap = true
      known = log.restoredPosition(before: found.position) ?? found.position - 1
    }
    return Baseline(
      position: known, afterGap: afterGap, isRestored: log.restoredStates(before: position) != nil)
  }

  /// Returns the last position up to this one at which the state of a store is known, and that
  /// state.
  ///
  /// The initial states are always known.
  package func lastKnown(
    _ store: String, atOrBefore position: Int
  ) throws(LogError) -> (position: Int, state: StoreState) {
    var position = position
    while true {
      let state = try storeState(store, at: position)
      if state.isKnown || position < 0 { return (position, state) }
      position = try lastKnownPosition(store, before: position)
    }
  }

  /// Returns the last known state of a store before the step at a position.
  ///
  /// If the app went back to another model right before the step, this is the state in that model.
  func lastKnown(_ store: String, before position: Int) throws(LogError) -> StoreState {
    let state = try storeState(store, before: position)
    guard !state.isKnown else { return state }
    let earlier = log.restoredPosition(before: position) ?? position - 1
    return try lastKnown(store, atOrBefore: earlier).state
  }

  /// Returns the stores that the step at a position may have changed, although its line does not list them: the log was
  /// imported without their states.
  ///
  /// - Throws: ``LogError`` if there is no such step, or if a line cannot be read.
  package func unrecordedStores(at position: Int) throws(LogError) -> [String] {
    guard log.rules(after: position).lastBreak == .imported else { return [] }
    var found: [String] = []
    for store in log.storeNames where try isChanged(store, at: position) == nil {
      found.append(store)
    }
    return found
  }

  /// Returns `true` if the step at a position changed a store, compared with its last known state; `nil` if its line does
  /// not tell.
  func isChanged(_ store: String, at position: Int) throws(LogError) -> Bool? {
    try log.rules(at: position).isChanged(
      log.shape(at: position)?.kind(of: store),
      from: { () throws(LogError) in try lastKnown(store, before: position) },
      to: { () throws(LogError) in try writtenState(store, at: position) })
  }

  /// Returns the last position before an unknown state at which the store was still known.
  private func lastKnownPosition(_ store: String, before position: Int) throws(LogError) -> Int {
    // Rejected steps after a restoring gap have the model of an earlier position.
    let position = log.sourcePosition(of: position)
    if isUnwritten(store, at: position) { return lastWritten(store, before: position) }
    switch log.stateBase(of: store, at: position) {
    case .hidden(let start): return start - 1
    case .restored(let start): return start - 1
    case let base:
      // A patch after the base does not apply.
      return try (base.position + 1..<position).partitioningIndex {
        (position) throws(LogError) in try !writtenState(store, at: position).isKnown
      } - 1
    }
  }

  /// Returns the stores that the step at a position changed, in the order of its line.
  ///
  /// The first accepted step after a gap replaces the whole model. It changed the stores that
  /// differ from their last known state, and the stores that it patches in error. After damage, the
  /// result is what the line says. After an import without states, it is incomplete. It is empty for ``start``.
  ///
  /// - Throws: ``LogError`` if there is no such step, or if a line cannot be read.
  public func changedStores(at position: Int) throws(LogError) -> [String] {
    guard position != Self.start else { return [] }
    guard let shape = log.shape(at: position) else {
      _ = try log.step(at: position)
      return []
    }
    guard log.rules(at: position).replacesModel else { return shape.writes.map(\.store) }
    var changed: [String] = []
    for store in log.storeNames where try isChanged(store, at: position) == true {
      changed.append(store)
    }
    return changed
  }
}
