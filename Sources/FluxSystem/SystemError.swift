package struct SystemError: Error, Equatable {
  /// The operation as a verb, such as `open` or `write to`.
  package let operation: String
  package let code: Int32

  package init(_ operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// Creates the error of the call that has just failed.
  package init(lastOf operation: String) {
    self.init(operation, code: errno)
  }

  /// Returns the failure in words: `cannot open FILE: Permission denied`.
  package func text(about object: String) -> String {
    "cannot \(operation) \(object): \(systemMessage(code))"
  }
}

/// Returns the system's text for an error number, such as `No space left on device`.
package func systemMessage(_ code: Int32) -> String {
  // The string belongs to the C library and is copied at once.
  guard let text = unsafe strerror(code) else { return "error \(code)" }
  return unsafe String(cString: text)
}

/// Repeats a system call for as long as signals interrupt it.
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    guard result < 0, errno == EINTR else { return result }
  }
}
