import FluxJSON
import FluxLog
import Foundation
import TestFixtures
import Testing

@testable import FluxInspector

/// Sessions that the reference implementation exported.
@Suite(.enabled(if: Corpora.isPresent, "needs the corpora"))
struct ReduxCorpusTests {
  private static let folder = Corpora.folder.appending(path: "redux-devtools")

  static let names: [String] = {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
        .filter { $0.contains(".lifted.") || $0.contains(".extension-export.") }
    } catch {
      return []
    }
  }()

  @Test("Every session has its actions and states in the log, and loses nothing", arguments: names)
  func imports(_ name: String) throws {
    let file = Self.folder.appending(path: name)
    let run = try ImportRun(try Data(contentsOf: file))
    #expect(run.subcommand.code == 0, "\(run.subcommand.diagnostics)")
    #expect(try run.lost == "[]")
    let timeline = try run.timeline
    #expect(timeline.log.findings.isEmpty)
    let session = try JSON.parse([UInt8](Data(contentsOf: file)))
    if let payload = session["payload"]?.string {
      let actions = try JSON.parse(payload).elements.map { $0 }
      #expect(try (0..<timeline.log.count).map { try timeline.step(at: $0).action } == actions)
      let initial = try session["preloadedState"]?.string.map { try JSON.parse($0) }
      #expect(timeline.log.header.stores.first?.initial == initial)
      return
    }
    try expect(timeline, has: session)
  }

  /// Compares a log with lifted state, read by its description alone.
  private func expect(_ timeline: Timeline, has session: JSON) throws {
    let staged = session["stagedActionIds"]?.elements.map { $0 } ?? []
    let states = session["computedStates"]?.elements.map { $0 } ?? []
    let skipped = session["skippedActionIds"]?.elements.map { $0 } ?? []
    #expect(timeline.log.count == staged.count - 1)
    #expect(timeline.log.header.stores.first?.initial == states.first?["state"])
    for (position, id) in staged.dropFirst().enumerated() {
      let step = try timeline.step(at: position)
      let entry = try #require(session["actionsById"]?[id.description])
      #expect(step.number == UInt64(position + 1) && step.external?["id"] == id)
      #expect(step.action == entry["action"])
      let created = try #require(timeline.log.header.created)
      let microseconds = created.microseconds + Int64(step.time.microseconds)
      #expect(entry["timestamp"]?.number?.int64.map { $0 * 1000 } == microseconds)
      let state = states[position + 1]
      if skipped.contains(id) {
        #expect(step.rejection?.reason == "skipped")
      } else if let error = state["error"]?.string {
        let isFirst = states[position]["error"] == nil
        #expect(
          step.rejection
            == LogRejection(reason: isFirst ? "error" : "interrupted", message: error))
      } else {
        #expect(step.rejection == nil)
        #expect(try timeline.state(of: "state", at: position) == state["state"])
      }
    }
  }
}
