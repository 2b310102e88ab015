import FluxJSON
import FluxLog
import TestFixtures

@testable import FluxCommands
@testable import FluxInspector

/// A console on a log that a test wrote, and its output.
struct Inspection {
  let folder: TemporaryFolder
  let path: String
  var console: Console

  init(
    _ lines: [String] = TodoLog.lines, services: Services = Services(), world: RecordedWorld? = nil,
    registry: CommandRegistry = .standard
  ) throws {
    folder = try TemporaryFolder()
    path = try folder.write(lines.map { $0 + "\n" }.joined().utf8, to: "log.jsonl")
    let log = try LogFile.open(path)
    console = Console(Session(log, services: world?.services ?? services), registry: registry)
    if let world { (console.emit, console.browser) = (world.emit, world) }
  }

  /// The session of the console.
  var session: Session {
    get { console.session }
    set { console.session = newValue }
  }

  /// The text that a command writes: results, and after them notes and errors.
  mutating func text(_ line: String) throws -> String {
    console.settings.format = .text
    return try written(line)
  }

  /// The JSON that a command writes on one line, and notes after it.
  mutating func json(_ line: String) throws -> String {
    console.settings.format = .ndjson
    return try written(line)
  }

  /// The exit code of a batch of the command.
  mutating func exitCode(_ line: String) throws -> Int32? {
    try console.run(line).map { try Console.discard($0, console.settings).exitCode }
  }

  /// The numbers of the steps at which each of the commands ends.
  mutating func stops(_ lines: [String]) -> [UInt64?] {
    lines.map { console.run($0)?.position }
  }

  /// The numbers of the steps that a command stops at when it is repeated until an end of the log.
  mutating func walk(_ command: String) -> [UInt64] {
    var numbers: [UInt64] = []
    while let move = console.run(command)?.result as? Move, move.number != nil,
      let number = move.step.value
    {
      numbers.append(number)
    }
    return numbers
  }

  private mutating func written(_ line: String) throws -> String {
    guard let output = console.run(line) else { return "" }
    var results: [UInt8] = []
    var diagnostics: [UInt8] = []
    try console.settings.format.format().write(
      output, to: ByteSink { results += $0 }, diagnostics: ByteSink { diagnostics += $0 })
    var text = String(decoding: results + diagnostics, as: UTF8.self)
    text.replace(path, with: "LOG")
    return text
  }
}
