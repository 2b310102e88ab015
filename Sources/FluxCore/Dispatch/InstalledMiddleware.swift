/// A middleware, and whether it is still wanted; an object, because every step goes through the list.
///
/// Of an unknown type, so that calling it takes no copy of an existential.
class InstalledMiddleware: @unchecked Sendable {
  // Sendable: its constants are, and so is the one that the subclass adds. The attribute is needed because the class is
  // not final.
  let cancellation = Cancellation()

  fileprivate init() {}

  /// Installs a middleware.
  static func installing(_ middleware: some Middleware) -> InstalledMiddleware {
    TypedMiddleware(middleware)
  }

  /// Lets the middleware see an action; returns why it rejects the step, nil where it does not.
  func failureOfWillDispatch(_ envelope: Envelope, _ model: Model) -> Rejection? {
    preconditionFailure("there is always a middleware")
  }

  /// Lets the middleware see what became of an action.
  func didDispatch(
    _ envelope: Envelope, _ outcome: Outcome, _ changed: [StoreID], _ model: Model
  ) {
    preconditionFailure("there is always a middleware")
  }
}

private final class TypedMiddleware<M: Middleware>: InstalledMiddleware, @unchecked Sendable {
  // Sendable: one constant of a Sendable type.
  private let middleware: M

  init(_ middleware: M) {
    self.middleware = middleware
    super.init()
  }

  override func failureOfWillDispatch(_ envelope: Envelope, _ model: Model) -> Rejection? {
    do {
      try middleware.willDispatch(envelope, model)
      return nil
    } catch {
      return Rejection(error, middleware: middleware, action: envelope.action)
    }
  }

  override func didDispatch(
    _ envelope: Envelope, _ outcome: Outcome, _ changed: [StoreID], _ model: Model
  ) {
    middleware.didDispatch(envelope, outcome, changed, model)
  }
}
