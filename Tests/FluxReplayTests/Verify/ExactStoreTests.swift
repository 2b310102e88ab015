import FluxJSON
import FluxLog
import FluxReplay
import Testing

/// Stores whose names look alike but differ in bytes: é as one scalar and as two.
@Suite struct ExactStoreTests {
  private static let one = "\u{E9}"
  private static let two = "e\u{301}"

  private static func lines(last: Int) -> [String] {
    [
      #"{"n":1,"t":0.1,"action":{"type":"count"},"states":{"\#(one)":10,"\#(two)":20}}"#,
      #"{"n":2,"t":0.2,"action":{"type":"count"},"patches":{"\#(one)":[{"op":"replace","path":"","value":11}]}}"#,
      #"{"n":3,"t":0.3,"action":{"type":"count"},"states":{"\#(two)":\#(last)}}"#,
      #"{"end":{"steps":3,"ok":true}}"#,
    ]
  }

  /// An app that has both stores, and changes them as the log does if the last state is 21.
  private static let app: ScriptedApp = {
    let changes: [UInt64: [ReplayedStep.Change]] = [
      1: [.init(store: two, state: 20), .init(store: one, state: 10)],
      2: [.init(store: one, state: 11)],
      3: [.init(store: two, state: 21)],
    ]
    var app = ScriptedApp { actions in
      actions.map { action in
        let number = action.number ?? 0
        return ReplayedStep(number: number, time: action.time, changes: changes[number] ?? [])
      }
    }
    app.description = AppDescription(
      stores: [.init(name: two), .init(name: one), .init(name: "count")], actionTypes: ["count"])
    return app
  }()

  private func verify(last: Int) throws -> ReplayReport {
    try Self.app.verifyHere(WrittenLog(Self.lines(last: last)).open())
  }

  @Test("each is compared with the one of the same bytes")
  func passes() throws {
    let report = try verify(last: 21)
    #expect(report.verdict == .passed)
    #expect(report.incompatibilities == [])
  }

  @Test("a difference names the store that it is in")
  func diverges() throws {
    let report = try verify(last: 22)
    #expect(report.divergences.map(\.step) == [3])
    let store = try #require(report.divergences.first?.store)
    #expect(Array(store.unicodeScalars) == Array(Self.two.unicodeScalars))
  }

  @Test("an app with one of them lacks the other")
  func missing() throws {
    var app = Self.app
    app.description.stores.removeFirst()
    let report = try app.verifyHere(WrittenLog(Self.lines(last: 21)).open())
    #expect(report.incompatibilities.count == 1)
    #expect(!app.description.hasStore(Self.two) && app.description.hasStore(Self.one))
  }

  @Test("a member is reported even if one that only looks the same differed before")
  func laterMember() throws {
    func state(_ first: Int, _ second: Int) -> String {
      "{\"\(Self.one)\":\(first),\"\(Self.two)\":\(second)}"
    }
    let states = try [state(2, 1), state(2, 2)].map { try JSON.parse($0) }
    let app = ScriptedApp { actions in
      actions.map { action in
        let number = action.number ?? 1
        return ReplayedStep(
          number: number, time: action.time,
          changes: [.init(store: "count", state: states[Int(number) - 1])])
      }
    }
    let lines = [1, 2].map { number in
      #"{"n":\#(number),"t":0.\#(number),"action":{"type":"count"},"states":{"count":\#(state(1, 1))}}"#
    }
    var options = Verification.Options()
    options.stopsAtFirst = false
    let log = try WrittenLog(lines + [#"{"end":{"steps":2,"ok":true}}"#]).open()
    let found = try app.verifyHere(log, options: options).divergences
    #expect(found.map(\.step) == [1, 2])
    #expect(found.map(\.path) == [Self.one, Self.two].map { Pointer(tokens: ["count", $0]) })
  }

  /// Verifies the steps of a log with an app that answers their actions in order.
  private func divergences(
    _ steps: [String], _ answers: [ReplayedStep], restarts: Bool = true
  ) throws -> [Divergence] {
    let app = ScriptedApp(description: Self.app.description, restarts: restarts) { actions in
      actions.map { action in
        var step = answers[min(Int(action.number ?? 1), answers.count) - 1]
        (step.number, step.time) = (action.number ?? 1, action.time)
        return step
      }
    }
    let end = #"{"end":{"steps":\#(steps.count),"ok":true}}"#
    return try app.verifyHere(WrittenLog(steps + [end]).open()).divergences
  }

  private static func step() -> ReplayedStep {
    ReplayedStep(number: 1, time: LogTime(microseconds: 0))
  }

  @Test("a rejection by the other one has another reason")
  func rejected() throws {
    func line(_ store: String) -> String {
      #"{"n":1,"t":0.1,"action":{"type":"count"},"rejected":{"reason":"full","message":"","store":"\#(store)"}}"#
    }
    var answer = Self.step()
    answer.outcome = .rejected(LogRejection(reason: "full", message: "", store: Self.one))
    #expect(try divergences([line(Self.one)], [answer]) == [])
    #expect(try divergences([line(Self.two)], [answer]).map(\.kind) == [.reason])
  }

  @Test("in a running app, a redacted state of the other one is no reason for a decision")
  func redacted() throws {
    let token: JSON = "<redacted 5f0c2a9e71b3d844>"
    let lines = [
      #"{"n":1,"t":0.1,"action":{"type":"count"},"states":{"\#(Self.one)":1,"\#(Self.two)":\#(token.text)}}"#,
      #"{"n":2,"t":0.2,"action":{"type":"count"}}"#,
    ]
    func kinds(rejectedBy store: String) throws -> [Divergence.Kind] {
      var (first, second) = (Self.step(), Self.step())
      first.changes = [.init(store: Self.one, state: 1), .init(store: Self.two, state: token)]
      second.outcome = .rejected(LogRejection(reason: "full", message: "", store: store))
      return try divergences(lines, [first, second], restarts: false).map(\.kind)
    }
    #expect(try kinds(rejectedBy: Self.one) == [.rejected])
    #expect(try kinds(rejectedBy: Self.two) == [])
  }

  @Test("a follow-up for the other one is another follow-up")
  func followUp() throws {
    func lines(_ store: String) -> [String] {
      [
        #"{"n":1,"t":0.1,"action":{"type":"count"}}"#,
        #"{"n":2,"t":0.1,"action":{"type":"count"},"target":"\#(store)","cause":1}"#,
      ]
    }
    var answer = Self.step()
    answer.followUps = [.init(action: ["type": "count"], target: Self.one)]
    #expect(try divergences(lines(Self.one), [answer, Self.step()]) == [])
    #expect(try divergences(lines(Self.two), [answer, Self.step()]).map(\.kind) == [.followUp])
  }

  @Test("each of two effects that came back has to be started")
  func effects() throws {
    let back = [Self.one, Self.two].enumerated().map { index, name in
      #"{"n":\#(index + 2),"t":0.2,"action":{"type":"count"},"cause":1,"effect":"\#(name)"}"#
    }
    let lines = [#"{"n":1,"t":0.1,"action":{"type":"count"}}"#] + back
    func kinds(_ effects: [String]) throws -> [Divergence.Kind] {
      var answer = Self.step()
      answer.effects = effects
      return try divergences(lines, [answer, Self.step(), Self.step()]).map(\.kind)
    }
    #expect(try kinds([Self.one, Self.two]) == [])
    #expect(try kinds([Self.one]) == [.effectMissing])
  }

  @Test("messages have both")
  func messages() throws {
    let states: StoreDictionary<JSON> = [Self.one: 1, Self.two: 2]
    var start = SessionStart(
      mode: .replay, seed: 1, created: LogInstant(microseconds: 0), states: states)
    start = try SessionStart(JSON(message: start))
    #expect(start.states == states)
    let app = AppDescription(storeAliases: [Self.one: "a", Self.two: "b"])
    #expect(try AppDescription(JSON(message: app)) == app)
    #expect(app.storeName(for: Self.two) == "b")
  }
}
