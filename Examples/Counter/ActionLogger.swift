public import FluxCore

/// A middleware that writes a line for every action with its outcome.
public struct ActionLogger: Middleware {
  private let write: @Sendable (String) -> Void

  /// Creates a logger.
  ///
  /// - Parameter write: Gets each line. It runs inside the turn, so it must be quick.
  public init(write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  /// Writes a line such as `3 counter add(amount: 42): changed counter`.
  public func didDispatch(_ step: CompletedStep) {
    let envelope = step.envelope
    let action = "\(envelope.step) \(type(of: envelope.action).kind) \(envelope.action)"
    if let rejection = step.outcome.rejection {
      write("\(action): rejected by \(rejection)")
    } else if step.changed.isEmpty {
      write("\(action): nothing changed")
    } else {
      write("\(action): changed \(step.changed.map(\.rawValue).joined(separator: ", "))")
    }
  }
}
