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
struct ChangedStates: Sendable {
  private var states: [ChangedState] = []
  /// The number of stores that have a state; a removal is not counted.
  private(set) var heldCount = 0
  /// The stores whose states were left out because the log was behind.
  private(set) var unwritten: [String] = []

  init(of stores: borrowing ChangedStores) {
    states.reserveCapacity(stores.count)
    for index in 0..<stores.count {
      let state = ChangedState(stores.change(at: index))
      if state.holdsState { heldCount += 1 }
      states.append(state)
    }
  }

  var records: [StepRecord.Change] { states.map(\.record) }

  func heldStore(at index: Int) -> String {
    states.lazy.filter(\.holdsState).dropFirst(index).first?.store.rawValue ?? ""
  }

  /// Leaves out a store's state, and returns it.
  mutating func leaveOut(_ store: String) -> (any Sendable)? {
    let place = states.firstIndex { $0.holdsState && $0.store.rawValue.hasSameBytes(as: store) }
    guard let place else { return nil }
    heldCount -= 1
    unwritten.append(store)
    return states.remove(at: place).snapshot
  }
}

/// The state of one store after a step.
struct ChangedState: Sendable {
  let store: StoreID
  let snapshot: StateSnapshot
  /// `false` if the step removed the feature; kept, because to test a state for nil takes a cast.
  let holdsState: Bool

  init(_ change: ChangedStores.Change) {
    store = change.store
    snapshot = change.snapshot
    holdsState = !(change.isFeature && change.snapshot.isNil)
  }

  init?(_ store: StoreID, in model: Model) {
    guard let (snapshot, isFeature) = model.slotContents(of: store) else { return nil }
    self.init((store, snapshot, isFeature))
  }

  /// The change in the form of a step's record; the state is encoded when the log is written.
  var record: StepRecord.Change {
    StepRecord.Change(
      store: store.rawValue, state: holdsState ? LogValue(snapshot: snapshot) : nil)
  }
}
