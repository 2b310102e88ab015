import FluxCommands
import FluxInspector
import FluxJSON
import FluxLog
package import Harness

/// A session without a terminal, whose commands are timed.
package struct InspectedSession {
  private var console: Console

  package init(_ path: String) throws {
    console = Console(Session(try LogFile.open(path)))
  }

  /// Runs a command until its output is written.
  package mutating func run(_ line: String) throws {
    guard let output = console.run(line) else { return }
    try OutputFormatName.ndjson.format().write(
      output, to: ByteSink { _ in }, diagnostics: ByteSink { _ in })
  }

  /// What the command took that took longest.
  package mutating func slowest(of lines: [String]) throws -> Lap {
    var slowest = Lap(seconds: 0)
    for line in lines {
      let lap = try Stopwatch.lap { try run(line) }
      if lap.seconds > slowest.seconds { slowest = lap }
    }
    return slowest
  }
}
