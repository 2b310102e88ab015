import FluxJSON
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
    try app.verifyHere(WrittenLog(Self.lines).open())
  }

  @Test("an app that answers correctly passes")
  func honest() throws {
    let report = try verify(ScriptedApp { $0.map(Self.counted) })
    #expect(report.verdict == .passed)
    #expect(report.steps == 3)
  }

  @Test("a log of a newer minor version passes with a note that new members are not compared")
  func newerVersion() throws {
    let report = try ScriptedApp { $0.map(Self.counted) }
      .verifyHere(WrittenLog(Self.lines, version: "1.99").open())
    #expect(report.verdict == .passed)
    #expect(
      report.notes == [
        "the log uses format 1.99, but this program reads format \(FormatVersion.current): "
          + "newer members are ignored; update the program to see them"
      ])
  }

  @Test("after a step that is not compared, replay resumes where the recorded states are all known")
  func resumption() throws {
    let lines =
      [#"{"n":1,"t":0.1,"action":{"type":"count/up"},"unwritten":["count"]}"#]
      + Self.lines.dropFirst()
    let app = ScriptedApp { actions in
      actions.map { action in
        var step = Self.counted(action)
        step.needsSecret = action.number == 1
        return step
      }
    }
    let report = try app.verifyHere(WrittenLog(lines).open())
    #expect(report.verdict == .passed)
    #expect(report.steps == 1)
    #expect(
      report.notes == [
        "1 step not compared: it needs the value of a secret that the log does not have: step 1",
        "1 step not compared: the log does not contain all states before it, and the replay could not rebuild them",
      ])
  }

  @Test("a byte order mark is a note")
  func byteOrderMark() throws {
    let report = try ScriptedApp { $0.map(Self.counted) }
      .verifyHere(WrittenLog(Self.lines, prefix: "\u{FEFF}").open())
    #expect(report.verdict == .passed)
    #expect(
      report.notes == [
        "line 1, byte 0: the file starts with a byte order mark, which is ignored; a log should not have one"
      ])
  }

  @Test("only stores with an upcaster are upcast")
  func upcast() throws {
    var app = ScriptedApp { $0.map(Self.counted) }
    app.description.upcastStores = ["number"]
    #expect(try verify(app).verdict == .passed)
  }

  @Test("an app that leaves a step out breaks the protocol")
  func fewer() throws {
    let failure = #expect(throws: ReplayFailure.self) {
      try verify(ScriptedApp { $0.dropLast().map(Self.counted) })
    }
    #expect(
      failure?.description
        == "the app broke the protocol: 2 steps of 3 actions; expected one step for "
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

  private func report(
    of lines: [String], batches size: Int, stopsAtFirst: Bool = false, differing: UInt64? = nil
  ) throws -> ReplayReport {
    var options = Verification.Options()
    options.batchSize = size
    options.stopsAtFirst = stopsAtFirst
    let app = ScriptedApp { actions in
      actions.map { action in
        var step = Self.counted(action)
        if step.number == differing { step.changes[0].state = 7 }
        return step
      }
    }
    return try app.verifyHere(WrittenLog(lines).open(), options: options)
  }

  @Test("the report does not depend on the size of batches", arguments: [1, 2, 3, 512])
  func batches(_ size: Int) throws {
    let report = try report(of: Self.lines, batches: size, differing: 2)
    #expect(report.steps == 3)
    #expect(report.divergences.map(\.step) == [2])
    #expect(report.damage == [])
    let first = try self.report(of: Self.lines, batches: size, stopsAtFirst: true, differing: 1)
    #expect(first.divergences.map(\.step) == [1])
    #expect(first.steps == 1)
  }

  @Test(
    "a step that is damaged ends the replay at that step, in whichever batch it is",
    arguments: [1, 2, 3, 512])
  func damagedBatch(_ size: Int) throws {
    var lines = Self.lines
    lines[2] =
      #"{"n":3,"t":0.3,"action":{"type":"count/up"},"#
      + #""patches":{"count":[{"op":"test","path":"","value":9}]}}"#
    let report = try report(of: lines, batches: size)
    #expect(report.steps == 2)
    #expect(report.divergences == [])
    #expect(report.damage.map(\.step) == [3])
  }

  @Test("a step after a gap that does not write its store whole is damaged, as for check")
  func patchAfterGap() throws {
    var lines = Self.lines
    lines[1] = #"{"gap":{"from":2,"to":2,"why":"dropped"}}"#
    lines[2] =
      #"{"n":3,"t":0.3,"action":{"type":"count/up"},"#
      + #""patches":{"count":[{"op":"replace","path":"","value":3}]}}"#
    lines.append(
      #"{"n":4,"t":0.4,"action":{"type":"count/up"},"states":{"count":4}}"#)
    let report = try report(of: lines, batches: 512)
    #expect(report.steps == 1)
    #expect(report.verdict == .damaged)
    #expect(
      report.damage.map(\.description) == [
        "line 4, step 3, byte 63: the patch for the store count does not apply: the first step after a gap has to write "
          + "the store whole"
      ])
  }

  @Test("a failure of the app is thrown unchanged")
  func failing() throws {
    let expected = ReplayFailure(
      .exited(.signal(5, name: "SIGTRAP")), app: "shop", step: 2, action: "count/up")
    let failure = #expect(throws: ReplayFailure.self) {
      try verify(ScriptedApp { _ throws(ReplayFailure) in throw expected })
    }
    #expect(failure == expected)
  }

  @Test("an unknown store is not compared, and a known one that changes with it is")
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

  private static func state(_ value: Int64, _ clock: Int64, _ key: String) -> JSON {
    [
      "clock": JSON(integerLiteral: clock), "key": JSON(stringLiteral: key),
      "value": JSON(integerLiteral: value),
    ]
  }

  @Test(
    "a step that differs anew is told for itself where nothing but such places differed before",
    arguments: [
      // A store that is new in the app, a place that is ignored, and one that is redacted.
      (1, 0, 0), (0, 1, 0), (0, 0, 1),
    ])
  func independent(_ ghost: Int64, _ clock: Int64, _ key: Int64) throws {
    let token = "<redacted 5f0c2a9e71b3d844>"
    let lines = (1...3).map { number in
      #"{"n":\#(number),"t":0.\#(number),"action":{"type":"count/up"},"#
        + #""states":{"count":\#(Self.state(Int64(number), 0, token).text)}}"#
    }
    let app = ScriptedApp { actions in
      actions.map { action in
        let number = Int64(action.number ?? 0)
        // Steps 1 and 3 differ, step 2 does not.
        let state = Self.state(number == 2 ? 2 : -number, clock, key == 0 ? token : "clear")
        var step = ReplayedStep(
          number: action.number ?? 0, time: action.time,
          changes: [.init(store: "count", state: state)])
        if ghost != 0 { step.changes.append(.init(store: "ghost", state: 1)) }
        return step
      }
    }
    var options = Verification.Options()
    options.stopsAtFirst = false
    options.ignoring = [try IgnoredPath("/count/clock")]
    let report = try app.verifyHere(WrittenLog(lines).open(), options: options)
    #expect(report.divergences.map(\.step) == [1, 3])
    #expect(report.divergences.map(\.reason) == [nil, nil])
  }

  @Test(
    "a log that was not closed has a note",
    arguments: [
      (
        "", false,
        "the log was not closed: its app ended without closing it, or is still recording; its last steps may be missing"
      ),
      (
        #"{"n":4,"t":0.4"#, true,
        "the log was not closed: its last line is cut off, and its last steps may be missing"
      ),
      (
        #"{"end":{"steps":3,"ok":false}}"#, false,
        "the log is incomplete: recording failed, or a repair closed it; steps may be missing"
      ),
    ])
  func unclosed(_ end: String, _ isCut: Bool, _ note: String) throws {
    let log = try WrittenLog(Self.lines.dropLast() + (end.isEmpty ? [] : [end]))
    if isCut {
      let text = try String(contentsOfFile: log.path, encoding: .utf8)
      try String(text.dropLast()).write(toFile: log.path, atomically: true, encoding: .utf8)
    }
    let timeline = try log.open()
    let app = ScriptedApp { $0.map(Self.counted) }
    let report = try app.verifyHere(timeline)
    #expect(report.verdict == .passed)
    #expect(!report.isClosed)
    #expect(report.notes == [note])
    var options = Verification.Options()
    options.range = 0..<2
    #expect(try app.verifyHere(timeline, options: options).notes == [])
  }

  @Test(
    "a cause that is not an earlier step is a fault of the log, not a divergence",
    arguments: [2, 3])
  func laterCause(_ cause: UInt64) throws {
    let lines = [
      #"{"n":1,"t":0.1,"action":{"type":"count/up"},"states":{"count":1}}"#,
      #"{"n":2,"t":0.2,"action":{"type":"count/up"},"cause":\#(cause),"states":{"count":2}}"#,
      #"{"n":3,"t":0.3,"action":{"type":"count/up"},"states":{"count":3}}"#,
      #"{"end":{"steps":3,"ok":true}}"#,
    ]
    let report = try ScriptedApp { $0.map(Self.counted) }.verifyHere(WrittenLog(lines).open())
    #expect(report.verdict == .passed)
    #expect(
      report.notes == [
        "line 3, step 2, byte 0: step 2 names step \(cause) as its cause; a cause has to be an earlier step"
      ])
  }

  @Test("an app that tells neither effects nor messages has them counted")
  func untold() throws {
    let lines = [
      #"{"n":1,"t":0.1,"action":{"type":"count/up"},"states":{"count":1}}"#,
      #"{"n":2,"t":0.2,"action":{"type":"count/up"},"cause":1,"effect":"load","states":{"count":2}}"#,
      #"{"n":3,"t":0.3,"action":{"type":"count/up"},"rejected":{"reason":"refused","message":"no"}}"#,
      #"{"end":{"steps":3,"ok":true}}"#,
    ]
    var app = ScriptedApp { actions in
      actions.map { action in
        guard action.number == 3 else { return Self.counted(action) }
        return ReplayedStep(
          number: 3, time: action.time,
          outcome: .rejected(LogRejection(reason: "refused", message: "never", store: nil)))
      }
    }
    let told = try app.verifyHere(WrittenLog(lines).open())
    #expect(told.divergences.map(\.kind) == [.effectMissing])
    #expect(told.divergences.map(\.recorded) == ["load"])
    app.description.tells = []
    let report = try app.verifyHere(WrittenLog(lines).open())
    #expect(report.verdict == .passed)
    #expect(
      report.notes == [
        "1 message not compared: the app does not report messages",
        "1 effect not compared: the app does not report effects",
        "1 step was dispatched by effects, which do not run in replay: the effects' policies, delays and results were not "
          + "compared",
      ])
  }

  @Test("cancelled effects are counted if an app tells only those that it starts")
  func untoldCancels() throws {
    let lines = [
      #"{"n":1,"t":0.1,"action":{"type":"count/up"},"effects":{"count":["save","-load"]},"states":{"count":1}}"#,
      #"{"end":{"steps":1,"ok":true}}"#,
    ]
    var app = ScriptedApp { actions in
      actions.map { action in
        var step = Self.counted(action)
        step.storeEffects = [StoreEffects(store: "count", names: ["save"])]
        return step
      }
    }
    app.description.tells = [.effects]
    let log = try WrittenLog(lines, version: "1.1", members: #","effects":true"#)
    let report = try app.verifyHere(log.open())
    #expect(report.verdict == .passed)
    #expect(
      report.notes == [
        "1 cancelled effect not compared: the app does not report cancelled effects"
      ])
  }

  @Test("follow-ups and effects that an app answers for steps that both sides reject are counted")
  func requestsOfRejectedSteps() throws {
    let lines = [
      #"{"n":1,"t":0.1,"action":{"type":"count/up"},"states":{"count":1}}"#,
      #"{"n":2,"t":0.2,"action":{"type":"count/up"},"rejected":{"reason":"refused","message":"no"}}"#,
      #"{"end":{"steps":2,"ok":true}}"#,
    ]
    let app = ScriptedApp { actions in
      actions.map { action in
        guard action.number == 2 else { return Self.counted(action) }
        return ReplayedStep(
          number: 2, time: action.time,
          outcome: .rejected(LogRejection(reason: "refused", message: "no", store: nil)),
          followUps: [.init(action: ["type": "count/up"])], effects: ["load"])
      }
    }
    let report = try app.verifyHere(WrittenLog(lines).open())
    #expect(report.verdict == .passed)
    #expect(
      report.notes == [
        "2 follow-ups and effects not compared: the app answers them for steps that it rejects: step 2, step 2"
      ])
  }

  @Test("a log without a seed says that random numbers differ from the recorded ones")
  func noSeed() throws {
    let log = try WrittenLog(Self.lines)
    let text = try String(contentsOfFile: log.path, encoding: .utf8)
      .replacing(#""seed":"0000000000000001","#, with: "")
    try text.write(toFile: log.path, atomically: true, encoding: .utf8)
    let report = try ScriptedApp { $0.map(Self.counted) }.verifyHere(log.open())
    #expect(report.verdict == .passed)
    #expect(
      report.notes == ["the log has no seed, so random numbers differ from the recorded ones"])
  }
}
