import Synchronization

@testable import FluxCommands
@testable import FluxInspector

/// A world that remembers what a session asked of it.
final class RecordedWorld: Sendable {
  private struct State {
    var pauses: [Double] = []
    var emitted: [CommandOutput] = []
    var pausesLeft: Int?
    var browsed: Settings?
    var files: [String: String] = [:]
    var shellLines: [String] = []
  }

  private let state = Mutex(State())

  init(files: [String: String] = [:]) {
    state.withLock { $0.files = files }
  }

  var services: Services {
    var services = Services()
    services.pause = { [self] seconds in
      state.withLock { state in
        state.pauses.append(seconds)
        state.pausesLeft = state.pausesLeft.map { $0 - 1 }
      }
    }
    services.isInterrupted = { [self] in state.withLock { $0.pausesLeft == 0 } }
    services.files = self
    services.shell = self
    return services
  }

  /// Remembers the outputs that a console emits.
  var emit: @Sendable (CommandOutput, Settings) throws -> CommandOutput {
    { [self] output, settings in
      state.withLock { $0.emitted.append(output) }
      return try Console.discard(output, settings)
    }
  }

  /// The durations of all waits.
  var pauses: [Double] { state.withLock { $0.pauses } }

  /// The steps of what was emitted before commands ended.
  var emitted: [UInt64?] { state.withLock { $0.emitted.map(\.position) } }

  /// The settings that `browse` passed on.
  var browsed: Settings? { state.withLock { $0.browsed } }

  /// The command lines of what was emitted.
  var emittedCommands: [String] { state.withLock { $0.emitted.map(\.command) } }

  /// The messages of the errors that were emitted.
  var emittedErrors: [String] { state.withLock { $0.emitted.compactMap(\.error?.message) } }

  /// The files as they are now.
  var files: [String: String] { state.withLock { $0.files } }

  /// The commands that the shell ran, and their input.
  var shellLines: [String] { state.withLock { $0.shellLines } }

  /// Interrupts the session during that pause, counted from now.
  func interruptAfter(pauses count: Int) { state.withLock { $0.pausesLeft = count } }
}

extension RecordedWorld: BrowseService {
  /// The user goes two steps forwards and to the end.
  func browse(_ session: inout Session, _ settings: Settings) throws {
    state.withLock { $0.browsed = settings }
    _ = try session.step(2)
    _ = try session.moveToEnd()
  }
}

extension RecordedWorld: FileService {
  func read(_ path: String) throws(CommandError) -> String {
    guard let text = files[path] else {
      throw CommandError(.file, "cannot open \(path): there is no such file")
    }
    return text
  }

  func exists(_ path: String) -> Bool { files[path] != nil }

  func isSameFile(_ path: String, _ other: String) -> Bool { path == other }

  func write(
    _ path: String, log: String, replacesExisting: Bool,
    _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    try protect(log, from: path)
    if !replacesExisting, files[path] != nil { throw CommandError.exists(path) }
    state.withLock { $0.files[path] = nil }
    try body { [self] bytes in
      state.withLock { $0.files[path, default: ""] += String(decoding: bytes, as: UTF8.self) }
    }
  }

  func completions(of prefix: String) -> [String] {
    files.keys.filter { $0.hasPrefix(prefix) }.sorted()
  }
}

extension RecordedWorld: ShellService {
  /// A shell that knows `cat`, and `exit` with a status.
  func run(
    _ command: String, capturesOutput: Bool,
    input: ((@escaping ([UInt8]) throws -> Void) throws -> Void)?
  ) throws -> ShellResult {
    var text = ""
    try input? { text += String(decoding: $0, as: UTF8.self) }
    state.withLock { $0.shellLines.append("\(command): \(text)") }
    if let status = Int32(command.dropFirst("exit ".count)) { return ShellResult(status: status) }
    return ShellResult(status: 0, output: capturesOutput ? text : "")
  }
}
