import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Recordings of apps that go back to models of their past.
@Suite struct RestoreRecordingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let created = Date(timeIntervalSinceReferenceDate: 0)

  /// Records `body`, and returns the lines of the log without their sums, times and header.
  private func record(
    stores: [any Store] = [Basket(), Wrapping()], _ options: Recorder.Options = .init(),
    before: (Dispatcher) throws -> Void = { _ in },
    _ body: (Dispatcher, Recorder) throws -> Void
  ) throws -> (url: URL, lines: [String]) {
    let url = folder.url("basket.jsonl")
    let dispatcher = Dispatcher(stores, seed: 7, now: { Self.created })
    try before(dispatcher)
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    try body(dispatcher, recorder)
    try recorder.close()
    #expect(recorder.failure == nil)
    let text = try String(contentsOf: url, encoding: .utf8)
    let lines = text.split(separator: "\n").dropFirst().map { line in
      line.replacing(#/,"sum":".{8}"/#, with: "").replacing(#""t":0.000000,"#, with: "")
        .replacing(#/,"at":"FluxRecorderTests\/[^"]+"/#, with: "")
    }
    return (url, lines.map(String.init))
  }

  @discardableResult
  private func verify(_ url: URL, _ stores: [any Store] = [Basket(), Wrapping()]) async throws
    -> ReplayReport
  {
    let log = try LogFile.open(url.path)
    // A test may have edited a line, and deleted its sum.
    #expect(try Timeline(log).check().filter(\.problem.isDamage) == [])
    return try await AppDefinition { stores }.verify(log)
  }

  @Test("the gap names the step, and the next accepted step has the whole model")
  func step() async throws {
    let (url, lines) = try record { dispatcher, _ in
      dispatcher.dispatch(BasketAction.put("apple"))
      dispatcher.dispatch(BasketAction.wrap)
      let model = dispatcher.model
      dispatcher.dispatch(BasketAction.put("pear"))
      dispatcher.dispatch(BasketAction.unwrap)
      try dispatcher.restore(model)
      dispatcher.dispatch(BasketAction.put(""))
      dispatcher.dispatch(BasketAction.put("plum"))
      dispatcher.dispatch(BasketAction.unwrap)
    }
    #expect(
      lines == [
        #"{"n":1,"action":{"type":"basket/put","payload":{"_0":"apple"}},"states":{"basket":["apple"]}}"#,
        #"{"n":2,"action":{"type":"basket/wrap"},"states":{"wrapping":"paper"}}"#,
        #"{"n":3,"action":{"type":"basket/put","payload":{"_0":"pear"}},"states":{"basket":["apple","pear"]}}"#,
        #"{"n":4,"action":{"type":"basket/unwrap"},"removed":["wrapping"]}"#,
        #"{"gap":{"from":5,"to":4,"why":"restored","step":2}}"#,
        #"{"n":5,"action":{"type":"basket/put","payload":{"_0":""}},"rejected":{"reason":"refused","message":"nothing to put","store":"basket"}}"#,
        #"{"n":6,"action":{"type":"basket/put","payload":{"_0":"plum"}},"states":{"basket":["apple","plum"],"wrapping":"paper"}}"#,
        #"{"n":7,"action":{"type":"basket/unwrap"},"removed":["wrapping"]}"#,
        #"{"end":{"steps":7,"ok":true}}"#,
      ])
    let report = try await verify(url)
    #expect(report.verdict == .passed)
    #expect(report.steps == 7)
    #expect(report.notes == [])
  }

  @Test("a replay that would go on without the gap diverges, so a wrong step in the gap is found")
  func wrongStep() async throws {
    let (url, _) = try record { dispatcher, _ in
      dispatcher.dispatch(BasketAction.put("apple"))
      let model = dispatcher.model
      dispatcher.dispatch(BasketAction.put("pear"))
      try dispatcher.restore(model)
      dispatcher.dispatch(BasketAction.put("plum"))
    }
    #expect(try await verify(url).verdict == .passed)
    let text = try String(contentsOf: url, encoding: .utf8)
    let wrong = text.replacing(#/"step":1},"sum":".{8}"/#, with: #""step":0}"#)
    try wrong.write(to: url, atomically: true, encoding: .utf8)
    let report = try await verify(url)
    #expect(
      report.divergences.map { "\($0.kind) \($0.step) \($0.path?.description ?? "")" } == [
        "different 3 /basket/0"
      ])
  }

  @Test("the first model is step 0, also of a log that begins later")
  func beginning() async throws {
    for earlier in [0, 3] {
      let (url, lines) = try record(before: { dispatcher in
        for _ in 0..<earlier { dispatcher.dispatch(BasketAction.put("old")) }
      }) { dispatcher, _ in
        let model = dispatcher.model
        dispatcher.dispatch(BasketAction.put("apple"))
        try dispatcher.restore(model)
        dispatcher.dispatch(BasketAction.put("pear"))
      }
      #expect(
        lines[1]
          == #"{"gap":{"from":\#(earlier + 2),"to":\#(earlier + 1),"why":"restored","step":0}}"#)
      #expect(try await verify(url).verdict == .passed)
    }
  }

  @Test("a step that is not in the file, and a model from elsewhere, are written as states")
  func states() async throws {
    var old: Model?
    var options = Recorder.Options()
    options.shouldSkip = { if case BasketAction.wrap = $0 { true } else { false } }
    let (url, lines) = try record(
      options,
      before: { dispatcher in
        old = dispatcher.model
        dispatcher.dispatch(BasketAction.put("old"))
      }
    ) { dispatcher, _ in
      try dispatcher.restore(try #require(old))
      dispatcher.dispatch(BasketAction.wrap)
      let wrapped = dispatcher.model
      dispatcher.dispatch(BasketAction.put("apple"))
      try dispatcher.restore(wrapped)
      let foreign = Dispatcher([Basket(), Wrapping()])
      foreign.dispatch(BasketAction.put("foreign"))
      try dispatcher.restore(foreign.model)
      dispatcher.dispatch(BasketAction.put("pear"))
    }
    #expect(
      lines == [
        #"{"gap":{"from":2,"to":1,"why":"restored"},"states":{"basket":[]}}"#,
        #"{"gap":{"from":2,"to":2,"why":"filtered"}}"#,
        #"{"n":3,"action":{"type":"basket/put","payload":{"_0":"apple"}},"states":{"basket":["apple"],"wrapping":"paper"}}"#,
        #"{"gap":{"from":4,"to":3,"why":"restored"},"states":{"basket":[],"wrapping":"paper"}}"#,
        #"{"gap":{"from":4,"to":3,"why":"restored"},"states":{"basket":["foreign"]}}"#,
        #"{"n":4,"action":{"type":"basket/put","payload":{"_0":"pear"}},"states":{"basket":["foreign","pear"]}}"#,
        #"{"end":{"steps":2,"ok":true}}"#,
      ])
    let report = try await verify(url)
    #expect(report.verdict == .passed)
    #expect(report.steps == 1)
    let timeline = Timeline(try LogFile.open(url.path))
    #expect(try timeline.model(before: 1).json == ["basket": ["foreign"]])
    #expect(try timeline.changedStores(at: 1) == ["basket"])
  }

  @Test("while it is paused, the recorder writes no states")
  func paused() async throws {
    let (url, lines) = try record { dispatcher, recorder in
      dispatcher.dispatch(BasketAction.put("apple"))
      recorder.pause()
      dispatcher.dispatch(BasketAction.put("secret"))
      let secret = dispatcher.model
      dispatcher.dispatch(BasketAction.put("pear"))
      try dispatcher.restore(secret)
      dispatcher.dispatch(BasketAction.empty)
      recorder.resume()
      dispatcher.dispatch(BasketAction.put("plum"))
      dispatcher.dispatch(BasketAction.wrap)
    }
    #expect(
      Array(lines[1...4]) == [
        #"{"gap":{"from":2,"to":3,"why":"paused"}}"#,
        #"{"gap":{"from":4,"to":3,"why":"restored"}}"#,
        #"{"gap":{"from":4,"to":4,"why":"paused"}}"#,
        #"{"n":5,"action":{"type":"basket/put","payload":{"_0":"plum"}},"states":{"basket":["plum"]}}"#,
      ])
    let report = try await verify(url)
    #expect(report.verdict == .passed)
    #expect(
      report.notes == [
        "steps 2 to 3 are not in the log (paused); 1 step after them not compared, replay resumes after step 5",
        "the model before step 4 is not in the log (restored); 1 step after it not compared, replay resumes after step 5",
        "step 4 is not in the log (paused); 1 step after it not compared, replay resumes after step 5",
      ])
  }

  @Test("redacted places stay redacted in the states of a gap")
  func redacted() throws {
    var options = Recorder.Options()
    options.redaction = Redaction(states: ["/basket/*"])
    let (url, lines) = try record(options) { dispatcher, _ in
      let foreign = Dispatcher([Basket(), Wrapping()])
      foreign.dispatch(BasketAction.put("secret"))
      try dispatcher.restore(foreign.model)
    }
    #expect(
      lines[0].hasPrefix(
        #"{"gap":{"from":1,"to":0,"why":"restored"},"states":{"basket":["<redacted "#))
    #expect(try !String(contentsOf: url, encoding: .utf8).contains("secret"))
  }

  @Test(
    "follow-ups that the restored model dropped are not missing, and an app that goes back again passes"
  )
  func droppedFollowUps() async throws {
    let (url, lines) = try record { dispatcher, _ in
      let model = dispatcher.model
      let box = RestoreOnce()
      let receipt = dispatcher.store(Basket.self).onChange { change in
        guard change.new.count == 2 else { return }
        box.restore(model, in: dispatcher)
      }
      dispatcher.dispatch(BasketAction.fill(4))
      dispatcher.dispatch(BasketAction.put("apple"))
      withExtendedLifetime(receipt) {}
    }
    #expect(
      lines.map { $0.prefix(60) } == [
        #"{"n":1,"action":{"type":"basket/fill","payload":{"_0":4}},"s"#,
        #"{"n":2,"action":{"type":"basket/fill","payload":{"_0":3}},"c"#,
        #"{"n":3,"action":{"type":"basket/fill","payload":{"_0":2}},"c"#,
        #"{"gap":{"from":4,"to":3,"why":"restored","step":0}}"#,
        #"{"n":4,"action":{"type":"basket/put","payload":{"_0":"apple""#,
        #"{"end":{"steps":4,"ok":true}}"#,
      ])
    #expect(try await verify(url).verdict == .passed)
  }

  @Test("verify accepts an uncancellable effect that comes back after it was cancelled")
  func uncancellable() async throws {
    let gate = AsyncStream<Void>.makeStream()
    let stores: [any Store] = [Payment(gate: gate.stream)]
    let url = folder.url("payment.jsonl")
    let dispatcher = Dispatcher(stores, seed: 7)
    let recorder = Recorder(to: url)
    dispatcher.use(recorder)
    async let run = dispatcher.run(Payment.Action.pay)
    dispatcher.dispatch(Payment.Action.leave)
    gate.continuation.finish()
    _ = await run
    dispatcher.dispatch(Payment.Action.leave)
    try recorder.close()
    #expect(dispatcher[Payment.self] == "paid")
    #expect(try await verify(url, stores).verdict == .passed)
  }
}

// MARK: Stores

private enum BasketAction: Action {
  case put(String), empty, wrap, unwrap, fill(Int)

  static let kind = "basket"
}

private struct Basket: Store {
  let initialState: [String] = []

  func reduce(_ basket: inout [String], _ action: BasketAction, _ step: inout Step) throws {
    switch action {
    case .put(""): throw Rejection("nothing to put")
    case .put(let fruit): basket.append(fruit)
    case .empty: basket = []
    case .fill(let count):
      basket.append("\(count)")
      if count > 1 { step.dispatch(BasketAction.fill(count - 1)) }
    case .wrap, .unwrap: break
    }
  }
}

private struct Wrapping: Feature {
  typealias Phase = String
  typealias OwnAction = Never

  func reduce(_ wrapping: inout String?, _ action: Never, _ step: inout Step) {}

  var reactions: [Reaction<String?>] {
    [
      .on(BasketAction.self) { wrapping, action, _ in
        switch action {
        case .wrap: wrapping = "paper"
        case .unwrap: wrapping = nil
        case .put, .empty, .fill: break
        }
      }
    ]
  }
}

/// Restores a model the first time.
private final class RestoreOnce: @unchecked Sendable {
  // Sendable: only used in the turns of one dispatcher.
  private var isDone = false

  func restore(_ model: Model, in dispatcher: Dispatcher) {
    guard !isDone else { return }
    isDone = true
    do { try dispatcher.restore(model) } catch { Issue.record(error) }
  }
}

/// A payment that runs to its end even if the customer leaves.
private struct Payment: Store {
  enum Action: FluxCore.Action { case pay, leave, paid }

  let initialState = ""
  let gate: AsyncStream<Void>

  func reduce(_ state: inout String, _ action: Action, _ step: inout Step) {
    switch action {
    case .pay:
      step.effect("pay", .uncancellable, then: { _ in Action.paid }) { [gate] in
        for await _ in gate {}
      }
    case .leave: step.cancel("pay")
    case .paid: state = "paid"
    }
  }
}
