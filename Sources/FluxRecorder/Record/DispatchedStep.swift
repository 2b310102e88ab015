import FluxCore
import FluxLog
import Foundation

/// A dispatcher's step on its way into the log, as the dispatcher handed it over.
///
/// Anything slow is left to the thread that writes the log: encoding, casts, lists and names. A
/// step shares no references with other steps, because both threads would count them at the same
/// time.
///
/// `@unchecked Sendable`: everything but `changes` is constant. One thread at a time has the step; while
/// it waits, the queue's lock guards `changes`. No access is checked for overlaps at run time: each is one
/// call of a value.
@safe
final class DispatchedStep: StepSource, ActionSource, @unchecked Sendable {
  /// The details of a step that the recorder knows and the dispatcher does not.
  struct Context {
    /// The zero of the log's time.
    let created: Date
    /// The microseconds spent in reducers; nil if durations are not recorded.
    let took: UInt64?
    let recordsSource: Bool
  }

  private let envelope: Envelope
  private let outcome: Outcome
  @exclusivity(unchecked) private var changes: ChangedStates
  private let notedAction: NotedAction?
  private let context: Context

  /// Creates a step from what the dispatcher hands over.
  ///
  /// `action` is nil if it was not logged before its reducers ran, and is still to be encoded.
  init(
    _ envelope: consuming Envelope, _ outcome: Outcome, _ changes: borrowing ChangedStores,
    action: consuming NotedAction?, _ context: Context
  ) {
    self.envelope = envelope
    self.outcome = outcome
    unsafe self.changes = ChangedStates(of: changes)
    notedAction = action
    self.context = context
  }

  var number: UInt64 { envelope.step }

  var isRejected: Bool { outcome.rejection != nil }

  var heldStoreCount: Int { unsafe changes.heldCount }

  func heldStore(at index: Int) -> String { unsafe changes.heldStore(at: index) }

  func leaveOut(_ store: String) -> (any Sendable)? { unsafe changes.leaveOut(store) }

  func record() -> StepRecord {
    var record = StepRecord(
      number: envelope.step, time: LogTime(of: envelope.time, since: context.created),
      action: notedAction?.action ?? PreparedAction(LogValue(action: self)),
      target: envelope.target?.rawValue, cause: envelope.cause, effect: envelope.effect,
      from: envelope.isFromObserver ? LogStep.observer : nil,
      effects: [StoreEffects](outcome.requestedEffects),
      source: context.recordsSource ? envelope.source.description : nil, took: context.took,
      changes: unsafe changes.records, rejection: outcome.rejection.map { LogRejection($0) })
    unsafe record.leaveOut(changes.unwritten)
    record.followUpCount = outcome.followUps.count
    record.usesRandomNumbers = outcome.usesRandomNumbers
    record.secrets = outcome.secrets.map { LogValue($0) }
    return record
  }

  func actionText() throws -> [UInt8] { try ActionText.bytes(of: envelope.action) }
}

/// An action that was logged before its reducers ran; an object, which is copied faster.
final class NotedAction: Sendable {
  let action: PreparedAction

  init(_ action: PreparedAction) { self.action = action }
}

extension [StoreEffects] {
  /// Groups the requests of a step by store, in their order.
  init(_ requests: [Outcome.RequestedEffect]) {
    self = []
    for request in requests {
      let store = request.store.rawValue
      let place = firstIndex { $0.store.hasSameBytes(as: store) } ?? count
      if place == count { append(StoreEffects(store: store)) }
      if request.isCancellation {
        self[place].cancel(request.name)
      } else {
        self[place].start(request.name)
      }
    }
  }
}

extension LogRejection {
  init(_ rejection: Rejection) {
    self.init(
      reason: rejection.reason.rawValue, message: rejection.message,
      store: rejection.store?.rawValue)
  }
}

extension LogValue {
  /// Wraps an action, which is encoded on demand by the rules of ``ActionCoder``.
  init(action: any Encodable & Sendable) { self.init(action: PlainAction(action: action)) }
}

/// An action without an envelope.
private final class PlainAction: ActionSource {
  private let action: any Encodable & Sendable

  init(action: any Encodable & Sendable) { self.action = action }

  func actionText() throws -> [UInt8] { try ActionText.bytes(of: action) }
}

/// The states that a step changed, by reference.
///
/// Most steps change at most one store, so the first one is stored without an array.
struct ChangedStates: Sendable {
  private var first: ChangedState?
  private var others: [ChangedState]
  /// The number of stores that have a state; a removal is not counted.
  private(set) var heldCount: Int
  /// The stores whose states were left out because the log was behind.
  private(set) var unwritten: [String] = []

  init(of stores: borrowing ChangedStores) {
    others = []
    guard stores.count > 0 else {
      (first, heldCount) = (nil, 0)
      return
    }
    let (store, snapshot, isFeature) = stores.change(at: 0)
    // Before the state is stored: reading it from there would copy it.
    if isFeature { heldCount = snapshot.isNil ? 0 : 1 } else { heldCount = 1 }
    first = ChangedState(store: store, snapshot: snapshot, isFeature: isFeature)
    if stores.count > 1 {
      for index in 1..<stores.count {
        let (store, snapshot, isFeature) = stores.change(at: index)
        add(ChangedState(store: store, snapshot: snapshot, isFeature: isFeature))
      }
    }
  }

  private mutating func add(_ state: ChangedState) {
    others.append(state)
    if state.holdsState { heldCount += 1 }
  }

  var records: [StepRecord.Change] {
    guard let first else { return others.map(\.record) }
    return others.isEmpty ? [first.record] : [first.record] + others.map(\.record)
  }

  func heldStore(at index: Int) -> String {
    let held = ([first].compactMap(\.self) + others).lazy.filter(\.holdsState)
    return held.dropFirst(index).first?.store.rawValue ?? ""
  }

  /// Leaves out a store's state, and returns it.
  mutating func leaveOut(_ store: String) -> (any Sendable)? {
    if let state = first, state.holdsState, state.store.rawValue.hasSameBytes(as: store) {
      first = nil
      heldCount -= 1
      unwritten.append(store)
      return state.snapshot
    }
    let place = others.firstIndex { state in
      state.holdsState && state.store.rawValue.hasSameBytes(as: store)
    }
    guard let place else { return nil }
    heldCount -= 1
    unwritten.append(store)
    return others.remove(at: place).snapshot
  }
}

/// The state of one store after a step.
struct ChangedState: Sendable {
  let store: StoreID
  let snapshot: StateSnapshot
  let isFeature: Bool

  init(store: StoreID, snapshot: StateSnapshot, isFeature: Bool) {
    (self.store, self.snapshot, self.isFeature) = (store, snapshot, isFeature)
  }

  init?(_ store: StoreID, in model: Model) {
    guard let contents = model.slotContents(of: store) else { return nil }
    self.store = store
    snapshot = contents.snapshot
    isFeature = contents.isFeature
  }

  /// `false` if the step removed the feature.
  var holdsState: Bool { !(isFeature && snapshot.isNil) }

  /// The change in the form of a step's record; the state is encoded when the log is written.
  var record: StepRecord.Change {
    StepRecord.Change(
      store: store.rawValue, state: holdsState ? LogValue(snapshot: snapshot) : nil)
  }
}
