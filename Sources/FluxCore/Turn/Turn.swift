import Foundation

/// The working data of the thread that has the turn.
///
/// Stores appear as indices: each time a reference to an object changes hands costs ten nanoseconds, and a
/// dispatch has few of those to spend.
@usableFromInline
struct Turn {
  // Kept from step to step.
  var stepNumber: UInt64 = 0
  var lastTime = Date.distantPast
  /// The number of restored models so far; actions of a step before the last one are dropped.
  var restoreCount: UInt64 = 0
  /// Returns the step whose random numbers a step draws; nil if each draws its own.
  var randomStep: (@Sendable (UInt64) -> UInt64)?
  /// `true` while middleware and observers learn of a restored model.
  var isRestoring = false
  /// `true` if actions without a cause are ignored, because an old model is presented.
  var ignoresActions = false

  // Within a step.
  /// `true` while middleware sees the action before its stores.
  var isLookingAhead = false
  var time: Date?
  var random: SplitMix64?
  /// The secrets of the step; nil if it has drawn none and is not a recorded one.
  var secrets: SecretDraws?
  var activity: Activity?
  var followUps: [(followUp: Outcome.FollowUp, call: Call)] = []
  var effectCommands: [EffectCommand] = []
  @usableFromInline var progress: [SlotProgress]
  /// The stores with a proposal, in the order of their first proposals.
  var touched: [Int] = []

  // Within the handling of one action; a batch has several per step.
  var handlingCount: UInt64 = 0
  /// The store that handles the action now; the stores before it have handled it.
  var handlingSlot = 0
  /// `true` if a store has handled the action early because another one read it.
  var hasEarlyHandlers = false
  var target: Int?
  var reference: ActionReference?
  /// The rejection of a failed read of another store; it rejects the step even if the reducer catches it.
  var failedRead: Rejection?

  init(storeCount: Int) {
    progress = Array(repeating: SlotProgress(), count: storeCount)
  }

  /// Stores a proposal and returns the previous one of the same store and step.
  mutating func propose(_ snapshot: consuming StateSnapshot, for slot: Int) -> StateSnapshot? {
    let replaced = progress[slot].propose(snapshot)
    if replaced == nil { touched.append(slot) }
    return replaced
  }

  mutating func begin(_ reference: ActionReference) {
    handlingCount &+= 1
    hasEarlyHandlers = false
    self.reference = reference
  }

  func hasHandledEarly(_ slot: Int) -> Bool {
    hasEarlyHandlers && progress[slot].handledEarlyIn == handlingCount
  }

  /// `true` if a store has begun to handle the action and not ended.
  func isHandling(_ slot: Int) -> Bool {
    slot == handlingSlot || hasEarlyHandlers && progress[slot].beganEarlyIn == handlingCount
  }

  mutating func beginEarly(_ slot: Int) {
    hasEarlyHandlers = true
    progress[slot].beganEarlyIn = handlingCount
  }

  mutating func endEarly(_ slot: Int) {
    progress[slot].handledEarlyIn = handlingCount
  }

  /// `true` in middleware before a step, and in reducers: what the step changes is not known yet.
  var isBeforeCommit: Bool { isLookingAhead || reference != nil }

  /// The only store with a proposal, if it has made exactly one; nil otherwise.
  var onlyTouched: Int? {
    guard touched.count == 1, !progress[touched[0]].isReproposed else { return nil }
    return touched[0]
  }

  mutating func exchange(_ slot: Int, with committed: inout Model) {
    progress[slot].exchange(with: &committed.snapshots[slot])
  }
}

/// A store's progress in the current step.
@usableFromInline
struct SlotProgress {
  /// The state that the store's reducers have produced so far; nil if they have not changed it.
  @usableFromInline var proposal: StateSnapshot?
  /// `true` after a second proposal; together, two proposals may change nothing.
  var isReproposed = false
  // The numbers of the handlings in which the store began and ended to handle its action early, because
  // another store read it. A store that has begun and not ended is part of a circle if it is read again.
  var beganEarlyIn: UInt64 = 0
  var handledEarlyIn: UInt64 = 0

  mutating func propose(_ snapshot: consuming StateSnapshot) -> StateSnapshot? {
    let replaced = proposal.take()
    isReproposed = replaced != nil
    proposal = snapshot
    return replaced
  }

  mutating func exchange(with committed: inout StateSnapshot) {
    guard var state = proposal.take() else { return }
    swap(&committed, &state)
    proposal = state
  }
}
