import FluxLog
import TestFixtures

@testable import FluxInspector

/// A session on a log that a test wrote, and what it says.
struct Inspection {
  let folder: TemporaryFolder
  let path: String
  var session: Session

  init(_ lines: [String] = TodoLog.lines, services: Services = Services()) throws {
    folder = try TemporaryFolder()
    path = try folder.write(lines.map { $0 + "\n" }.joined().utf8, to: "log.jsonl")
    session = Session(try LogFile.open(path), services: services)
  }

  /// What a command writes as text: results, and after them notes and errors.
  mutating func text(_ line: String) throws -> String {
    session.settings.format = .text
    return try written(line)
  }

  /// What a command writes as one line of JSON, and notes after it.
  mutating func json(_ line: String) throws -> String {
    session.settings.format = .ndjson
    return try written(line)
  }

  /// The code that a batch of the command exits with.
  mutating func exitCode(_ line: String) -> Int32? { session.run(line)?.exitCode }

  /// The numbers of the steps at which each of the commands ends.
  mutating func stops(_ lines: [String]) -> [UInt64?] {
    lines.map { session.run($0)?.position }
  }

  /// The numbers of the steps that a command stops at when it is repeated until an end of the log.
  mutating func walk(_ command: String) -> [UInt64] {
    var numbers: [UInt64] = []
    while let output = session.run(command), case .success(let answer) = output.outcome,
      let move = answer as? MoveAnswer, move.stop.number != nil, let number = move.number
    {
      numbers.append(number)
    }
    return numbers
  }

  private mutating func written(_ line: String) throws -> String {
    guard let output = session.run(line) else { return "" }
    var results: [UInt8] = []
    var diagnostics: [UInt8] = []
    try session.settings.format.format().write(
      output, to: ByteSink { results += $0 }, diagnostics: ByteSink { diagnostics += $0 })
    var text = String(decoding: results + diagnostics, as: UTF8.self)
    text.replace(path, with: "LOG")
    return text
  }
}
