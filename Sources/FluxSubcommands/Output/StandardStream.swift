import FluxSystem

/// A stream that the program writes to: results go to standard output, and everything else to standard error.
package enum StandardStream: Sendable {
  case output
  case error

  // They live as long as the process, so they are never closed.
  private static let outputDescriptor = Descriptor(1)
  private static let errorDescriptor = Descriptor(2)

  private var descriptor: Descriptor {
    switch self {
    case .output: Self.outputDescriptor
    case .error: Self.errorDescriptor
    }
  }

  package var isTerminal: Bool { isatty(descriptor.number) == 1 }

  package func write(_ text: String) throws(LostOutput) { try write(Array(text.utf8)) }

  package func write(_ bytes: [UInt8]) throws(LostOutput) {
    if let failure = descriptor.write(bytes).failure { throw LostOutput(code: failure.code) }
  }

  /// Writes a text that is no result, so that nobody waits for it if it cannot be written.
  package func show(_ text: String) {
    do {
      try write(text)
    } catch {
      // The exit code tells what matters.
    }
  }
}

/// The error of a standard stream that cannot be written to, which ends the program.
package struct LostOutput: Error, Equatable {
  /// The error number of the system.
  package let code: Int32

  /// `true` if nobody reads the pipe any more.
  var isClosedPipe: Bool { code == EPIPE }
}
