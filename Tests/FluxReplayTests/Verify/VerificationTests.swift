import FluxLog
import FluxReplay
import Foundation
import Testing

@Suite struct VerificationTests {
  private static let lines = [
    #"{"n":1,"t":0.1,"action":{"type":"count/up"},"states":{"count":1}}"#,
    #"{"n":2,"t":0.2,"action":{"type":"count/up"},"states":{"count":2}}"#,
    #"{"n":3,"t":0.3,"action":{"type":"count/up"},"states":{"count":3}}"#,
    #"{"end":{"steps":3,"ok":true}}"#,
  ]

  private static func counted(_ action: ReplayAction) -> ReplayedStep {
    let number = action.number ?? 0
    return ReplayedStep(
      number: number, time: action.time,
      changes: [.init(store: "count", state: JSON(integerLiteral: Int64(number)))])
  }

  private func verify(_ app: ScriptedApp) throws -> ReplayReport {
    try Verification(of: WrittenLog(Self.lines).open(), in: app).run()
  }

  @Test("an app that answers as it should passes")
  func honest() throws {
    let report = try verify(ScriptedApp { $0.map(Self.counted) })
    #expect(report.verdict == .passed)
    #expect(report.steps == 3)
  }

  @Test("an app that leaves a step out breaks the protocol")
  func fewer() throws {
    let failure = #expect(throws: ReplayFailure.self) {
      try verify(ScriptedApp { $0.dropLast().map(Self.counted) })
    }
    #expect(
      failure?.description
        == "the app broke the protocol: 2 steps of 3 actions; expected one step of "
        + "each action")
  }

  @Test("an app that answers for another step breaks the protocol, and the step is named")
  func otherNumber() throws {
    let failure = #expect(throws: ReplayFailure.self) {
      try verify(
        ScriptedApp { actions in
          actions.reversed().map(Self.counted)
        })
    }
    #expect(
      failure?.description == "step 1, count/up: the app broke the protocol: an answer for step 3; "
        + "expected one for 1")
  }

  @Test("a failure of the app is handed on as it is")
  func failing() throws {
    let expected = ReplayFailure(
      .exited(.signal(5, name: "SIGTRAP")), app: "shop", step: 2, action: "count/up")
    let failure = #expect(throws: ReplayFailure.self) {
      try verify(ScriptedApp { _ throws(ReplayFailure) in throw expected })
    }
    #expect(failure == expected)
  }

  @Test("a store that comes from nowhere is not compared, and one that is changed beside is")
  func otherChanges() throws {
    let report = try verify(
      ScriptedApp { actions in
        actions.map { action in
          var step = Self.counted(action)
          step.changes.append(.init(store: "ghost", state: 1))
          return step
        }
      })
    #expect(report.verdict == .passed)
    let same = try verify(
      ScriptedApp { actions in actions.map { ReplayedStep(number: $0.number ?? 0, time: $0.time) } }
    )
    #expect(same.divergences.map(\.step) == [1])
    #expect(same.divergences.map(\.recorded) == [1])
    #expect(same.divergences.map(\.replayed) == [0])
  }

  @Test("a log without a seed says that its random numbers are not those that were recorded")
  func noSeed() throws {
    let log = try WrittenLog(Self.lines)
    let text = try String(contentsOfFile: log.path, encoding: .utf8)
      .replacing(#""seed":"0000000000000001","#, with: "")
    try text.write(toFile: log.path, atomically: true, encoding: .utf8)
    let report = try Verification(
      of: log.open(), in: ScriptedApp { $0.map(Self.counted) }
    ).run()
    #expect(report.verdict == .passed)
    #expect(
      report.notes == ["the log has no seed, so random numbers are not those that were recorded"])
  }
}
