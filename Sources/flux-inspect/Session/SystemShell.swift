import FluxInspector
import FluxSystem
import FluxTerminal
import Foundation

/// The user's shell, `/bin/sh`, in the session's process group: Ctrl-C and the terminal are its own while it runs.
struct SystemShell: ShellService {
  func run(
    _ command: String, capturesOutput: Bool,
    input: ((@escaping ([UInt8]) throws -> Void) throws -> Void)?
  ) throws -> ShellResult {
    var (process, end, output) = try start(
      command, hasInput: input != nil, hasOutput: capturesOutput)
    let fed = Result { try feed(input, to: end) }
    // The last reference to the pipe, which ends the command's input.
    end = nil
    // Even if the input failed: a command that still runs would share the terminal with the prompt.
    let text = output?.wait() ?? ""
    let status: Int32
    do throws(SystemError) {
      status = try process.wait()
    } catch {
      throw failure(command, error)
    }
    try fed.get()
    return ShellResult(status: status, output: text)
  }

  /// Starts the command; returns the end of the pipe to its input, and collects its output.
  private func start(
    _ command: String, hasInput: Bool, hasOutput: Bool
  ) throws(CommandError) -> (ForegroundProcess, Descriptor?, Collector?) {
    do throws(SystemError) {
      let input = hasInput ? try Descriptor.pipe(isWrittenHere: true) : nil
      let output = hasOutput ? try Descriptor.pipe(isWrittenHere: false) : nil
      // Before the command, which would wait for ever for somebody who reads.
      let collector = try output.map { pipe throws(SystemError) in try Collector(pipe.reading) }
      let process = try ForegroundProcess(
        ["/bin/sh", "-c", command], environment: ProcessInfo.processInfo.environment,
        input: input?.reading, output: output?.writing)
      return (process, input?.writing, collector)
    } catch {
      throw failure(command, error)
    }
  }

  private func failure(_ command: String, _ error: SystemError) -> CommandError {
    CommandError(.shell, "cannot run \(command): \(systemMessage(error.code))")
  }

  private func feed(
    _ input: ((@escaping ([UInt8]) throws -> Void) throws -> Void)?, to end: Descriptor?
  ) throws {
    guard let input, let end else { return }
    do {
      try input { bytes in
        if let failure = end.write(bytes).failure { throw failure }
      }
    } catch let failure as SystemError where failure.code == EPIPE {
      // The command has read all it wanted.
    } catch let error as SystemError {
      throw CommandError(.shell, "cannot write to the command: \(systemMessage(error.code))")
    }
  }
}

/// Reads a pipe to its end on a separate thread, so that the program that writes to it never waits.
private struct Collector {
  /// The bytes of the pipe; nil before its end.
  private let bytes = Monitor<[UInt8]?>(nil)

  init(_ pipe: Descriptor) throws(SystemError) {
    try startThread { [bytes] in
      var parts: [UInt8] = []
      while case .bytes(let part) = pipe.receive() { parts += part }
      bytes.withLock { $0 = parts }
      bytes.signal()
    }
  }

  /// Waits for the end; returns the text of the pipe.
  func wait() -> String {
    String(decoding: bytes.waitUntil({ $0 != nil }) { $0 ?? [] }, as: UTF8.self)
  }
}
