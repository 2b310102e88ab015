/// The reason why a step did not commit; it changed no store, dispatched no follow-up and started no effect.
///
/// A reducer throws a rejection to refuse an action: `throw Rejection("the cart is empty")`, or
/// `throw Rejection.impossible` if the current state does not allow the action.
public struct Rejection: Error, Equatable, Sendable {
  /// The kinds of rejection; the raw values appear in logs.
  public enum Reason: String, Codable, Sendable, CaseIterable {
    /// A reducer or a reaction refused the action with its own message.
    case refused
    /// The current state of the store or feature does not allow the action.
    case impossible
    /// A reducer or a reaction threw an error that is not a rejection.
    case failed
    /// A middleware threw an error.
    case intercepted
    /// No store handles the action, or the store that it was sent to does not.
    case unhandled
    /// The action was sent to a store, or a reducer read a store, that the dispatcher does not have.
    case unknownStore
    /// Two stores read each other in the same step.
    case circularRead
  }

  /// The kind of rejection.
  public let reason: Reason
  /// The store whose reducer or reaction rejected the action; nil if none was involved.
  public let store: StoreID?
  /// The reason as a sentence for people.
  public let message: String

  /// Creates the rejection that a reducer throws to refuse an action.
  ///
  /// - Parameter message: The reason as a sentence for people.
  public init(_ message: String) {
    self.init(reason: .refused, message: message)
  }

  init(reason: Reason, store: StoreID? = nil, message: String) {
    self.reason = reason
    self.store = store
    self.message = message
  }

  /// The rejection of an action that the current state does not allow.
  ///
  /// The dispatcher completes the message with the action and the state, as in
  /// `search/begin is impossible in finished`.
  public static let impossible = Rejection(reason: .impossible, message: "")
}

extension Rejection: CustomStringConvertible {
  /// The message, after the name of the store if there is one.
  public var description: String {
    guard let store else { return message }
    return "\(store): \(message)"
  }
}

extension Rejection {
  /// Creates a rejection from an error that a reducer or a reaction threw.
  init(_ error: any Error, store: StoreID, state: Any, action: any Action) {
    guard let rejection = error as? Rejection else {
      let message = "\(describe(action)) failed: \(describe(error))"
      self.init(reason: .failed, store: store, message: message)
      return
    }
    self.init(
      reason: rejection.reason, store: rejection.store ?? store,
      message: rejection.completed(with: action, in: state).message)
  }

  /// Returns the rejection with a message that names the phase of a state, if it says only that the action is impossible.
  func completed(with action: any Action, in state: Any) -> Rejection {
    guard reason == .impossible, message.isEmpty else { return self }
    let message = "\(describe(action)) is impossible in \(describePhase(state))"
    return Rejection(reason: reason, store: store, message: message)
  }
}

/// Describes an error; an error of encoding or decoding without the value, which may be secret or large.
func describe(_ error: any Error) -> String {
  switch error {
  case EncodingError.invalidValue(let value, let context):
    "\(type(of: value)) at \(quoted(context.codingPath)) cannot be encoded"
  case DecodingError.typeMismatch(let type, let context),
    DecodingError.valueNotFound(let type, let context):
    "\(type) at \(quoted(context.codingPath)) cannot be decoded"
  case DecodingError.keyNotFound(let key, let context):
    "\(quoted(context.codingPath + [key])) is missing"
  case DecodingError.dataCorrupted(let context):
    "the value at \(quoted(context.codingPath)) cannot be decoded"
  default: "\(error)"
  }
}

private func quoted(_ path: [any CodingKey]) -> String {
  let names = path.map { "/" + ($0.intValue.map { "\($0)" } ?? $0.stringValue) }
  return "\"\(names.joined())\""
}

/// Describes a state in a word: the case of an enum, or `absent` for an absent feature.
private func describePhase(_ state: Any) -> String {
  let mirror = Mirror(reflecting: state)
  if mirror.displayStyle == .optional {
    guard let wrapped = mirror.children.first?.value else { return "absent" }
    return describePhase(wrapped)
  }
  return caseName(of: state) ?? "this state"
}
