import Counter
import FluxJSON
import FluxLog
import Foundation
import TestFixtures
import Testing

@testable import FluxHost
@testable import FluxReplay

/// A host in another language, written from the documentation alone.
@Suite(.enabled(if: hasPython, "needs python3"), .waiting)
struct PythonHostTests {
  static func app(_ arguments: String...) -> HostApp {
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "counter_host.py")
    return HostApp(executable: script.path(), arguments: arguments)
  }

  @Test("it describes its stores and actions")
  func description() throws {
    let description = try Self.app().describe()
    #expect(description.name == "Counter")
    #expect(description.stores == [.init(name: "counter")])
    #expect(description.takes("counter/add"))
  }

  @Test("it accepts, rejects and fails to decode actions as a Swift app does")
  func steps() throws {
    var start = SessionStart.replay()
    start.states = ["counter": ["count": 40]]
    let session = try Self.app().start(start)
    var actions: [ReplayAction] = .recorded("counter/add", "counter/add", "counter/fly")
    actions[1].action = ["type": "counter/add", "payload": ["amount": -100]]
    let steps = try session.dispatch(actions)
    #expect(steps.map(\.number) == [1, 2, 3])
    #expect(steps[0].changes == [.init(store: "counter", state: ["count": 41])])
    #expect(
      steps[1].outcome
        == .rejected(LogRejection(reason: "refused", message: "below 0", store: "counter")))
    #expect(steps[2].outcome == .undecodable("there are only counter/add and counter/double"))
    #expect(try session.states() == ["counter": ["count": 41]])
    session.end()
  }

  @Test("its sessions return the same steps and follow-ups as those of the same app in Swift")
  func followUps() throws {
    var actions: [ReplayAction] = .recorded(
      "counter/add", "counter/double", "counter/add", "counter/double")
    actions[2].action = ["type": "counter/add", "payload": ["amount": -100]]
    for mode in SessionStart.Mode.allCases {
      var start = SessionStart.replay()
      start.mode = mode
      if mode == .simulate {
        for index in actions.indices { actions[index].number = nil }
      }
      let (python, swift) = (try Self.app().start(start), try CounterApp().start(start))
      let steps = try python.dispatch(actions)
      #expect(
        steps.map(\.cause)
          == (mode == .simulate ? [nil, nil, 2, nil, nil, 5] : [nil, nil, nil, nil]))
      #expect(try steps == swift.dispatch(actions))
      #expect(try python.states() == swift.states())
      python.end()
    }
  }

  @Test("a fork in it dispatches new follow-ups, as one in Swift does")
  func forks() throws {
    var log = CounterLog()
    log.add(1)
    log.act("counter/double")
    log.add(1, cause: 2)
    log.add(5)
    let timeline = try log.timeline(in: TemporaryFolder())
    for app in [Self.app() as any ReplayApp, CounterApp()] {
      let fork = try Fork(at: 0, of: timeline, in: app)
      try fork.dispatch(["type": "counter/double"])
      #expect(fork.steps.map(\.number) == [2, 3])
      #expect(fork.steps.map(\.cause) == [nil, 2])
      #expect(fork.model == ["counter": ["count": 2]])
      let other = try Fork.redispatching(
        0..<4, of: timeline, in: app,
        replacing: [1: ["type": "counter/add", "payload": ["amount": 10]]])
      #expect(other.steps.map(\.cause) == [nil, nil, 2, nil])
      #expect(other.model == ["counter": ["count": 25]])
    }
  }

  @Test("it upcasts old states")
  func upcast() throws {
    let old = """
      {"flux":"1.0","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"stores":{"number":{"initial":0}}}
      {"n":1,"t":1.000000,"action":{"type":"counter/add","payload":{"amount":2}},"states":{"number":2}}
      {"end":{"steps":1,"ok":true}}

      """
    let folder = try TemporaryFolder()
    let timeline = Timeline(try LogFile.open(try folder.write(old, to: "old.jsonl")))
    let report = try Self.app().verify(timeline)
    #expect(report.verdict == .passed && report.steps == 1, "\(report.text)")
  }

  @Test("an exception in it is a failure with its text, and the step")
  func exception() throws {
    let session = try Self.app().start(.replay())
    var actions: [ReplayAction] = .additions(30)
    actions[20].action = ["type": "counter/add", "payload": ["amount": "much"]]
    let failure = #expect(throws: ReplayFailure.self) { try session.dispatch(actions) }
    #expect(failure?.step == 21)
    #expect(
      failure?.reason
        == .refused(
          method: "session/dispatch",
          why: #"TypeError("unsupported operand type(s) for +: 'int' and 'str'")"#))
  }

  @Test("it verifies a log, and finds the bug of its bad twin")
  func verification() throws {
    let folder = try TemporaryFolder()
    var log = CounterLog()
    for amount in [1, 2, -7, 3] { log.add(amount) }
    let timeline = try log.timeline(in: folder)
    let report = try Self.app().verify(timeline)
    #expect(report.verdict == .passed && report.steps == 4)

    let rude = try Self.app("--rude").verify(timeline)
    #expect(rude.divergences.map(\.kind) == [.message])
    #expect(rude.divergences.map(\.step) == [3])
    #expect(rude.divergences.map(\.replayed) == ["no"])
    let old = try Self.app("--rude", "--old").verify(timeline)
    #expect(old.verdict == .passed)
    #expect(old.notes == ["1 message not compared: the app does not report messages"])

    let app = Self.app("--twice-as-much")
    let twin = try app.verify(timeline)
    #expect(
      twin.text.replacing(timeline.log.path, with: "LOG").replacing(app.executable, with: "HOST")
        == """
        diverged: LOG: 1 divergence, 1 step compared

          LOG:2: step 1, {"type":"counter/add","payload":{"amount":1}}
            after counter/add, the store counter differs at /counter/count
              recorded: 1
              replayed: 2
            next:
              flux-inspect LOG --app HOST -g 1
              flux-inspect LOG --app HOST -g 1 -e diff
              flux-inspect LOG --app HOST -g 1 -e 'blame /counter/count'
              flux-inspect LOG --app HOST -e 'redispatch 1'

        """)
  }
}

private let hasPython =
  (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  .contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }
