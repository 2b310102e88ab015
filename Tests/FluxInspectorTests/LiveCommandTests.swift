import Counter
import FluxJSON
import FluxLog
import FluxReplay
import Foundation
import Synchronization
import TestFixtures
import Testing

@testable import FluxCommands
@testable import FluxInspector

/// A running app that records what it is asked, and answers as a test says.
private final class RecordedApp: LiveApp {
  private struct State {
    var requests: [LiveRequest] = []
    var failures: [LiveFailure] = []
    var answer: JSON = [:]
    var ending: LiveFailure?
    var presentation = LivePresentation()
    var onRequest: @Sendable (LiveRequest) -> Void = { _ in }
  }

  private let state = Mutex(State())
  let welcome = Welcome(
    AppDescription(name: "TodoMVC"), process: 42, parts: [.live], log: "log.jsonl")

  var requests: [LiveRequest] { state.withLock { $0.requests } }

  var ending: LiveFailure? {
    get { state.withLock { $0.ending } }
    set { state.withLock { $0.ending = newValue } }
  }

  var presentation: LivePresentation {
    get { state.withLock { $0.presentation } }
    set { state.withLock { $0.presentation = newValue } }
  }

  /// Fails the next requests with these failures.
  func fail(_ failures: LiveFailure...) { state.withLock { $0.failures = failures } }

  func answer(_ answer: JSON, _ onRequest: @escaping @Sendable (LiveRequest) -> Void) {
    state.withLock { ($0.answer, $0.onRequest) = (answer, onRequest) }
  }

  func ask(_ request: LiveRequest) throws(LiveFailure) -> JSON {
    let (failure, answer, onRequest) = state.withLock { state in
      state.requests.append(request)
      return (
        state.failures.isEmpty ? nil : state.failures.removeFirst(), state.answer, state.onRequest
      )
    }
    if let failure { throw failure }
    onRequest(request)
    return answer
  }
}

@Suite struct LiveCommandTests {
  private let app = RecordedApp()

  /// A session at the newest step of the app.
  private func inspect() throws -> Inspection {
    var services = Services()
    services.live = app
    var inspection = try Inspection([TodoLog.header] + TodoLog.steps[..<5], services: services)
    _ = try inspection.console.session.follow()
    return inspection
  }

  private func present(_ step: UInt64?, ignoring: Bool = false) -> LiveRequest {
    .present(step.map { LivePosition(step: $0) }, ignoresActions: ignoring)
  }

  @Test("a position is shown, and the newest one is the app's own")
  func show() throws {
    var inspection = try inspect()
    #expect(inspection.session.isLive)
    #expect(try inspection.text("show 1") == "the app shows step 1\n")
    #expect(inspection.session.liveState == .showing)
    #expect(inspection.session.isLive)
    #expect(try inspection.json("goto 3").contains(#""step":3"#))
    #expect(!inspection.session.isLive)
    #expect(
      try inspection.json("show")
        == #"{"command":"show","ok":true,"position":3,"result":{"app":"showing","step":3}}"# + "\n")
    #expect(try inspection.text("show start") == "the app shows step 0\n")
    #expect(try inspection.text("show end") == "the app is live\n")
    #expect(inspection.session.liveState == .live)
    #expect(app.requests == [present(1), present(3), present(0), .resume])
  }

  @Test("moves are shown between show on and show off")
  func showMoves() throws {
    var inspection = try inspect()
    #expect(
      try inspection.text("show on") == """
        the app is live
        note: the app follows from now on: it shows each step that you go to

        """)
    for line in ["back", "back 2", "list", "end"] { _ = try inspection.text(line) }
    #expect(try inspection.text("goto 2").hasPrefix("2 todo/saved"))
    #expect(try inspection.text("show off") == "the app is live\n")
    _ = try inspection.text("goto 1")
    #expect(
      app.requests == [.resume, present(4), present(2), .resume, present(2), .resume])
  }

  @Test("a pause keeps the step that the app shows")
  func pauseWhileShowing() throws {
    var inspection = try inspect()
    #expect(try inspection.text("show 1") == "the app shows step 1\n")
    #expect(
      try inspection.text("pause") == "the app is paused at step 1; 'resume' continues it\n")
    #expect(app.requests == [present(1), .present(LivePosition(step: 1), ignoresActions: true)])
  }

  @Test("an app that another inspector has paused stays paused, and one that it has resumed runs")
  func otherInspector() throws {
    var inspection = try inspect()
    app.presentation = LivePresentation(isPaused: true, step: 0)
    #expect(inspection.session.liveState == .paused)
    #expect(
      try inspection.text("pause") == "the app is paused at step 0; 'resume' continues it\n")
    #expect(try inspection.text("show 3") == "the app is paused at step 3; 'resume' continues it\n")
    app.presentation = LivePresentation()
    #expect(try inspection.text("show 1") == "the app shows step 1\n")
    #expect(app.requests == [present(0, ignoring: true), present(3, ignoring: true), present(1)])
  }

  @Test("after the app went back, it counts as restored until it dispatches an action")
  func restored() throws {
    var inspection = try inspect()
    #expect(!inspection.session.isRestored)
    let gap = #"{"gap":{"from":6,"to":5,"why":"restored","step":1}}"#
    try inspection.folder.append("\(gap)\n", to: "log.jsonl")
    try inspection.console.session.catchUp()
    #expect(inspection.session.isRestored)
    try inspection.folder.append("\(TodoLog.steps[5])\n", to: "log.jsonl")
    try inspection.console.session.catchUp()
    #expect(!inspection.session.isRestored)
  }

  @Test("if the log can no longer be read, commands say so, and those that need none of it run")
  func lostLog() throws {
    var inspection = try inspect()
    let note = "note: LOG: the file became shorter after it was opened; open it again\n"
    try FileHandle(forWritingTo: URL(filePath: inspection.path)).truncate(atOffset: 10)
    #expect(
      try inspection.text("pause")
        == "the app is paused at step 5; 'resume' continues it\n" + note)
    #expect(app.requests == [present(nil, ignoring: true)])
    #expect(inspection.console.run("quit")?.ending == .plain)
  }

  @Test("a paused app stays paused while positions are shown")
  func pause() throws {
    var inspection = try inspect()
    #expect(
      try inspection.text("pause") == "the app is paused at step 5; 'resume' continues it\n")
    #expect(try inspection.text("show 1") == "the app is paused at step 1; 'resume' continues it\n")
    #expect(
      try inspection.text("show end") == "the app is paused at step 5; 'resume' continues it\n")
    #expect(inspection.session.liveState == .paused)
    _ = try inspection.text("goto 2")
    #expect(
      try inspection.json("resume")
        == #"{"command":"resume","ok":true,"position":5,"result":{"app":"live","step":5}}"# + "\n")
    #expect(inspection.session.isLive)
    #expect(
      app.requests == [
        present(nil, ignoring: true), present(1, ignoring: true), present(5, ignoring: true),
        .resume,
      ])
  }

  @Test("an app that no longer has a model gets the recorded states")
  func forgotten() throws {
    var inspection = try inspect()
    app.fail(.forgotten(step: 1))
    #expect(try inspection.text("show 1") == "the app shows step 1\n")
    let states: StoreDictionary<JSON> = try [
      "todos": JSON.parse(#"{"items":[{"done":false,"id":1,"title":"milk"}]}"#)
    ]
    let position = LivePosition(step: 1, states: states)
    #expect(app.requests == [present(1), .present(position, ignoresActions: false)])
    app.fail(.forgotten(step: 1))
    #expect(
      try inspection.text("restore 1") == """
        the app continues from step 1
        note: the app leaves steps 2 to 5 behind, which stay in its log; its running effects are cancelled
        note: until the app dispatches an action, the newest step here is 5

        """)
    #expect(app.requests.suffix(2) == [.restore(LivePosition(step: 1)), .restore(position)])
    #expect(inspection.session.isLive)
    #expect(
      try inspection.text("restore 4") == """
        the app continues from step 4
        note: the app leaves step 5 behind, which stays in its log; its running effects are cancelled
        note: until the app dispatches an action, the newest step here is 5

        """)
  }

  @Test("a restore ends the pause of the app, and a note says so")
  func restoredPause() throws {
    var inspection = try inspect()
    _ = try inspection.text("pause")
    #expect(
      try inspection.text("restore") == """
        the app continues from step 5
        note: the app is no longer paused: it accepts its user's actions again

        """)
    #expect(app.presentation == LivePresentation())
    #expect(try inspection.text("restore") == "the app continues from step 5\n")
  }

  @Test("an action at the newest step is dispatched in the app, and its steps are shown")
  func dispatch() throws {
    var inspection = try inspect()
    let folder = inspection.folder
    app.answer(["verdict": "changed", "step": 6, "last": 8]) { _ in
      do {
        try folder.append(
          (TodoLog.steps[5..<7] + [TodoLog.steps[7]]).map { $0 + "\n" }.joined(), to: "log.jsonl")
      } catch { Issue.record(error) }
    }
    #expect(
      try inspection.text(#"dispatch --to search {"type":"search/open"}"#) == """
        6 search/open +4.5s  search
        7 search/type "mi" +4.75s  search  caused by 6
        - /todos/items/0: {"done":false,"id":1,"title":"milk"}
        - /todos/items/0: {"done":true,"id":2,"title":"eggs"}

        """)
    #expect(app.requests == [.dispatch(["type": "search/open"], target: "search")])
    #expect(inspection.session.stepNumber == 8)
    #expect(inspection.session.isLive)
  }

  @Test("after the app went back, an action is compared with the model to which it did")
  func dispatchAfterRestore() throws {
    var inspection = try inspect()
    let folder = inspection.folder
    app.answer(["verdict": "changed", "step": 6, "last": 6]) { _ in
      do {
        let model = #""todos":{"items":[{"done":false,"id":1,"title":"milk"}]}"#
        let added = #"{"done":false,"id":2,"title":"tea"}"#
        try folder.append(
          #"{"gap":{"from":6,"to":5,"why":"restored"},"states":{\#(model)}}"# + "\n"
            + #"{"n":6,"t":9.000000,"action":{"type":"todo/add"},"#
            + #""states":{"todos":{"items":[{"done":false,"id":1,"title":"milk"},\#(added)]}}}"#
            + "\n", to: "log.jsonl")
      } catch { Issue.record(error) }
    }
    #expect(
      try inspection.text(#"dispatch {"type":"todo/add"}"#) == """
        6 todo/add +9s  todos
        + /todos/items/1: {"done":false,"id":2,"title":"tea"}

        """)
  }

  @Test("an action in the past needs an executable for a fork, not the running app")
  func dispatchInThePast() throws {
    var inspection = try inspect()
    _ = try inspection.text("back")
    #expect(
      try inspection.text(#"dispatch {"type":"todo/add"}"#).hasPrefix(
        "error: this replays actions, which needs the app"))
    #expect(app.requests == [])
  }

  @Test("an action that the app ignores, cannot decode or does not record is told so")
  func undispatched() throws {
    var inspection = try inspect()
    let line = #"dispatch {"type":"todo/add"}"#
    app.answer(["verdict": "ignored"]) { _ in }
    #expect(
      try inspection.text(line) == """
        error: the app has ignored the action: it is paused
        hint: 'resume' lets it run

        """)
    app.answer(["verdict": "changed", "step": 6]) { _ in }
    #expect(
      try inspection.text(line)
        == "note: step 6 is changed, and not in this log, so what it changed is unknown here\n")
    app.fail(.undecodable("no action is called todo/add"))
    #expect(
      try inspection.json(line)
        == #"{"command":"dispatch {\"type\":\"todo/add\"}","ok":false,"position":5,"error":{"code":"bad-action","message":"no action is called todo/add"}}"#
        + "\n")
  }

  @Test(
    "a failure of the app is the command's, with code app-failed",
    arguments: [
      (
        LiveFailure.gone,
        #""the app has ended","hint":"'flux-inspect attach' opens a session with a running app""#
      ),
      (.refused("the app does not allow present"), #""the app does not allow present""#),
      (
        .timedOut(seconds: 10),
        #""the app did not answer within 10.0 s; it may be in a long step, or stopped""#
      ),
    ])
  func failures(_ failure: LiveFailure, _ message: String) throws {
    var inspection = try inspect()
    for line in ["show 1", "pause", "resume", "restore"] {
      app.fail(failure)
      #expect(
        try inspection.json(line)
          == #"{"command":"\#(line)","ok":false,"position":5,"error":{"code":"app-failed","message":\#(message)}}"#
          + "\n")
      #expect(try inspection.exitCode("show format") == 0)
    }
    #expect(inspection.session.liveState == .live)
  }

  @Test("a place on a fork is neither shown nor restored in the app")
  func fork() throws {
    var services = Services()
    (services.live, services.app) = (app, CounterApp())
    var inspection = try Inspection(CounterRecording.lines, services: services)
    #expect(try inspection.exitCode("fork 3") == 0)
    for line in ["show", "restore"] {
      #expect(
        try inspection.text(line) == """
          error: the running app has no forks
          hint: 'switch 0' goes back to the recording

          """)
    }
    #expect(app.requests == [])
  }

  @Test("once the app has ended, the session is a log's")
  func ended() throws {
    var inspection = try inspect()
    #expect(try inspection.text("info").contains("closed: no: the app is running\n"))
    _ = try inspection.text("goto 2")
    #expect(try inspection.text("info").contains("closed: no: the app is running\n"))
    _ = try inspection.text("goto end")
    app.ending = .gone
    #expect(!inspection.session.isLive)
    #expect(try inspection.text("info").contains("closed: no: the recorder crashed, or is still "))
    #expect(try inspection.text("back").hasPrefix("4 todo/add"))
  }

  @Test("without a running app, show shows settings, and the other commands say what is missing")
  func notAttached() throws {
    var inspection = try Inspection()
    for line in ["pause", "resume", "restore", "restore 1"] {
      #expect(
        try inspection.text(line) == """
          error: this needs a running app; the session has only a log
          hint: 'flux-inspect attach' opens a session with a running app

          """)
    }
    #expect(try inspection.text("show settings") == inspection.text("show"))
    #expect(try inspection.exitCode("show nothing") == 3)
  }

  @Test("in a session with an app, show still knows the settings")
  func settings() throws {
    var inspection = try inspect()
    #expect(try inspection.text("show list").hasPrefix("list 5"))
    #expect(try inspection.text("show settings").contains("pager on"))
    #expect(app.requests == [])
  }
}
