/// Something that sees every step of a dispatcher, before and after: a logger, a recorder, a guard.
///
/// Middleware runs inside the turn, in the order in which it was added. What it dispatches is queued.
public protocol Middleware: Sendable {
  /// Learns of the dispatcher that it was added to, before the first step that it sees.
  ///
  /// - Parameter attachment: The dispatcher's stores, and how things stand.
  func didAttach(_ attachment: Attachment)

  /// Sees an action before any store does.
  ///
  /// - Parameters:
  ///   - envelope: The action, its number and its circumstances.
  ///   - model: The states before the step.
  /// - Throws: Any error, which rejects the step.
  func willDispatch(_ envelope: Envelope, _ model: Model) throws

  /// Sees what became of an action, also where it was rejected.
  ///
  /// - Parameters:
  ///   - envelope: The same envelope.
  ///   - outcome: Whether it committed, and what it leads to.
  ///   - changed: The stores that the step changed, in the order of the dispatcher.
  ///   - model: The states after the step.
  func didDispatch(_ envelope: Envelope, _ outcome: Outcome, _ changed: [StoreID], _ model: Model)
}

extension Middleware {
  /// Does nothing.
  public func didAttach(_ attachment: Attachment) {}

  /// Does nothing.
  public func willDispatch(_ envelope: Envelope, _ model: Model) throws {}

  /// Does nothing.
  public func didDispatch(
    _ envelope: Envelope, _ outcome: Outcome, _ changed: [StoreID], _ model: Model
  ) {}
}
