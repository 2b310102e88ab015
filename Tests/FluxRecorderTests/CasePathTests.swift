import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Actions in actions, as apps nest them by screen and by row.
enum ScreenAction: Action, Equatable {
  case home(HomeAction)
  case row(id: Int, RowAction)
  case colour(Colour)
  case step(from: RowAction, to: RowAction)
  case maybe(RowAction?)
}

enum HomeAction: Action, Equatable {
  case row(RowAction)
  case found(items: [String])
}

enum RowAction: Action, Equatable {
  case toggle
  case rename(String)
  case move(Move)
  case mode(Mode)
}

/// A value, not an action.
enum Colour: Codable, Equatable { case grey(Double), red }

enum Mode: String, Codable { case fast, slow }

@Suite struct CasePathTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "the type of an action has the cases of all actions in it",
    arguments: [
      (ScreenAction.home(.row(.toggle)), #"{"type":"screen/home/row/toggle"}"#),
      (.home(.row(.rename("a"))), #"{"type":"screen/home/row/rename","payload":{"_0":"a"}}"#),
      (
        .home(.row(.move(Move(x: 1, y: 2)))),
        #"{"type":"screen/home/row/move","payload":{"_0":{"x":1,"y":2}}}"#
      ),
      (.home(.row(.mode(.fast))), #"{"type":"screen/home/row/mode","payload":{"_0":"fast"}}"#),
      (.home(.found(items: ["a"])), #"{"type":"screen/home/found","payload":{"items":["a"]}}"#),
      (.row(id: 3, .toggle), #"{"type":"screen/row/toggle","payload":{"_1":{},"id":3}}"#),
      (
        .row(id: 3, .rename("b")),
        #"{"type":"screen/row/rename","payload":{"_1":{"_0":"b"},"id":3}}"#
      ),
      (.colour(.grey(0.5)), #"{"type":"screen/colour","payload":{"_0":{"grey":{"_0":0.5}}}}"#),
      (
        .step(from: .toggle, to: .toggle),
        #"{"type":"screen/step","payload":{"from":{"toggle":{}},"to":{"toggle":{}}}}"#
      ),
      (.maybe(.toggle), #"{"type":"screen/maybe","payload":{"_0":{"toggle":{}}}}"#),
    ])
  func paths(_ action: ScreenAction, _ expected: String) throws {
    let coder = ActionCoder(types: ["screen": ScreenAction.self])
    let json = try coder.encode(action)
    #expect(json.text == expected)
    #expect(try coder.decode(json) as? ScreenAction == action)
  }

  @Test("an action with the cases in its payload, as older versions wrote it, is read")
  func older() throws {
    let coder = ActionCoder(types: ["screen": ScreenAction.self])
    let old: JSON = ["type": "screen/home", "payload": ["_0": ["row": ["_0": ["toggle": [:]]]]]]
    #expect(try coder.decode(old) as? ScreenAction == .home(.row(.toggle)))
  }

  @Test(
    "a path that no action has is an error",
    arguments: [
      ("screen/away/row", ActionCodingError.Reason.unknownCase),
      (
        "screen/" + Array(repeating: "home", count: 40).joined(separator: "/"), .unknownCase
      ),
    ])
  func unknown(_ type: String, _ reason: ActionCodingError.Reason) {
    let coder = ActionCoder(types: ["screen": ScreenAction.self])
    #expect(throws: ActionCodingError.self) {
      try coder.decode(["type": .init(stringLiteral: type)])
    }
  }

  @Test(
    "an error in a payload names its place, even next to other associated values",
    arguments: [
      (
        "screen/row/away", ["id": 1, "_1": [:]],
        #"the app's actions have no case "screen/row/away". "#
          + "If it was renamed, add an alias or an upcaster to the app's Evolution"
      ),
      (
        "screen/row/rename", ["id": 1, "_1": ["name": "a"]],
        #"the payload of "screen/row/rename" does not fit: there is no member "_0", at payload._1"#
      ),
      (
        "screen/row/mode", ["id": 1, "_1": ["_0": "idle"]],
        #"the payload of "screen/row/mode" does not fit: "#
          + "Cannot initialize Mode from invalid String value idle, at payload._1._0"
      ),
      (
        "screen/row/toggle", ["id": "1", "_1": [:]],
        #"the payload of "screen/row/toggle" does not fit: expected a number, found a string, at payload.id"#
      ),
      (
        "screen/home/row/move", ["_0": ["x": 1]],
        #"the payload of "screen/home/row/move" does not fit: there is no member "y", at payload._0"#
      ),
    ] as [(String, JSON, String)])
  func unfit(_ type: String, _ payload: JSON, _ message: String) {
    let coder = ActionCoder(types: ["screen": ScreenAction.self])
    let error = #expect(throws: ActionCodingError.self) {
      try coder.decode(["type": .init(stringLiteral: type), "payload": payload])
    }
    #expect(error?.description == message)
  }

  @Test(
    "a step is not compared if its type refuses a redacted value, even next to other values",
    arguments: ["/_1/_0", "/_1"])
  func refused(_ place: String) async throws {
    let log = try record(
      [ScreenStore()], to: folder.url("refused.jsonl"),
      { $0.redaction = Redaction(actions: ["screen/row/mode": [place]]) }
    ) { $0.dispatch(ScreenAction.row(id: 1, .mode(.fast))) }
    let report = try await AppDefinition { [ScreenStore()] }.verify(log)
    #expect(report.verdict == .passed)
    #expect(report.steps == 1)
    #expect(report.text.contains("accepts no substitute: \(place) of step 1\n"), "\(report.text)")
  }

  @Test("a case with a redacted payload gets substitutes, even next to other values")
  func substituted() throws {
    var coder = ActionCoder(types: ["screen": ScreenAction.self])
    coder.decoder.acceptsTokens = true
    let token = "<redacted 5f0c2a9e71b3d844>"
    let action = try coder.decode([
      "type": "screen/row/rename", "payload": ["id": 3, "_1": .init(stringLiteral: token)],
    ])
    #expect(action as? ScreenAction == .row(id: 3, .rename(token)))
  }

  @Test(
    "a recorder without a dispatcher writes the cases of any nested enum; raw values stay in the payload"
  )
  func started() throws {
    enum Row: Encodable, Sendable { case toggle, mode(Mode) }
    enum Home: Encodable, Sendable { case row(Row) }
    enum AppAction: Encodable, Sendable { case home(Home), row(id: Int, action: Row) }
    let url = folder.url("nested.jsonl")
    let recorder = Recorder(to: url)
    recorder.start(states: [:])
    let actions: [AppAction] = [
      .home(.row(.toggle)), .home(.row(.mode(.slow))), .row(id: 7, action: .toggle),
    ]
    for action in actions { recorder.record(action, states: [:]) }
    try recorder.close()
    #expect(
      try steps(openTimeline(url)).map(\.action.text) == [
        #"{"type":"app/home/row/toggle"}"#,
        #"{"type":"app/home/row/mode","payload":{"_0":"slow"}}"#,
        #"{"type":"app/row/toggle","payload":{"action":{},"id":7}}"#,
      ])
  }

  @Test("an indirect action nests to a limit, and what lies deeper stays in the payload")
  func limit() throws {
    indirect enum DeepAction: Action, Equatable { case down(DeepAction), end(Int) }
    let deep = (0..<40).reduce(DeepAction.end(1)) { inner, _ in .down(inner) }
    let coder = ActionCoder(types: ["deep": DeepAction.self])
    let json = try coder.encode(deep)
    #expect(json["type"]?.string == "deep" + String(repeating: "/down", count: 16))
    #expect(try coder.decode(json) as? DeepAction == deep)
  }

  @Test(
    "a place in the payload of an outer case is redacted in that of the inner one",
    arguments: [
      ["screen/home": ["/_0/row/_0/rename/_0"]], ["screen/home": ["/_0"]],
      ["screen/home/row": ["/_0/rename"]], ["screen/home/row/rename": ["/_0"]],
      ["screen/*": ["/_0"]],
    ])
  func redaction(_ places: [String: [String]]) throws {
    let url = folder.url("secret.jsonl")
    var options = Recorder.Options()
    options.redaction = Redaction(actions: places)
    let recorder = Recorder(to: url, options: options)
    recorder.start(states: [:])
    recorder.record(ScreenAction.home(.row(.rename("hunter2"))), states: [:])
    try recorder.close()
    #expect(try !String(contentsOf: url, encoding: .utf8).contains("hunter2"))
  }

  @Test("a dispatcher calls an action by all of its cases")
  func name() {
    final class Names: Middleware, @unchecked Sendable {
      var names: [String] = []
      func willDispatch(_ envelope: Envelope, _ model: Model) { names.append(envelope.name) }
    }
    let dispatcher = Dispatcher([ScreenStore()])
    let names = Names()
    dispatcher.use(names)
    dispatcher.dispatch(ScreenAction.home(.row(.toggle)))
    dispatcher.dispatch(ScreenAction.row(id: 1, .rename("a")))
    // The second one leads to the first once more.
    #expect(
      names.names == ["screen/home/row/toggle", "screen/row/rename", "screen/home/row/toggle"])
  }

  @Test("a log with the cases of follow-ups in their payloads passes")
  func olderLog() async throws {
    let url = folder.url("older.jsonl")
    let log = try record([ScreenStore()], to: url) {
      $0.dispatch(ScreenAction.row(id: 2, .toggle))
    }
    #expect(log.count == 2)
    let old = try linesWithoutSums(url).joined(separator: "\n")
      .replacing(
        #""type":"screen/home/row/toggle""#,
        with: #""type":"screen/home","payload":{"_0":{"row":{"_0":{"toggle":{}}}}}"#)
    #expect(old.contains(#""type":"screen/home","payload""#))
    try (old + "\n").write(to: url, atomically: true, encoding: .utf8)
    let report = try await AppDefinition { [ScreenStore()] }.verify(LogFile.open(url.path))
    #expect(report.verdict == .passed, "\(report.text)")
  }
}

/// Toggles the home screen's row after each other row.
private struct ScreenStore: Store {
  let initialState = 0
  func reduce(_ count: inout Int, _ action: ScreenAction, _ step: inout Step) {
    count += 1
    if case .row = action { step.dispatch(ScreenAction.home(.row(.toggle))) }
  }
}
