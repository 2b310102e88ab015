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
  private let envelope: Envelope
  private let outcome: Outcome
  @exclusivity(unchecked) private var changes: ChangedStates
  private let notedAction: NotedAction?
  /// The zero of the log's time.
  private let created: Date
  /// The microseconds spent in reducers; nil if durations are not recorded.
  private let took: UInt64?
  private let recordsSource: Bool

  /// Creates a step from what the dispatcher hands over.
  ///
  /// `action` is nil if it was not logged before its reducers ran, and is still to be encoded.
  init(
    _ envelope: consuming Envelope, _ outcome: Outcome, _ changes: borrowing ChangedStores,
    action: consuming NotedAction?, created: Date, took: UInt64?, recordsSource: Bool
  ) {
    self.envelope = envelope
    self.outcome = outcome
    unsafe self.changes = ChangedStates(of: changes)
    notedAction = action
    self.created = created
    self.took = took
    self.recordsSource = recordsSource
  }

  var number: UInt64 { envelope.step }

  var isRejected: Bool { outcome.rejection != nil }

  var heldStoreCount: Int { unsafe changes.heldCount }

  func heldStore(at index: Int) -> String { unsafe changes.heldStore(at: index) }

  func leaveOut(_ store: String) -> (any Sendable)? { unsafe changes.leaveOut(store) }

  func record() -> StepRecord {
    let source = envelope.source
    var record = StepRecord(
      number: envelope.step, time: LogTime(of: envelope.time, since: created),
      action: notedAction?.action ?? LogValue(action: self),
      target: envelope.target?.rawValue, cause: envelope.cause, effect: envelope.effect,
      from: envelope.isFromObserver ? LogStep.observer : nil,
      effects: [StoreEffects](outcome.requestedEffects),
      source: recordsSource && source.line > 0 ? source.description : nil, took: took,
      changes: unsafe changes.records, rejection: outcome.rejection.map { LogRejection($0) })
    unsafe record.leaveOut(changes.unwritten)
    record.followUpCount = outcome.followUps.count
    record.usesRandomNumbers = outcome.usesRandomNumbers
    record.secrets = outcome.secrets.map { LogValue($0) }
    return record
  }

  func actionText() throws -> [UInt8] { try ActionText.bytes(of: envelope.action) }

  var actionType: String { envelope.name }
}

/// An action that was logged before its reducers ran; an object, which is copied faster.
final class NotedAction: Sendable {
  let action: LogValue

  init(_ action: LogValue) { self.action = action }
}
