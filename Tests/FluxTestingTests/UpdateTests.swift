import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxTesting
import Foundation
import TestFixtures
import Testing

@Suite struct UpdateTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.path }

  init() throws { folder = try TemporaryFolder() }

  private func update(
    _ environment: [String: String] = ["FLUX_UPDATE": "1"], argument: Bool = false
  ) async throws -> Run {
    try await Run().perform(environment) { [path] in
      try await expectReplay(
        of: path, in: AppDefinition(stores: makeOtherStores), update: argument)
    }
  }

  @Test("a recording that replays otherwise is written anew, with its actions at their times")
  func updates() async throws {
    try record(to: folder.url("a.jsonl")) { dispatcher, _ in
      dispatcher.dispatch(MeterAction.twice(3))
      dispatcher.dispatch(MeterAction.refuse)
      dispatcher.dispatch(MeterAction.add(1))
    }
    let before = try steps()
    let run = try await update()
    #expect(run.issues == [])
    #expect(run.messages == ["updated \(path)/a.jsonl"])
    let after = try steps()
    #expect(after.map(\.type) == before.map(\.type))
    #expect(after.map(\.time) == before.map(\.time))
    #expect(after.map(\.cause) == [nil, 1, 1, nil, nil])
    let log = try LogFile.open("\(path)/a.jsonl")
    try log.waitForIndex()
    #expect(
      try Timeline(log).model(at: log.count - 1).states["meter"]?.json == ["total": 70])
    #expect(try folder.names() == ["a.jsonl"])
    #expect(try await update([:]).issues == [])
  }

  private func steps() throws -> [LogStep] {
    let log = try LogFile.open("\(path)/a.jsonl")
    try log.waitForIndex()
    return try (0..<log.count).map { try log.step(at: $0) }
  }

  @Test("the argument asks for it as the environment does")
  func argument() async throws {
    try recordSample(to: folder.url("a.jsonl"))
    #expect(try await update([:]).issues.count == 1)
    let run = try await update([:], argument: true)
    #expect(run.issues == [] && run.messages == ["updated \(path)/a.jsonl"])
  }

  @Test("a recording that replays is not touched")
  func untouched() async throws {
    try record(to: folder.url("a.jsonl"), makeOtherStores()) { dispatcher, _ in
      dispatcher.dispatch(MeterAction.add(1))
    }
    let before = try folder.files()
    let run = try await update()
    #expect(run.issues == [] && run.messages == [])
    #expect(try folder.files() == before)
  }

  @Test("marks and redacted values stay")
  func others() async throws {
    var options = Recorder.Options()
    options.redaction = Redaction(states: ["/meter/id"])
    try record(to: folder.url("a.jsonl"), options: options) { dispatcher, recorder in
      dispatcher.dispatch(MeterAction.add(1))
      recorder.mark("here")
      dispatcher.dispatch(MeterAction.add(1))
    }
    let run = try await update()
    #expect(run.issues == [] && run.messages == ["updated \(path)/a.jsonl"])
    let log = try LogFile.open("\(path)/a.jsonl")
    try log.waitForIndex()
    #expect(log.marks.map(\.mark.text) == ["here"])
    #expect(log.header.redacted == ["/meter/id"])
    #expect(try await update([:]).issues == [])
  }

  @Test("a recording that is damaged behind the first difference is not written over")
  func damaged() async throws {
    try record(to: folder.url("a.jsonl")) { dispatcher, _ in
      for amount in 1...3 { dispatcher.dispatch(MeterAction.add(amount)) }
    }
    let text = try String(contentsOf: folder.url("a.jsonl"), encoding: .utf8)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    lines[3] = "{"
    try lines.joined(separator: "\n").write(
      to: folder.url("a.jsonl"), atomically: true, encoding: .utf8)
    let before = try folder.files()
    let run = try await update()
    #expect(run.issues.count == 1)
    #expect(run.issues.first?.hasPrefix("diverged: \(path)/a.jsonl: 1 divergence, ") == true)
    #expect(run.issues.first?.contains("\n  damage: \(path)/a.jsonl: line 4, step 3, ") == true)
    #expect(try folder.files() == before)
  }

  @Test("a recording whose replay differs each time stays as it is")
  func random() async throws {
    try record(to: folder.url("a.jsonl")) { dispatcher, _ in
      dispatcher.dispatch(MeterAction.guess)
    }
    let before = try folder.files()
    let run = try await update()
    #expect(run.issues.first?.hasPrefix("diverged: \(path)/a.jsonl: 1 divergence, ") == true)
    #expect(
      run.issues.first?.contains(
        "\n\(path)/a.jsonl: not updated: the app does not reach the states again ") == true)
    #expect(try folder.files() == before)
  }
}
