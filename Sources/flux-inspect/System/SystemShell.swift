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
    let standardInput = try input.map { _ in try Pipe(for: command) }
    let standardOutput = capturesOutput ? try Pipe(for: command) : nil
    let process = try spawn(command, standardInput, standardOutput)
    try standardInput?.readEnd.close()
    try standardOutput?.writeEnd.close()
    let output = standardOutput.map { Collector($0.readEnd) }
    if let input, let writeEnd = standardInput?.writeEnd {
      do {
        try writeEnd.closeAfter { try input { _ = try writeEnd.writeAll($0) } }
      } catch Errno.brokenPipe {
        // The command has read what it wanted.
      }
    }
    let text = output?.wait() ?? ""
    return ShellResult(status: try wait(for: process), output: text)
  }

  private func spawn(
    _ command: String, _ input: Pipe?, _ output: Pipe?
  ) throws(CommandError) -> pid_t {
    var actions = FileActions()
    defer { actions.destroy() }
    if let input { actions.connect(input.readEnd, to: .standardInput, closing: input.writeEnd) }
    if let output { actions.connect(output.writeEnd, to: .standardOutput, closing: output.readEnd) }
    var process = pid_t()
    let code = actions.spawn(&process, ["/bin/sh", "-c", command])
    guard code == 0 else {
      throw CommandError(.shell, "cannot run \(command): \(Errno(rawValue: code).description)")
    }
    return process
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

/// Two ends of a pipe.
private struct Pipe {
  let readEnd: FileDescriptor
  let writeEnd: FileDescriptor

  init(for command: String) throws(CommandError) {
    do {
      (readEnd, writeEnd) = try FileDescriptor.pipe()
    } catch {
      throw CommandError(.shell, "cannot run \(command): \(error)")
    }
  }
}
