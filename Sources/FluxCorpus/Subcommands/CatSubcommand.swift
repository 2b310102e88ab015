import FluxCommands
import FluxInspector
import FluxJSON
package import FluxLog
import FluxSystem

extension Subcommand {
  /// `cat LOG`: the steps of a log as JSON Lines, byte for byte as in the file unless they go to a terminal.
  ///
  /// Takes the steps of a range, `A..B`, each a position, and of types of actions; nil for all. With states, each step has the
  /// model after it as `state`, and no checksum.
  package static func cat(
    _ path: String, withStates: Bool = false, range: String? = nil, types: Glob? = nil
  ) -> Subcommand {
    Subcommand { services, output in
      let session = try Session.opened(path, with: services)
      let positions = try session.resolve(try range.map(parsed))
      for note in range == nil ? [] : session.notes(onEmpty: positions) {
        try output.note("\(path): \(note.line)")
      }
      var hasFailedChanges = false
      try session.timeline.forEachLine(
        in: positions, types: types, withModel: withStates,
        findings: { findings in
          hasFailedChanges = true
          for finding in findings { try output.note("damage: \(path): \(finding)") }
        }
      ) { line in
        try session.checkInterruption()
        try output.write(line: output.isTerminal ? try safe(line) : line)
      }
      try output.note(ofTornEnd: session.log)
      guard hasFailedChanges || session.isDamaged else { return 0 }
      try output.note("\(path) is damaged: 'check' shows where")
      return CommandError(.damaged, "").exitCode
    }
  }

  private static func parsed(_ text: String) throws(CommandError) -> PositionRange {
    guard let range = PositionRange(text) else {
      throw CommandError(.usage, "\(text) is not a range", hint: PositionRange.forms)
    }
    return range
  }

  /// The line; one that must not be shown as it is gets escapes, and loses its checksum, which would be wrong.
  private static func safe(_ line: [UInt8]) throws -> [UInt8] {
    let text = String(decoding: line, as: UTF8.self)
    guard text.printable != text else { return line }
    let members = try JSON.parse(line).members.filter { $0.name != "sum" }
    let safe = JSON(object: members.map { ($0.name, $0.value) })
    return Array(safe.description.printable(as: .json).utf8)
  }
}
