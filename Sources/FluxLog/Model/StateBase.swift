import FluxJSON

/// The starting point for rebuilding the state of a store at some position; patches follow it.
///
/// Positions count the usable steps from 0; -1 is the header.
enum StateBase: Hashable, Sendable {
  /// The header.
  case header
  /// The step at that position, which writes the store whole or removes it.
  case written(Int)
  /// The step at that position, the first accepted one after a gap, which does not list the store.
  /// The store is absent from there on.
  case absentAfterGap(Int)
  /// Nothing: the break before that position hides the store.
  case hidden(Int)
  /// The states that the restoring gap before that position lists.
  case restored(Int)

  var position: Int {
    switch self {
    case .header: -1
    case .written(let position), .absentAfterGap(let position), .hidden(let position): position
    case .restored(let position): position - 1
    }
  }
}

extension LogFile {
  /// Returns the starting point for the state of a store after the step at a position.
  ///
  /// Uses only the index and reads no line. Searches back, over one byte per step, to where the
  /// store was last written whole.
  func stateBase(of store: String, at position: Int) -> StateBase {
    let known = breaks.last(atOrBefore: position)
    let start = known?.position ?? 0
    let written = self.position(in: start..<max(start, position + 1), .backwards) {
      $0.isBase(of: store)
    }
    if let written { return .written(written) }
    guard let known else { return .header }
    guard known.endsWithWholeModel else { return .hidden(start) }
    guard let accepted = firstAccepted(in: start..<position + 1) else {
      return known.kind == .restored ? .restored(start) : .hidden(start)
    }
    let effect = rules(at: accepted).effect(of: shape(at: accepted)?.kind(of: store))
    return effect == .absent ? .absentAfterGap(accepted) : .hidden(start)
  }

  /// Returns the break that hides a store after the step at a position.
  ///
  /// Uses only the index.
  ///
  /// - Returns: The break; `nil` if none does. If the store is unknown then, a patch does not apply.
  package func breakHiding(_ store: String, at position: Int) -> LogBreak? {
    guard case .hidden = stateBase(of: store, at: position) else { return nil }
    return breaks.last(atOrBefore: position)
  }

  /// Returns the rules as they are after the step at a position.
  ///
  /// Uses only the index: no step before the last break matters, and none after it but the first accepted one.
  package func rules(after position: Int) -> ModelRules {
    var rules = ModelRules()
    guard let found = breaks.last(atOrBefore: position) else { return rules }
    rules.interrupt(found.kind)
    let isHidden =
      found.endsWithWholeModel && firstAccepted(in: found.position..<position + 1) == nil
    rules.begin(isRejected: isHidden)
    return rules
  }

  /// Returns the rules as they are right before the step at a position, after a break that is there.
  package func rules(before position: Int) -> ModelRules {
    var rules = rules(after: position - 1)
    if let found = breaks.last(atOrBefore: position), found.position == position {
      rules.interrupt(found.kind)
    }
    return rules
  }

  /// Returns the rules for the step at a position.
  func rules(at position: Int) -> ModelRules {
    var rules = rules(before: position)
    rules.begin(isRejected: shape(at: position)?.isRejected ?? true)
    return rules
  }

  /// `true` if the first accepted step after some gap patches a store or leaves out a state, which is
  /// damage.
  package func hasPatchAfterGap() -> Bool {
    func patches(_ shape: StepShape) -> Bool { shape.writes.contains { !$0.kind.isBase } }
    guard names.shapes.contains(where: patches) else { return false }
    let breaks = breaks
    for (index, found) in breaks.enumerated() where found.endsWithWholeModel {
      let end = index + 1 < breaks.count ? breaks[index + 1].position : count
      if let accepted = firstAccepted(in: found.position..<end),
        shape(at: accepted).map(patches) == true
      {
        return true
      }
    }
    return false
  }

  /// `true` if no gap and no damage is right before one of these steps.
  package func continuesModel(in positions: Range<Int>) -> Bool {
    guard let last = breaks.last(atOrBefore: positions.upperBound - 1) else { return true }
    return last.position < positions.lowerBound
  }

  func firstAccepted(in range: Range<Int>) -> Int? {
    position(in: range, shapeWhere: { !$0.isRejected })
  }
}

extension [LogBreak] {
  /// Returns the last break before the step at a position, or before an earlier step.
  func last(atOrBefore position: Int) -> LogBreak? {
    lastIndex(atOrBefore: position).map { self[$0] }
  }

  func lastIndex(atOrBefore position: Int) -> Int? {
    let next = partitioningIndex { $0.position > position }
    return next > 0 ? next - 1 : nil
  }
}
