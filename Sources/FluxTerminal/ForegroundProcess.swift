internal import CTerminal
package import FluxSystem

/// A program that runs at this program's terminal, with chosen standard streams and the usual signal handlers.
///
/// It is in this program's process group, so Ctrl-C and the terminal are its own while it runs.
package struct ForegroundProcess: Sendable {
  private let identifier: pid_t
  /// The end of a pipe whose other end the program and all programs that it starts have; nil if nobody waits for
  /// those.
  private let descendants: Descriptor?

  /// Starts the program that the first argument names; a stream that is nil is this program's.
  ///
  /// The environment is the whole one. If a signal ends the program, `waitsForDescendants` waits for those it started, too.
  package init(
    _ arguments: [String], environment: [String: String], input: Descriptor?, output: Descriptor?,
    waitsForDescendants: Bool = false
  ) throws(SystemError) {
    let variables = environment.map { "\($0)=\($1)" }
    // The other end closes here at the end of this call.
    let (reading, writing) =
      waitsForDescendants ? try Descriptor.pipe(isWrittenHere: false) : (nil, nil)
    descendants = reading
    identifier = withExtendedLifetime((input, output, writing)) {
      unsafe withCStrings(arguments) { arguments in
        unsafe withCStrings(variables) { variables in
          unsafe cle_spawn(
            arguments, variables, input?.number ?? 0, output?.number ?? 1, writing?.number ?? -1)
        }
      }
    }
    guard identifier > 0 else { throw SystemError(lastOf: "run") }
  }

  /// Waits for its end; returns its exit code, or 128 plus the number of the signal that ended it.
  package func wait() throws(SystemError) -> Int32 {
    var isKilled = false
    // The flag is a local that outlives the call.
    let code = unsafe cle_wait(identifier, &isKilled)
    guard code >= 0 else { throw SystemError(lastOf: "wait for") }
    // The programs that it started may still read from the terminal.
    if isKilled { descendants?.waitForHangUp() }
    return code
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
