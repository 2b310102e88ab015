import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Parts of recordings that cannot be compared: each is counted and named.
@Suite struct NotComparedTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func sample() throws -> LogFile {
    try record(to: folder.url("sample.jsonl")) { dispatcher in
      dispatcher.dispatch(TallyAction.add(2))
      dispatcher.dispatch(TallyAction.add(3))
    }
  }

  private func edited(line: Int, _ text: String, _ other: String) throws -> LogFile {
    _ = try sample()
    return try edit(folder.url("sample.jsonl"), line: line) { $0.replacing(text, with: other) }
  }

  @Test("an honest log has nothing to count")
  func honest() async throws {
    #expect(try await tally().verify(sample()).notes == [])
  }

  @Test("a member of a payload that the action drops")
  func payload() async throws {
    let log = try edited(line: 3, #""payload":{"_0":3}"#, #""payload":{"_0":3,"note":{"by":"me"}}"#)
    let report = try await tally().verify(log)
    #expect(report.verdict == .passed)
    #expect(
      report.notes == [
        "1 value of payloads not compared, because the app's actions drop it: /note of step 2"
      ])
    var evolution = Evolution()
    evolution.renameMember("/note", to: "remark", inPayloadOf: "tally/add")
    let renamed = AppDefinition(evolution: evolution) { [TallyStore(), Lamp()] }
    #expect(try await renamed.verify(log).notes == [])
    let empty = try edited(line: 3, #""payload":{"_0":3}"#, #""payload":{"_0":3,"note":null}"#)
    #expect(try await tally().verify(empty).notes == [])
  }

  @Test("a member of a state that the type drops, in a store that the steps do not change")
  func state() async throws {
    let log = try record(to: folder.url("lamp.jsonl")) { dispatcher in
      dispatcher.dispatch(TallyAction.add(2))
      dispatcher.dispatch(Lamp.Action.turnOn)
      dispatcher.dispatch(Lamp.Action.brighten)
    }
    _ = log
    let changed = try edit(folder.url("lamp.jsonl"), line: 2) {
      $0.replacing(#""dice":0"#, with: #""dice":0,"shade":4"#)
    }
    var options = Verification.Options()
    options.range = 1..<3
    let report = try await tally().verify(changed, options: options)
    #expect(report.verdict == .passed)
    #expect(
      report.notes == [
        "1 value of recorded states not compared, because the app's types drop or change it: /tally/shade"
      ])
  }

  @Test("it is a divergence once a step changes the store, and is not counted then")
  func comparedState() async throws {
    _ = try sample()
    var log = try LogFile.open(folder.path("sample.jsonl"))
    for line in 2...3 {
      log = try edit(URL(filePath: log.path), line: line) {
        $0.replacing(#""dice":0"#, with: #""dice":0,"shade":4"#)
      }
    }
    var options = Verification.Options()
    options.range = 1..<2
    let report = try await tally().verify(log, options: options)
    #expect(report.divergences.map { $0.path?.description } == ["/tally/shade"], "\(report.text)")
    #expect(report.notes == [])
    var evolution = Evolution()
    evolution.removeMember("/tally/shade")
    let changed = AppDefinition(evolution: evolution) { [TallyStore(), Lamp()] }
    #expect(try await changed.verify(log).verdict == .passed)
  }

  @Test("effects of a log that does not list them, apart from those that came back")
  func unlistedEffects() async throws {
    let url = folder.url("effects.jsonl")
    _ = try record([Mint()], to: url) { $0.dispatch(Mint.Action.ring) }
    let old = try edit(url, line: 1) { $0.replacing(#","effects":true"#, with: "") }
    let text = try String(contentsOfFile: old.path, encoding: .utf8)
    #expect(text.contains(#""effects":{"mint":["bell"]}"#))
    let report = try await AppDefinition { [Mint()] }.verify(old)
    #expect(
      report.notes == ["1 effect not compared: the log does not list the effects of its steps"])
  }

  @Test("stores without an initial state in the header")
  func initial() async throws {
    _ = try sample()
    let log = try edit(folder.url("sample.jsonl"), line: 1) {
      $0.replacing(/"initial":\{[^}]*\}/, with: #""feature":false"#)
    }
    let report = try await tally().verify(log)
    #expect(report.verdict == .passed, "\(report.text)")
    #expect(
      report.notes == ["1 initial state not compared: the log does not contain it: tally"])
  }

  private struct Mint: Store {
    enum Action: FluxCore.Action { case mint, ring }

    let id: StoreID = "mint"
    let initialState = 0
    var coins = 2

    func reduce(_ count: inout Int, _ action: Action, _ step: inout Step) {
      switch action {
      case .mint: for _ in 0..<coins { _ = step.secret() }
      case .ring: step.effect("bell") { _ in }
      }
      count += 1
    }
  }

  @Test("secrets that the app no longer draws")
  func secrets() async throws {
    let log = try record([Mint()], to: folder.url("mint.jsonl")) { $0.dispatch(Mint.Action.mint) }
    #expect(try await AppDefinition { [Mint()] }.verify(log).notes == [])
    let report = try await AppDefinition { [Mint(coins: 1)] }.verify(log)
    #expect(report.verdict == .passed)
    #expect(
      report.notes == ["1 secret not compared: the app no longer draws it: step 1"])
  }
}
