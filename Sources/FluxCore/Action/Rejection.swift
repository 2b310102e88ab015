/// Why a step did not commit: no store changed, and nothing that it asked for was done.
///
/// A reducer throws one to refuse an action: `throw Rejection("the cart is empty")`, or
/// `throw Rejection.impossible` where the state does not allow it.
public struct Rejection: Error, Equatable, Sendable {
  /// The kinds of rejection; the raw values are what a log contains.
  public enum Reason: String, Codable, Sendable, CaseIterable {
    /// A reducer or a reaction refused the action with a message of its own.
    case refused
    /// The action makes no sense in the state that the store or feature is in.
    case impossible
    /// A reducer or a reaction threw an error that is not a rejection.
    case failed
    /// A middleware threw.
    case intercepted
    /// No store takes the action, or the one it was addressed to does not.
    case unhandled
    /// The action was addressed to a store, or a reducer read one, that the dispatcher does not have.
    case unknownStore
    /// Two stores read each other in the same step.
    case circularRead
  }

  /// The kind of rejection.
  public let reason: Reason
  /// The store whose reducer or reaction rejected; nil where none was involved.
  public let store: StoreID?
  /// What went wrong, as one sentence for people.
  public let message: String

  /// Creates the rejection that a reducer throws to refuse an action.
  ///
  /// - Parameter message: Why, as one sentence for people.
  public init(_ message: String) {
    self.init(reason: .refused, message: message)
  }

  init(reason: Reason, store: StoreID? = nil, message: String) {
    self.reason = reason
    self.store = store
    self.message = message
  }

  /// The rejection for an action that the present state does not allow.
  ///
  /// The dispatcher completes the message with the action and the state, as in
  /// `search/begin is impossible in finished`.
  public static let impossible = Rejection(reason: .impossible, message: "")
}

extension Rejection: CustomStringConvertible {
  /// The message, behind the name of the store where there is one.
  public var description: String {
    guard let store else { return message }
    return "\(store): \(message)"
  }
}

extension Rejection {
  /// Makes a rejection of whatever a reducer or a reaction threw, and says where and at what.
  init(_ error: any Error, store: StoreID, state: Any, action: any Action) {
    guard let rejection = error as? Rejection else {
      self.init(reason: .failed, store: store, message: "\(describe(action)) failed: \(error)")
      return
    }
    let isBare = rejection.reason == .impossible && rejection.message.isEmpty
    self.init(
      reason: rejection.reason,
      store: rejection.store ?? store,
      message: isBare
        ? "\(describe(action)) is impossible in \(describePhase(state))" : rejection.message)
  }
}

extension Rejection {
  /// Makes a rejection of what a middleware threw.
  init(_ error: any Error, middleware: any Middleware, action: any Action) {
    let name = "\(type(of: middleware))"
    guard let rejection = error as? Rejection else {
      self.init(reason: .intercepted, message: "\(name) threw: \(error)")
      return
    }
    self.init(
      reason: .intercepted, store: rejection.store,
      message: rejection.message.isEmpty
        ? "\(name) finds \(describe(action)) impossible" : rejection.message)
  }
}

/// The present state in a word: the case of an enum, `absent` for a feature that is not there.
private func describePhase(_ state: Any) -> String {
  let mirror = Mirror(reflecting: state)
  if mirror.displayStyle == .optional {
    guard let wrapped = mirror.children.first?.value else { return "absent" }
    return describePhase(wrapped)
  }
  return caseName(of: state) ?? "this state"
}
