package import FluxLog

/// `cat LOG`: the steps of a log as JSON Lines, each as it is in the file, byte for byte but on a terminal.
package struct CatScript: Script {
  private let path: String
  private let withStates: Bool
  private let range: String?
  private let types: Glob?

  /// Makes the script.
  ///
  /// - Parameters:
  ///   - path: The log.
  ///   - withStates: Whether each step has the whole model after it as `state`, and no sum.
  ///   - range: `A..B`, each a position; nil for all steps.
  ///   - types: Which actions are given; nil for all.
  package init(_ path: String, withStates: Bool = false, range: String? = nil, types: Glob? = nil) {
    self.path = path
    self.withStates = withStates
    self.range = range
    self.types = types
  }

  package func perform(with services: Services, to output: inout ScriptOutput) throws -> Int32 {
    let session = try Session.opened(path, with: services)
    let positions = try session.resolve(try range.map { try Self.range($0) })
    var hasFailedChanges = false
    try session.timeline.forEachLine(
      in: positions, types: types, withModel: withStates,
      findings: { findings in
        hasFailedChanges = true
        for finding in findings { try output.note("damage: \(path): \(finding)") }
      }
    ) { line in
      try session.checkInterruption()
      try output.write(line: output.isTerminal ? try Self.safe(line) : line)
    }
    try output.note(ofTornEnd: session.log)
    guard try hasFailedChanges || session.isDamaged else { return 0 }
    try output.note("\(path) is damaged: 'check' says where")
    return CommandError(.damaged, "").exitCode
  }

  private static func range(_ text: String) throws(CommandError) -> RangeText {
    guard let range = RangeText(text) else {
      throw CommandError(.usage, "\(text) is no range", hint: RangeText.forms)
    }
    return range
  }

  /// The line; one with signs that a terminal obeys is written with escapes in their place, and
  /// without its sum, which would be wrong.
  private static func safe(_ line: [UInt8]) throws -> [UInt8] {
    guard line.indices.contains(where: { line.isControl(at: $0) }) else { return line }
    var writer = JSONWriter()
    writer.beginObject()
    for member in try JSON.parse(line).members where member.name != "sum" {
      writer.name(member.name)
      writer.raw(member.value)
    }
    writer.endObject()
    var bytes: [UInt8] = []
    var sink = ByteSink { bytes += $0 }
    var layout = JSONLayout(.line)
    try layout.append(writer.bytes, to: &sink)
    try sink.flush()
    return bytes
  }
}

extension [UInt8] {
  /// DEL and the controls C1; those of C0 cannot stand in JSON.
  fileprivate func isControl(at index: Int) -> Bool {
    switch self[index] {
    case 0x7F: true
    case 0xC2: index + 1 < count && (0x80..<0xA0).contains(self[index + 1])
    default: false
    }
  }
}
