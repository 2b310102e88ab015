import FluxInspector
import FluxJSON
import FluxLog

/// Finds the first step after which two logs have different states although the states before it and the actions
/// are the same.
struct LogStateComparison {
  private let left: Session
  private let right: Session
  private let stores: [BytewiseName]
  /// The stores whose states may differ at the places that were compared last, without those that are unknown in both
  /// logs.
  private var differing: Set<BytewiseName> = []
  /// The stores whose states only one of the logs knew after the same action.
  private(set) var halfKnown: [HalfKnownState] = []

  init(_ left: Session, _ right: Session) {
    self.left = left
    self.right = right
    stores = Set((left.log.storeNames + right.log.storeNames).map(BytewiseName.init)).sorted()
  }

  /// Returns the first difference; nil if there is none.
  ///
  /// Behind steps without a partner, states are expected to differ. If only one log knows a state, nothing can be
  /// said. In both cases the search continues at the next place where all states are the same. A state that neither
  /// knows is compared as soon as both know it again.
  mutating func firstDifference(
    along stretches: [SequenceAlignment.Stretch]
  ) throws -> StateDifference? {
    if let difference = try difference(at: (Timeline.start, Timeline.start), among: stores) {
      return difference
    }
    for stretch in stretches {
      try skip(stretch.old, stretch.new)
      for offset in 0..<stretch.count {
        let place = (stretch.old.upperBound + offset, stretch.new.upperBound + offset)
        if let difference = try differenceOfPair(at: place) { return difference }
      }
    }
    return nil
  }

  /// Returns the number of steps with the same action after which neither log has all states, and the number of all steps
  /// with the same action.
  func uncomparedSteps(
    along stretches: [SequenceAlignment.Stretch]
  ) throws -> (uncompared: Int, of: Int) {
    var (uncompared, count) = (0, 0)
    for stretch in stretches {
      count += stretch.count
      for offset in 0..<stretch.count {
        try left.checkInterruption()
        let place = (stretch.old.upperBound + offset, stretch.new.upperBound + offset)
        let isUnknown = stores.contains {
          !left.timeline.hasState(of: $0.text, at: place.0)
            && !right.timeline.hasState(of: $0.text, at: place.1)
        }
        if isUnknown { uncompared += 1 }
      }
    }
    return (uncompared, count)
  }

  private mutating func skip(_ left: Range<Int>, _ right: Range<Int>) throws {
    guard !left.isEmpty || !right.isEmpty else { return }
    var changed = differing
    for position in left { changed.formUnion(try touched(by: position, in: self.left)) }
    for position in right { changed.formUnion(try touched(by: position, in: self.right)) }
    differing = try differing(among: changed, at: (left.upperBound - 1, right.upperBound - 1))
  }

  /// The stores that a step writes; all of them behind a break, which may hide any.
  private func touched(by position: Int, in session: Session) throws(LogError) -> [BytewiseName] {
    guard !session.timeline.baseline(of: position).afterGap else { return stores }
    return try session.timeline.changedStores(at: position).map(BytewiseName.init)
  }

  private mutating func differenceOfPair(at place: (Int, Int)) throws -> StateDifference? {
    try left.checkInterruption()
    if place.0 % 1024 == 0 { try left.work.reporting("comparing")(place.0, left.log.count) }
    let (old, new) = (try left.log.step(at: place.0), try right.log.step(at: place.1))
    let isAfterBreak =
      left.timeline.baseline(of: place.0).afterGap
      || right.timeline.baseline(of: place.1).afterGap
    if differing.isEmpty, !isAfterBreak, old.hasSameEffect(as: new) { return nil }
    let changed =
      isAfterBreak
      ? Set(stores) : differing.union((old.changed + new.changed).map(BytewiseName.init))
    try noteHalfKnown(among: changed, at: place)
    guard differing.isEmpty else {
      differing = try differing(among: changed, at: place)
      return nil
    }
    let isOneRejected = (old.rejection == nil) != (new.rejection == nil)
    return try difference(at: place, among: changed.sorted(), isCertain: isOneRejected)
  }

  private mutating func difference(
    at place: (Int, Int), among candidates: [BytewiseName], isCertain: Bool = false
  ) throws -> StateDifference? {
    differing = try differing(among: Set(candidates), at: place)
    let pairs = try differing.sorted().compactMap { store -> StatePair? in
      let (old, new) = try states(of: store, at: place)
      guard old.isKnown, new.isKnown else { return nil }
      return StatePair(store.text, from: old, to: new)
    }
    let difference = try FluxInspector.Difference(
      from: left.number(at: place.0), to: right.number(at: place.1), states: pairs,
      check: left.check)
    guard isCertain || !difference.changes.isEmpty else { return nil }
    return StateDifference(
      a: left.number(at: place.0), b: right.number(at: place.1),
      type: left.log.type(at: place.0), changes: difference.changes,
      readable: difference.readable)
  }

  private func differing(
    among stores: Set<BytewiseName>, at place: (Int, Int)
  ) throws -> Set<BytewiseName> {
    try stores.filter { store in
      let (old, new) = try states(of: store, at: place)
      return old != new
    }
  }

  private mutating func noteHalfKnown(among stores: Set<BytewiseName>, at place: (Int, Int)) throws
  {
    for store in stores.sorted()
    where !halfKnown.contains(where: { $0.store.hasSameBytes(as: store.text) }) {
      let (old, new) = try states(of: store, at: place)
      guard old.isKnown != new.isKnown else { continue }
      halfKnown.append(
        HalfKnownState(
          store: store.text, a: left.number(at: place.0), b: right.number(at: place.1)))
    }
  }

  private func states(
    of store: BytewiseName, at place: (Int, Int)
  ) throws(LogError) -> (old: StoreState, new: StoreState) {
    (
      try left.timeline.storeState(store.text, at: place.0),
      try right.timeline.storeState(store.text, at: place.1)
    )
  }
}

/// A state that damage or a gap hides in only one of two logs: `{"store","a","b"}`, with the first such step of each.
struct HalfKnownState: Encodable, Sendable {
  let store: String
  let a: StepNumber
  let b: StepNumber
}

/// States that differ after two steps: `{"a","b","type"?,"changes"}`.
struct StateDifference: Encodable, Sendable {
  private enum CodingKeys: CodingKey { case a, b, type, changes }

  let a: StepNumber
  let b: StepNumber
  /// The type of the action; nil for the initial states.
  let type: String?
  /// The changes that turn the left model into the right one; empty if one of the steps was rejected, and the other
  /// changed nothing.
  let changes: [StateChange]
  /// The changes as people read them; not encoded.
  let readable: [ReadableDifference.Entry]
}

extension LogStep {
  /// `true` if two steps do the same to the same model.
  fileprivate func hasSameEffect(as other: LogStep) -> Bool {
    unwritten.isEmpty && other.unwritten.isEmpty
      && states == other.states && patches == other.patches
      && removed.map(BytewiseName.init) == other.removed.map(BytewiseName.init)
      && (rejection == nil) == (other.rejection == nil)
  }
}
