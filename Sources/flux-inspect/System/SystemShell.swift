import FluxInspector
import Foundation
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The user's shell, `/bin/sh`, in the session's own process group, so that Ctrl-C and the terminal are
/// its own as long as it runs.
struct SystemShell: ShellService {
  func run(
    _ command: String, capturesOutput: Bool,
    input: ((@escaping ([UInt8]) throws -> Void) throws -> Void)?
  ) throws -> ShellResult {
    let (process, pipes) = try start(command, hasInput: input != nil, hasOutput: capturesOutput)
    let output = pipes.output.map { Collector($0.readEnd) }
    let fed = Result { try feed(input, to: pipes.input?.writeEnd) }
    // Also where the input has failed: a command that is left to run would share the terminal with the prompt.
    let text = output?.wait() ?? ""
    let status = try wait(for: process)
    try fed.get()
    return ShellResult(status: status, output: text)
  }

  /// Starts the command, and keeps the ends of its pipes that it has not.
  private func start(
    _ command: String, hasInput: Bool, hasOutput: Bool
  ) throws(CommandError) -> (pid_t, ShellPipes) {
    do throws(Errno) {
      let pipes = try ShellPipes(hasInput: hasInput, hasOutput: hasOutput)
      return (
        try pipes.connect { actions throws(Errno) in
          var process = pid_t()
          let code = actions.spawn(&process, ["/bin/sh", "-c", command])
          guard code == 0 else { throw Errno(rawValue: code) }
          return process
        }, pipes
      )
    } catch {
      throw CommandError(.shell, "cannot run \(command): \(error.description)")
    }
  }

  /// Writes the input, and ends it also where it fails.
  private func feed(
    _ input: ((@escaping ([UInt8]) throws -> Void) throws -> Void)?, to end: FileDescriptor?
  ) throws {
    guard let input, let end else { return }
    do {
      try end.closeAfter { try input { _ = try end.writeAll($0) } }
    } catch Errno.brokenPipe {
      // The command has read what it wanted.
    }
  }

  private func wait(for process: pid_t) throws -> Int32 {
    var status: Int32 = 0
    // The status is a local that outlives the call.
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw Errno(rawValue: errno) }
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}
