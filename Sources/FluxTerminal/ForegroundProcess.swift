internal import CTerminal
package import FluxSystem

/// A program that runs at this program's terminal, with chosen standard streams and the usual signal handlers.
///
/// It is in this program's process group, so Ctrl-C and the terminal are its own while it runs.
package struct ForegroundProcess: Sendable {
  private let identifier: pid_t

  /// Starts the program that the first argument names; a stream that is nil is this program's.
  package init(
    _ arguments: [String], environment: [String: String], input: Descriptor?, output: Descriptor?
  ) throws(SystemError) {
    let variables = environment.map { "\($0)=\($1)" }
    identifier = withExtendedLifetime((input, output)) {
      unsafe withCStrings(arguments) { arguments in
        unsafe withCStrings(variables) { variables in
          unsafe cle_spawn(arguments, variables, input?.number ?? 0, output?.number ?? 1)
        }
      }
    }
    guard identifier > 0 else { throw SystemError(lastOf: "run") }
  }

  /// Waits for its end; returns its exit code, or 128 plus the number of the signal that ended it.
  package func wait() throws(SystemError) -> Int32 {
    let code = cle_wait(identifier)
    guard code >= 0 else { throw SystemError(lastOf: "wait for") }
    return code
  }

  /// Creates a pipe that no other program inherits.
  package static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
    var ends: [Int32] = [-1, -1]
    // The call fills the two elements of the array.
    guard unsafe cle_pipe(&ends) else { throw SystemError(lastOf: "open a pipe for") }
    return (Descriptor(ends[0]), Descriptor(ends[1]))
  }
}

/// Calls `body` with strings as a null-terminated C array.
private func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  // The copies live until the call returns.
  var copies = unsafe strings.map { unsafe strdup($0) }
  unsafe copies.append(nil)
  defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
  return unsafe body(copies)
}
