import FluxJSON
import FluxLog
import TestFixtures

@testable import FluxCommands
@testable import FluxCorpus
@testable import FluxInspector

/// An import of a text, with the log that it made.
struct ImportRun {
  let folder: TemporaryFolder
  let subcommand: SubcommandRun

  init(
    _ text: some Sequence<UInt8>, slices: Bool = false, strict: Bool = false,
    _ format: OutputFormatName = .ndjson
  ) throws {
    folder = try TemporaryFolder()
    let file = try folder.write(text, to: "session.json")
    subcommand = try SubcommandRun(
      ImportSubcommand(
        file, to: folder.path("session.jsonl"), usesSlices: slices, isStrict: strict
      ).subcommand,
      format, in: folder)
  }

  init(_ text: String, slices: Bool = false, strict: Bool = false) throws {
    try self.init(text.utf8, slices: slices, strict: strict)
  }

  /// The lines of the log without their sums; empty if there is none.
  var lines: [String] {
    get throws {
      guard try folder.names().contains("session.jsonl") else { return [] }
      return try folder.text(of: "session.jsonl").split(separator: "\n").map { line in
        String(line).replacing(/,"sum":"[0-9a-f]{8}"\}$/, with: "}")
      }
    }
  }

  /// The losses of the report.
  var lost: String {
    get throws { try JSON.parse(subcommand.results)["lost"]?.description ?? "" }
  }

  /// The log, which is sound.
  var timeline: Timeline {
    get throws {
      let log = try LogFile.open(folder.path("session.jsonl"))
      try log.waitForIndex()
      return Timeline(log)
    }
  }
}

/// A lifted state as a test writes it.
enum Lifted {
  /// The text of a session with these entries and computed states; entry 0 is `@@INIT`.
  static func text(
    _ entries: [String], states: [String], staged: String? = nil, more: String = ""
  ) -> String {
    let all =
      [#"{"type":"PERFORM_ACTION","action":{"type":"@@INIT"},"timestamp":1700000000000}"#]
      + entries
    let actions = all.enumerated().map { "\"\($0.offset)\":\($0.element)" }.joined(separator: ",")
    let ids = staged ?? "[\(all.indices.map(String.init).joined(separator: ","))]"
    return #"{"monitorState":null,"actionsById":{\#(actions)},"nextActionId":\#(all.count),"#
      + #""stagedActionIds":\#(ids),"currentStateIndex":\#(states.count - 1),"#
      + #""computedStates":[\#(states.joined(separator: ","))]\#(more)}"#
  }

  static func entry(_ action: String, at time: Int = 0, more: String = "") -> String {
    #"{"type":"PERFORM_ACTION","action":\#(action),"timestamp":\#(1_700_000_000_000 + time)\#(more)}"#
  }
}
