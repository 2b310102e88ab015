import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

/// Two real writing sessions, one keystroke per step: the text at every checkpoint is the recorded
/// one.
///
/// Writes the first 3,000 actions and visits all of their checkpoints and the first 500 steps. If the
/// environment has `FLUX_SOAK`, visits every step of the whole sessions, which takes minutes in a debug
/// build. `make traces` checks the whole sessions in a release build.
@Suite(.enabled(if: Corpora.isPresent))
struct EditingTraceTests {
  private static let isWhole = ProcessInfo.processInfo.environment["FLUX_SOAK"] != nil

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the SHA-256 of a text in hex digits, as the traces have it.
  private static func checksum(_ text: String) -> String {
    SHA256.sum(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(
    "Every checkpoint has its checksum, walking both ways and jumping at random",
    arguments: ["sveltecomponent", "friendsforever_flat"], EditingTrace.Shape.allCases)
  func checkpoints(_ name: String, _ shape: EditingTrace.Shape) throws {
    let trace = try EditingTrace(name)
    let count = Self.isWhole ? trace.actions.count : 3_000
    let walked = Self.isWhole ? count : 500
    let path = folder.path("trace.jsonl")
    try trace.write(to: path, as: shape, first: count)
    let timeline = Timeline(try LogFile.opened(path))
    #expect(timeline.log.count == count)
    #expect(timeline.log.findings == [])
    func check(_ position: Int) throws {
      guard let expected = trace.checkpoints[position + 1] else { return }
      let text = shape.text(of: try timeline.state(of: "editor", at: position))
      #expect(text.map(Self.checksum) == expected, "\(name), \(position + 1) actions")
    }
    // Every state on the way is read, not only those at checkpoints.
    let way = timeline.positions.filter { $0 < walked || trace.checkpoints[$0 + 1] != nil }
    for position in way + way.reversed() {
      #expect(try timeline.storeState("editor", at: position) != .unknown)
      try check(position)
    }
    var random = SeededGenerator()
    for position in trace.checkpoints.keys.filter({ $0 <= count }).shuffled(using: &random) {
      try check(position - 1)
      _ = try timeline.state(of: "editor", at: Int.random(in: -1..<count, using: &random))
    }
    guard name == "sveltecomponent" else { return }
    let size = try #require(
      FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    print("\(name) as \(shape), \(count) steps: \(size / count) bytes a step")
    #expect(size <= 300 * count, "\(shape)")
  }
}
