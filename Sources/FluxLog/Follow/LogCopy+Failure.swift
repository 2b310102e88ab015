import FluxJSON

extension LogCopy {
  /// The reason why the copy does not continue.
  package enum Failure: Error, Sendable, Equatable {
    /// The app sent something else than the bytes that follow.
    case invalid(String)
    /// A file of the copy cannot be read or written.
    case file(LogError)
    /// The log is too large.
    case tooLarge(byteCount: Int)
    /// The app does not send the rest of the log, for this reason.
    case refused(String)
  }
}

extension LogCopy.Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .invalid(let what): "the app sent \(what)"
    case .file(let error): "\(error)"
    case .tooLarge(let byteCount):
      "the app's log has more than \(byteCount) bytes, which is the limit of a copy; \(MemoryLimit.advice)"
    case .refused(let why): "the app does not send the rest of its log: \(why)"
    }
  }
}
