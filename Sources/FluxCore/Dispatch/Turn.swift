import Foundation

/// What the thread that has the turn works with.
///
/// Stores stand here as indices: a reference to an object costs ten nanoseconds each time it changes
/// hands, and a dispatch has few of those to spend.
@usableFromInline
struct Turn {
  // From step to step.
  var stepNumber: UInt64 = 0
  var lastTime = Date.distantPast
  var middleware: [InstalledMiddleware] = []

  // Within a step.
  var time: Date?
  var random: SplitMix64?
  var activity: Activity?
  var followUps: [(followUp: Outcome.FollowUp, call: Call)] = []
  var effectCommands: [EffectCommand] = []
  @usableFromInline var progress: [SlotProgress]
  /// The stores that have a proposal, in the order in which they came to it.
  var touched: [Int] = []

  // Within the taking of one action; a batch has several in a step.
  var transaction: UInt64 = 0
  /// The store whose turn to take it has come; those before it in the order have taken it.
  var takingSlot = 0
  /// Whether a store has taken it before its turn came, because another one read it.
  var hasEarlyTakers = false
  var target: Int?
  var reference: ActionReference?
  /// Why a read of another store failed: it rejects the step, also where the reducer catches the error.
  var failedRead: Rejection?

  init(storeCount: Int) {
    progress = Array(repeating: SlotProgress(), count: storeCount)
  }

  /// Notes the state that a reducer has come to, and returns the one that it had come to before.
  mutating func propose(_ snapshot: consuming StateSnapshot, for slot: Int) -> StateSnapshot? {
    let replaced = progress[slot].propose(snapshot)
    if replaced == nil { touched.append(slot) }
    return replaced
  }

  /// Begins the taking of an action.
  mutating func begin(_ reference: ActionReference) {
    transaction &+= 1
    hasEarlyTakers = false
    self.reference = reference
  }

  /// Whether a store has taken the action before its turn came.
  func hasTakenEarly(_ slot: Int) -> Bool {
    hasEarlyTakers && progress[slot].takenEarlyIn == transaction
  }

  /// Whether a store has begun to take the action, and not ended.
  func isTaking(_ slot: Int) -> Bool {
    slot == takingSlot || hasEarlyTakers && progress[slot].beganEarlyIn == transaction
  }

  mutating func beginEarly(_ slot: Int) {
    hasEarlyTakers = true
    progress[slot].beganEarlyIn = transaction
  }

  mutating func endEarly(_ slot: Int) {
    progress[slot].takenEarlyIn = transaction
  }

  /// The store that has a proposal, where there is just one, which has made just one.
  var onlyTouched: Int? {
    guard touched.count == 1, !progress[touched[0]].isReproposed else { return nil }
    return touched[0]
  }

  /// Makes a proposal the committed state, and leaves the old state where the proposal was.
  mutating func exchange(_ slot: Int, with committed: inout Model) {
    committed.withOwnSnapshots { progress[slot].exchange(with: &$0[slot]) }
  }
}
