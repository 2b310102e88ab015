import FluxCore
import FluxLog
import Foundation

/// A step of a dispatcher on its way into the log: what the app hands over, as it is.
///
/// All that takes time is left to the thread that writes the log: encoding, casts, lists and names. It refers to
/// nothing that other steps refer to, too, as both threads would count those references at the same time.
final class DispatchedStep: StepSource, ActionSource {
  /// How the step is written, which the recorder knows and the dispatcher does not.
  struct Context {
    /// The zero of the log's time.
    let created: Date
    /// Microseconds in reducers, where they are noted.
    let took: UInt64?
    let notesSource: Bool
  }

  private let envelope: Envelope
  private let outcome: Outcome
  private let changes: ChangedStates
  private let notedAction: PreparedAction?
  private let context: Context

  /// Takes a step as it is handed to middleware.
  ///
  /// - Parameters:
  ///   - envelope: The action and its circumstances.
  ///   - outcome: Whether it committed.
  ///   - changed: The stores that the step changed.
  ///   - model: The states after the step.
  ///   - action: The action where it was noted before its reducers ran; nil where it is still to be encoded.
  ///   - context: How the step is written.
  init(
    _ envelope: Envelope, _ outcome: Outcome, _ changed: borrowing [StoreID],
    in model: borrowing Model, action: consuming PreparedAction?, _ context: Context
  ) {
    self.envelope = envelope
    self.outcome = outcome
    // Made here, so that its references are not counted on the way.
    changes = ChangedStates(changed, in: model)
    notedAction = action
    self.context = context
  }

  var number: UInt64 { envelope.step }

  func record() -> StepRecord {
    StepRecord(
      number: envelope.step, time: LogTime(of: envelope.time, since: context.created),
      action: notedAction ?? PreparedAction(LogValue(action: self)),
      target: envelope.target?.rawValue, cause: envelope.cause, effect: envelope.effect,
      from: envelope.isFromObserver ? LogStep.observer : nil,
      source: context.notesSource ? envelope.source.description : nil, took: context.took,
      changes: changes.records, rejection: outcome.rejection.map { LogRejection($0) })
  }

  func actionText() throws -> [UInt8] { try ActionText.bytes(of: envelope.action) }
}

extension LogRejection {
  init(_ rejection: Rejection) {
    self.init(
      reason: rejection.reason.rawValue, message: rejection.message,
      store: rejection.store?.rawValue)
  }
}

extension LogValue {
  /// Takes an action by the rules of ``ActionCoder``; it is encoded when it is needed.
  init(action: any Encodable & Sendable) { self.init(action: PlainAction(action: action)) }
}

/// An action by itself.
private final class PlainAction: ActionSource {
  private let action: any Encodable & Sendable

  init(action: any Encodable & Sendable) { self.action = action }

  func actionText() throws -> [UInt8] { try ActionText.bytes(of: action) }
}
