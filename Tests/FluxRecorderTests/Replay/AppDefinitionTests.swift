import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

@Suite struct AppDefinitionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A log with something of everything.
  private func sample(
    _ change: (inout Recorder.Options) -> Void = { _ in }
  ) throws -> LogFile {
    try record(to: folder.url("sample.jsonl"), change) { dispatcher in
      dispatcher.dispatch(TallyAction.add(2))  // 1
      dispatcher.dispatch(Lamp.Action.turnOn)
      dispatcher.dispatch(TallyAction.stamp)
      dispatcher.dispatch(TallyAction.chain(3))  // 4, and 5 to 7
      dispatcher.dispatch(TallyAction.refuse)  // 8
      dispatcher.dispatch(Lamp.Action.turnOn)  // 9: impossible
      dispatcher.dispatch(Batch("both", [TallyAction.add(1), Lamp.Action.brighten]))
      dispatcher.dispatch(TallyAction.note("a"), to: "tally")
      dispatcher.dispatch(TallyAction.note("b"))
      dispatcher.dispatch(Lamp.Action.turnOff)  // 13
      dispatcher.dispatch(TallyAction.add(0))
      dispatcher.dispatch(TallyAction.add(1), to: "nobody")  // 15: unknown store
    }
  }

  @Test(
    "an honest log passes", arguments: [LogWriter.Options.States.adaptive, .full])
  func honest(_ states: LogWriter.Options.States) async throws {
    let log = try sample { $0.log.states = states }
    let report = try await tally().verify(log)
    #expect(report == expected(log, steps: 15))
  }

  private func expected(_ log: LogFile, steps: Int) -> ReplayReport {
    var report = ReplayReport(log: log.path)
    report.steps = steps
    return report
  }

  @Test("an honest log passes in batches of any size", arguments: [1, 2, 7, 15, 1000])
  func batches(_ size: Int) async throws {
    let log = try sample()
    var options = Verification.Options()
    options.batchSize = size
    #expect(try await tally().verify(log, options: options) == expected(log, steps: 15))
  }

  @Test("a state that encodes as recorded is the recorded value, and any other is new")
  func recordedStates() throws {
    let log = try sample { $0.log.states = .full }
    try log.waitForIndex()
    let step = try log.step(at: 0)
    let recorded = try #require(step.states?["tally"])
    let app = tally()
    func state(after known: JSON?) throws -> JSON? {
      let session = try app.start(
        SessionStart(
          mode: .replay, seed: log.header.seed ?? 0, created: LogInstant(microseconds: 0)))
      defer { session.end() }
      var action = ReplayAction(step)
      action.recorded = known.map { [RecordedChange(store: "tally", state: $0)] } ?? []
      return try session.dispatch([action]).first?.changes.first?.state
    }
    #expect(try state(after: recorded)?.document === recorded.document)
    let fresh = try state(after: nil)
    #expect(fresh == recorded && fresh?.document !== recorded.document)
    #expect(try state(after: ["count": 9]) == recorded)
  }

  @Test("any range of an honest log passes")
  func ranges() async throws {
    let log = try sample()
    try log.waitForIndex()
    for start in 0..<log.count {
      for end in start...log.count {
        var options = Verification.Options()
        options.range = start..<end
        var report = try await tally().verify(log, options: options)
        // A range may begin after the causes of its steps.
        report.notes.removeAll { $0.contains(" not compared: ") && $0.hasSuffix(" not replayed") }
        #expect(report == expected(log, steps: end - start), "\(start)..<\(end)")
      }
    }
  }

  @Test("effects do not run in a replay, and what they dispatched is taken from the log")
  func effects() async throws {
    let url = folder.url("effects.jsonl")
    let dispatcher = Dispatcher([TallyStore(), Lamp()])
    let recorder = Recorder(to: url)
    dispatcher.use(recorder)
    await dispatcher.run(TallyAction.fetch)
    dispatcher.dispatch(TallyAction.add(1))
    try recorder.close()
    var rules = TallyRules()
    rules.runEffect = {
      Issue.record("an effect ran in a replay")
      return 0
    }
    let log = try LogFile.open(url.path)
    var report = expected(log, steps: 3)
    report.notes = [
      "1 step was dispatched by effects, which do not run in replay: the effects' policies, delays and results were not "
        + "compared"
    ]
    #expect(try await tally(rules).verify(log) == report)
  }

  @Test("observers, middleware and what they dispatch are no part of a replay")
  func observers() async throws {
    struct Guard: Middleware {
      func willDispatch(_ envelope: Envelope, _ model: Model) throws {
        if case TallyAction.add(99)? = envelope.action as? TallyAction {
          throw Rejection("too much")
        }
      }
    }
    struct Unknown: Action {}
    let log = try record(to: folder.url("observers.jsonl")) { dispatcher in
      dispatcher.use(Guard())
      let receipt = dispatcher.store(TallyStore.self).observe(initial: false, \.notes.count) {
        [weak dispatcher] count in
        dispatcher?.dispatch(TallyAction.add(count))
      }
      dispatcher.dispatch(TallyAction.note("a"))  // 1, and 2 by the observer
      dispatcher.dispatch(TallyAction.add(99))  // 3: rejected by the middleware
      dispatcher.dispatch(Unknown())  // 4: no store takes it
      dispatcher.dispatch(TallyAction.note("b"))  // 5, and 6
      receipt.cancel()
    }
    let step = try log.step(number: 2)
    #expect(step.cause == 1 && step.from == "observer")
    var report = expected(log, steps: 5)
    report.notes = [
      "1 step not compared: a middleware had rejected it, and replay runs no middleware",
      "2 steps were dispatched by observers or middleware, which do not run in replay",
    ]
    #expect(try await tally().verify(log) == report)
  }

  @Test("where a recorded state is edited, that step, store, path and values are told")
  func edited() async throws {
    let url = folder.url("sample.jsonl")
    _ = try sample { $0.log.states = .full }
    // Step 6, the second follow-up of step 4.
    let log = try edit(url, line: 7) { $0.replacing(#""total":5"#, with: #""total":50"#) }
    let report = try await tally().verify(log)
    #expect(
      report.text == """
        diverged: \(log.path): 1 divergence, 6 steps compared

          \(log.path):7: step 6, {"type":"tally/add","payload":{"_0":2}}
            caused by 4 tally/chain
            after tally/add, the store tally differs at /tally/total
              recorded: 50
              replayed: 5
            next:
              flux-inspect \(log.path) -g 6
              flux-inspect \(log.path) -g 6 -e diff
              flux-inspect \(log.path) -g 6 -e 'blame /tally/total'

        """)
  }

  @Test("where it goes on, an edited state is the only thing that is told")
  func goesOn() async throws {
    let url = folder.url("sample.jsonl")
    _ = try sample { $0.log.states = .full }
    let log = try edit(url, line: 7) { $0.replacing(#""total":5"#, with: #""total":50"#) }
    var options = Verification.Options()
    options.stopsAtFirst = false
    let report = try await tally().verify(log, options: options)
    #expect(report.divergences.map(\.step) == [6])
    #expect(report.steps == 15)
  }

  /// A store whose reducer needs the main actor.
  private struct MainStore: Store {
    @MainActor static var weight = 3
    let initialState = 0

    func reduce(_ state: inout Int, _ action: TallyAction, _ step: inout Step) {
      state += MainActor.assumeIsolated { Self.weight }
    }
  }

  @Test("an app that needs the main actor is verified there, from any task") @MainActor
  func mainActor() async throws {
    let url = folder.url("main.jsonl")
    let dispatcher = Dispatcher([MainStore()])
    let recorder = Recorder(to: url)
    dispatcher.use(recorder)
    dispatcher.dispatch(TallyAction.add(1))
    try recorder.close()
    let app = AppDefinition(stores: { [MainStore()] }).requiringMainActor()
    let report = try await Task.detached { try await app.verify(LogFile.open(url.path)) }.value
    #expect(report.verdict == .passed)
  }

  @Test("where a reducer is changed, the first step that shows it is told, and what follows is not")
  func changed() async throws {
    let log = try record(to: folder.url("relay.jsonl")) { dispatcher in
      dispatcher.dispatch(TallyAction.note("a"))  // 1
      dispatcher.dispatch(TallyAction.relay(2))  // 2, and 3, which asks for 4 and 5
      dispatcher.dispatch(TallyAction.add(1))  // 6
    }
    var rules = TallyRules()
    rules.divisor = 4
    var options = Verification.Options()
    options.stopsAtFirst = false
    let report = try await tally(rules).verify(log, options: options)
    #expect(
      report.text == """
        diverged: \(log.path): 1 divergence, 6 steps compared

          \(log.path):5: step 4, {"type":"tally/add","payload":{"_0":1}}
            caused by 3 tally/chain, by 2 tally/relay
            after tally/add, the store tally differs at /tally/share
              recorded: 0.3333333333333333
              replayed: 0.25
            next:
              flux-inspect \(log.path) -g 4
              flux-inspect \(log.path) -g 4 -e diff
              flux-inspect \(log.path) -g 4 -e 'blame /tally/share'

        """)
  }
}
