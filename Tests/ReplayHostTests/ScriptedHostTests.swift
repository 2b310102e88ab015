import FluxHost
import FluxJSON
import FluxLog
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Programs that are not hosts, and hosts that violate the protocol, each as a few lines of shell.
@Suite(.waiting) struct ScriptedHostTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let unanswered = "; expected an answer to request 1, initialize"
  private static let notJSON =
    "the line is not JSON: byte 0: unexpected 'g' (0x67); not allowed at this place in a JSON value"

  private static let hint =
    "; the first statement of the app must be ReplayHost.runIfRequested, see docs/app-protocol.md"

  private static let page = "docs/app-protocol.md describes the answer"

  private static let welcome =
    #"{"jsonrpc":"2.0","id":1,"result":{"protocol":"1.0","app":{"stores":[{"name":"counter"}],"#
    + #""actionTypes":["counter"]}}}"#

  private static let started = #"{"jsonrpc":"2.0","id":2,"result":{"session":1}}"#

  /// A shell script as an executable.
  private func script(_ body: String) throws -> String {
    try folder.writeExecutable("#!/bin/sh\n\(body)\n", to: "HOST")
  }

  /// A script that reads a line before it writes each of these.
  private func script(answering lines: [String], then last: String = "read -r line") throws
    -> String
  {
    try script(
      lines.map { "read -r line; printf '%s\\n' '\($0)'" }.joined(separator: "\n") + "\n\(last)")
  }

  private func refusal(_ path: String, start: Double = 10) throws -> String? {
    var limits = HostApp.Limits()
    limits.start = start
    limits.messageByteCount = 100_000
    let app = HostApp(executable: path, limits: limits)
    let failure = #expect(throws: ReplayFailure.self) { try app.describe() }
    let name = URL(filePath: path).lastPathComponent
    return failure?.description.replacing(path, with: name)
  }

  @Test("a host has the variable that asks it to serve, for a process that simctl spawns, too")
  func variables() throws {
    let path = try script(
      #"printf '%s\n' "$FLUX_REPLAY_HOST $SIMCTL_CHILD_FLUX_REPLAY_HOST" >&2; exit 3"#)
    let failure = #expect(throws: ReplayFailure.self) {
      try HostApp(executable: path).describe()
    }
    #expect(failure?.lastWords == ["stdio stdio"])
  }

  @Test(
    "what is no host is refused with the reason",
    arguments: [
      ("/bin/true", "it exited with status 0 instead of serving\(hint)"),
      ("/bin/false", "it exited with status 1 instead of serving\(hint)"),
      ("/bin/cat", "it answered with the request \"initialize\"\(unanswered)\(hint)"),
      ("/bin/ls/ls", "Not a directory; expected the executable of an app"),
      ("/bin/no such app", "there is no such file; expected the executable of an app"),
      ("/etc/passwd", "it is not executable; expected the executable of an app"),
    ])
  func noHosts(_ path: String, _ why: String) throws {
    let name = URL(filePath: path).lastPathComponent
    #expect(try refusal(path) == "\(name): the app cannot be replayed: \(why)")
  }

  @Test("what cannot be started is known before the start, in the same words")
  func unstartable() throws {
    try HostApp(executable: "/bin/true").checkExecutable()
    for path in ["/bin/no such app", "/etc/passwd", folder.path("")] {
      let app = HostApp(executable: path)
      let checked = #expect(throws: ReplayFailure.self) { try app.checkExecutable() }
      let started = #expect(throws: ReplayFailure.self) { try app.describe() }
      #expect(checked?.description == started?.description)
    }
  }

  @Test("a folder is not a host")
  func aFolder() throws {
    let path = folder.path("")
    let report = try refusal(path)
    #expect(report?.hasSuffix("it is a folder; expected the executable of an app") == true)
  }

  @Test("a host that needs its working folder fails in a process elsewhere, which proves nothing")
  func workingFolder() throws {
    let log = """
      {"flux":"1.0","created":"2026-11-20T12:00:00Z","seed":"0000000000000001","stores":{"counter":{"initial":{"count":5}}}}
      {"n":1,"t":1.000000,"action":{"type":"counter/add","payload":{"amount":1}},"states":{"counter":{"count":6}}}
      {"end":{"steps":1,"ok":true}}

      """
    let timeline = Timeline(try LogFile.open(try folder.write(log.utf8, to: "counter.jsonl")))
    let path = try script(
      """
      case "$PWD" in */flux-inspect-*) echo no reducer.js >&2; exit 2;; esac
      exec '\(BuiltProduct.path("CounterHost"))'
      """)
    let app = HostApp(executable: path)
    let report = try app.verify(timeline)
    #expect(report.divergences.map(\.kind) == [.initial])
    #expect(report.steps == 1)

    var options = Verification.Options()
    options.runsTwice = true
    options.initial = .ignore
    let failure = #expect(throws: ReplayFailure.self) {
      try app.verify(timeline, options: options)
    }
    #expect(
      failure?.description.replacing(path, with: "HOST") == """
        HOST: the app cannot be replayed: it exited with status 2 instead of serving\(Self.hint); this is the second of two \
        processes, whose working folder and home folder are new and empty
          its last lines on standard error:
            no reducer.js
        """)

    // It serves the first two requests there.
    let late = try script(
      """
      serve() { read -r first; printf '%s\\n' "$first"; read -r second; printf '%s\\n' "$second"; }
      case "$PWD" in */flux-inspect-*) serve | '\(BuiltProduct.path("CounterHost"))'; exit 3;; esac
      exec '\(BuiltProduct.path("CounterHost"))'
      """)
    let step = #expect(throws: ReplayFailure.self) {
      try HostApp(executable: late).verify(timeline, options: options)
    }
    #expect(step?.step == 1)
    #expect(step?.description.contains("; this is the second of two processes") == true)
  }

  @Test("an executable text file is not a host")
  func aText() throws {
    let path = try folder.writeExecutable("good morning\n", to: "HOST")
    #expect(
      try refusal(path) == """
        HOST: the app cannot be replayed: Exec format error; expected the executable of an app
        """)
  }

  @Test("the failure quotes a program that prints before it serves, or never serves")
  func printing() throws {
    #expect(
      try refusal(script("echo good morning; cat")) == """
        HOST: the app cannot be replayed: it answered with the line "good morning"\(Self.unanswered): \
        \(Self.notJSON)\(Self.hint)
        """)
  }

  @Test("a silent program is stopped, even if it ignores SIGTERM")
  func silence() throws {
    #expect(
      try refusal(script("trap '' TERM; echo waiting >&2; while :; do sleep 1; done"), start: 0.3)
        == """
        HOST: the app cannot be replayed: it did not answer within 0.3 s\(Self.hint)
          its last lines on standard error:
            waiting
        """)
  }

  @Test("a host that cannot serve says why itself, and needs no advice")
  func refusedByHost() throws {
    #expect(
      try refusal(
        script("echo ready >&2; echo 'the replay host cannot start a thread: full' >&2; exit 2"))
          == """
          HOST: the app cannot be replayed: the replay host cannot start a thread: full
            its last lines on standard error:
              ready
          """)
  }

  @Test("the failure quotes the message of a program that exits")
  func message() throws {
    #expect(
      try refusal(script("echo 'no display' >&2; exit 3")) == """
        HOST: the app cannot be replayed: it exited with status 3 instead of serving\(Self.hint)
          its last lines on standard error:
            no display
        """)
  }

  @Test("a host that floods standard error works, and its last lines are kept")
  func flood() throws {
    let body = """
      i=0; while [ $i -lt 3000 ]; do echo "line $i is about as long as lines are wont to be" >&2; \
      i=$((i+1)); done; exit 3
      """
    let report = try refusal(script(body))
    #expect(report?.split(separator: "\n").count == 14)
    #expect(report?.hasSuffix("line 2999 is about as long as lines are wont to be") == true)
  }

  @Test("a host that never stops writing to standard error exceeds the time limit")
  func endlessFlood() throws {
    let report = try refusal(script("while :; do echo flood >&2; done"), start: 0.3)
    #expect(
      report?.hasPrefix(
        "HOST: the app cannot be replayed: it did not answer within 0.3 s\(Self.hint)\n") == true)
  }

  @Test("a host of another version is refused")
  func version() throws {
    let welcome = Self.welcome.replacing("1.0", with: "3.0")
    #expect(
      try refusal(script(answering: [welcome])) == """
        HOST: the app cannot be replayed: it uses version 3.0 of the protocol, and this program \
        2.0; build both with the same version of the package
        """)
    #expect(
      try HostApp(executable: script(answering: [Self.welcome.replacing("1.0", with: "1.7")]))
        .describe().stores.map(\.name) == ["counter"])
  }

  @Test(
    "answers to initialize that are none are quoted",
    arguments: [
      (
        #"{"jsonrpc":"2.0","id":9,"result":{}}"#,
        "it answered with an answer with the id 9\(unanswered)\(hint)"
      ),
      (
        #"{"jsonrpc":"2.0","id":1,"result":{"protocol":"1.0"}}"#,
        #""app" of the answer to initialize is missing; expected an object; \#(page)"#
      ),
      (
        #"{"jsonrpc":"2.0","id":1,"result":[]}"#,
        "the answer to initialize must be an object, found []; \(page)"
      ),
      (
        welcome.replacing(#""app""#, with: #""parts":["live"],"app""#),
        #"its answer to initialize lists the parts it serves without "replay""#
      ),
      (
        #"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no stores"}}"#,
        "it answered with the error: no stores"
      ),
      (
        #"{"id":1}"#,
        #"it answered with the line "{"id":1}"\#(unanswered): "jsonrpc" of the message is missing; "#
          + #"expected "2.0"\#(hint)"#
      ),
    ])
  func welcomes(_ line: String, _ why: String) throws {
    #expect(
      try refusal(script(answering: [line])) == "HOST: the app cannot be replayed: \(why)")
  }

  @Test("a host of version 1.1 is greeted again with its version, and may refuse that")
  func olderVersion() throws {
    let first = Self.welcome.replacing("1.0", with: "1.1")
    let error = #"{"code":-32600,"message":"initialize was requested before"}"#
    let answers = [
      (
        first.replacing(#""id":1"#, with: #""id":2"#).replacing(#""counter"}"#, with: #""tally"}"#),
        "tally"
      ),
      (#"{"jsonrpc":"2.0","id":2,"error":\#(error)}"#, "counter"),
    ]
    for (second, store) in answers {
      let path = try script(
        """
        read -r line; printf '%s\\n' '\(first)'
        read -r line; case $line in *'"protocol":"1.1"'*) printf '%s\\n' '\(second)' ;; esac
        read -r line
        """)
      #expect(try HostApp(executable: path).describe().stores.map(\.name) == [store])
    }
  }

  @Test("a message above the size limit stops the host")
  func hugeLine() throws {
    #expect(
      try refusal(script("while :; do printf '%01000d' 0; done")) == """
        HOST: the app cannot be replayed: it answered with a message of more than 100000 bytes; \
        expected a shorter one; set FLUX_MEMORY_LIMIT to more megabytes to raise the limit\
        \(Self.hint)
        """)
  }

  @Test("answers that take too much memory together end the session")
  func manyAnswers() throws {
    func answer(_ id: Int, _ numbers: ClosedRange<Int>, size: Int) -> String {
      let state = String(repeating: "x", count: size)
      let steps = numbers.map { #"{"n":\#($0),"t":0,"states":{"counter":"\#(state)"}}"# }
      return
        #"{"jsonrpc":"2.0","id":\#(id),"result":{"steps":[\#(steps.joined(separator: ","))]}}"#
    }
    let path = try script(
      answering: [
        Self.welcome, Self.started, answer(3, 1...16, size: 20), answer(4, 17...17, size: 2_000),
      ])
    var start = SessionStart.replay()
    start.states = [:]
    var limits = HostApp.Limits.call(5)
    limits.messageByteCount = 3_000
    let session = try HostApp(executable: path, limits: limits).start(start)
    let failure = #expect(throws: ReplayFailure.self) { try session.dispatch(.additions(17)) }
    #expect(
      failure?.description.replacing(path, with: "HOST") == """
        HOST: the app broke the protocol: answers of 3064 bytes to 17 actions; expected at most \
        3000; set FLUX_MEMORY_LIMIT to more megabytes to raise the limit
        """)
  }

  @Test("a message has few actions if each of their steps may answer with a large state")
  func largeStates() throws {
    func answer(_ id: Int, _ numbers: ClosedRange<Int>) -> String {
      let steps = numbers.map { #"{"n":\#($0),"t":0}"# }
      return
        #"{"jsonrpc":"2.0","id":\#(id),"result":{"steps":[\#(steps.joined(separator: ","))]}}"#
    }
    // A host that gets more actions than it answers breaks the protocol.
    let path = try script(
      answering: [Self.welcome, Self.started, answer(3, 1...1), answer(4, 2...3), answer(5, 4...4)])
    var start = SessionStart.replay()
    start.states = ["counter": JSON(stringLiteral: String(repeating: "x", count: 2_000_000))]
    var limits = HostApp.Limits.call(5)
    limits.messageByteCount = 16 << 20
    let session = try HostApp(executable: path, limits: limits).start(start)
    #expect(try session.dispatch(.additions(4)).map(\.number) == [1, 2, 3, 4])
  }

  // MARK: Lies in a session

  /// Returns a session's report of three additions if the host answers with this line.
  private func lie(
    _ answer: String, actions: Int = 3, mode: SessionStart.Mode = .replay
  ) throws -> String? {
    let path = try script(answering: [Self.welcome, Self.started, answer])
    var start = SessionStart.replay()
    start.mode = mode
    start.states = [:]
    let session = try HostApp(executable: path, limits: .call(5)).start(start)
    var additions: [ReplayAction] = .additions(actions)
    if mode == .simulate {
      for index in additions.indices { additions[index].number = nil }
    }
    let failure = #expect(throws: ReplayFailure.self) { try session.dispatch(additions) }
    return failure?.description.replacing(path, with: "HOST")
  }

  private static func answer(_ steps: String) -> String {
    #"{"jsonrpc":"2.0","id":3,"result":{"steps":[\#(steps)]}}"#
  }

  @Test(
    "steps that were not asked for are a breach of the protocol",
    arguments: [
      ("", "0 steps; expected one for each of 1 action"),
      (#"{"n":2,"t":0}"#, "step 2; expected step 1"),
      (#"{"n":1,"t":0},{"n":2,"t":0}"#, "more steps than actions, step 2 for one; expected 1"),
      (
        #"{"n":1,"t":0,"states":{"till":1}}"#,
        #"a change of "till" at step 1; expected one of the stores that it described: counter"#
      ),
      (
        #"{"n":1,"t":0,"states":[1]}"#,
        #""states" of a replayed step must be an object, found [1]; "#
          + "expected the form in docs/app-protocol.md"
      ),
      (
        #"{"n":1,"t":0,"states":{"counter":1},"rejected":{"reason":"refused"}}"#,
        #"a change of "counter" at step 1, which did not commit; expected no changes of such a step"#
      ),
      (
        #"{"n":1,"t":0,"removed":["counter"],"undecodable":"no such action"}"#,
        #"a change of "counter" at step 1, which did not commit; expected no changes of such a step"#
      ),
      (
        #"{"n":1,"t":0,"states":{"counter":1},"removed":["counter"]}"#,
        #"two changes of "counter" at step 1; expected one, in "states" or in "removed""#
      ),
      (
        #"{"t":0}"#,
        #""n" of a replayed step is missing; expected a whole number; expected the "#
          + "form in docs/app-protocol.md"
      ),
    ])
  func steps(_ steps: String, _ problem: String) throws {
    let report = try lie(Self.answer(steps), actions: 1)
    #expect(
      report?.replacing("step 1, counter/add: ", with: "")
        == "HOST: the app broke the protocol: \(problem)")
  }

  @Test(
    "steps of a simulation that were not asked for are a breach of the protocol",
    arguments: [
      (#"{"n":1,"t":0},{"n":3,"t":0,"cause":1}"#, "step 3; expected step 2"),
      (
        #"{"n":1,"t":0},{"n":2,"t":0,"cause":2}"#,
        "step 2 with the cause 2; expected an earlier step"
      ),
      (
        #"{"n":1,"t":0},{"n":2,"t":0}"#, "more steps than actions, step 2 for one; expected 1"
      ),
      (
        #"{"n":1,"t":0},{"n":2,"t":0,"cause":1}"#,
        "step 2 with the cause 1 and no action; expected the action of every follow-up"
      ),
      (
        #"{"n":1,"t":0,"followUps":[{"action":{"type":"counter/add"}}]}"#,
        "no steps of the follow-ups of step 1; expected them after it, because the mode of the session is "
          + "simulate"
      ),
    ])
  func simulatedSteps(_ steps: String, _ problem: String) throws {
    let report = try lie(Self.answer(steps), actions: 1, mode: .simulate)
    #expect(
      report?.replacing("step 1, counter/add: ", with: "")
        == "HOST: the app broke the protocol: \(problem)")
  }

  @Test(
    "lines that are no answer are quoted",
    arguments: [
      (
        "good morning",
        #"the line "good morning"; expected an answer to request 3, session/dispatch: "#
          + "the line is not JSON: byte 0: unexpected 'g' (0x67); not allowed at this place in a JSON value"
      ),
      (
        #"{"jsonrpc":"2.0","id":7,"result":{}}"#,
        "an answer with the id 7; expected an answer to request 3, session/dispatch"
      ),
      (
        #"{"jsonrpc":"2.0","method":"progress","params":{"request":3}}"#,
        #""step" of the progress is missing; expected a whole number; expected progress with a step"#
      ),
    ])
  func lines(_ line: String, _ problem: String) throws {
    #expect(
      try lie(line, actions: 1)
        == "HOST: step 1, counter/add: the app broke the protocol: \(problem)")
  }

  @Test("an app that answers with an error is quoted, with the step")
  func error() throws {
    let line = #"{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"KeyError: amount"}}"#
    #expect(
      try lie(line, actions: 1) == """
        HOST: step 1, counter/add: the app answered session/dispatch with an error: KeyError: amount
        """)
  }

  @Test("unknown notifications are ignored")
  func notifications() throws {
    let note = #"{"jsonrpc":"2.0","method":"weather","params":{}}"#
    let path = try script(answering: [
      note + "\n" + Self.welcome, note + "\n" + Self.started,
      note + "\n" + Self.answer(#"{"n":1,"t":0}"#),
    ])
    var start = SessionStart.replay()
    start.states = [:]
    #expect(try HostApp(executable: path).start(start).dispatch(.additions(1)).count == 1)
  }
}
