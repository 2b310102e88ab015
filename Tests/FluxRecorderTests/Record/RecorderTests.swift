import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures
import Testing

@Suite struct RecorderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }
  private let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

  @Test("every action and every state is a line: whole, as a patch, removed, rejected, caused")
  func lines() throws {
    let url = folder.url("shop.jsonl")
    let clock = Ticks(start)
    let dispatcher = Dispatcher([CartStore(), Checkout()], seed: 7, now: { clock.next() })
    var options = Recorder.Options()
    options.app = LogHeader.App(name: "Shop", version: "1.0")
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    dispatcher.dispatch(CartAction.add("a pound of Darjeeling, second flush"))
    dispatcher.dispatch(CartAction.add("cups"), to: "cart")
    dispatcher.dispatch(Checkout.Action.begin)
    dispatcher.dispatch(CartAction.refuse)
    recorder.mark("nearly done")
    dispatcher.dispatch(Checkout.Action.finish)
    dispatcher.dispatch(CartAction.nothing)
    try recorder.close()

    let lines = try linesWithoutSums(url)
    #expect(
      lines[0].contains(
        #""seed":"0000000000000007","first":1,"effects":true,"app":{"name":"Shop","version":"1.0"}"#
      ))
    #expect(
      lines[0].contains(
        #""stores":{"cart":{"type":"Cart","initial":{"items":[]}},"checkout":{"type":"Checkout","feature":true}}"#
      ))
    #expect(
      Array(lines.dropFirst()) == [
        #"{"n":1,"t":0.100000,"action":{"type":"cart/add","payload":{"_0":"a pound of Darjeeling, second flush"}},"states":{"cart":{"items":["a pound of Darjeeling, second flush"]}}}"#,
        #"{"n":2,"t":0.200000,"action":{"type":"cart/add","payload":{"_0":"cups"}},"target":"cart","patches":{"cart":[{"op":"add","path":"/items/1","value":"cups"}]}}"#,
        #"{"n":3,"t":0.300000,"action":{"type":"checkout/begin"},"states":{"checkout":{"paying":{"sum":2}}}}"#,
        #"{"n":4,"t":0.400000,"action":{"type":"cart/refuse"},"rejected":{"reason":"refused","message":"the shop is closed","store":"cart"}}"#,
        #"{"mark":"nearly done","t":0.500000}"#,
        #"{"n":5,"t":0.600000,"action":{"type":"checkout/finish"},"removed":["checkout"]}"#,
        #"{"n":6,"t":0.700000,"action":{"type":"cart/clear"},"cause":5,"states":{"cart":{"items":[]}}}"#,
        #"{"n":7,"t":0.800000,"action":{"type":"cart/nothing"}}"#,
        #"{"end":{"steps":7,"ok":true}}"#,
      ])
    #expect(recorder.failure == nil)
  }

  @Test(
    "a step that a middleware before the recorder rejects is a line like any other",
    arguments: [LogWriter.Options.Durability.buffered, .ahead])
  func rejectedBefore(durability: LogWriter.Options.Durability) throws {
    struct Guard: Middleware {
      func willDispatch(_ envelope: Envelope, _ model: Model) throws {
        if envelope.step == 2 { throw Rejection("not now") }
      }
    }
    let url = folder.url("guarded.jsonl")
    let clock = Ticks(start)
    let dispatcher = Dispatcher([CartStore()], now: { clock.next() })
    dispatcher.use(Guard())
    var options = Recorder.Options()
    options.log.durability = durability
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    for title in ["tea", "milk", "cups"] { dispatcher.dispatch(CartAction.add(title)) }
    try recorder.close()
    #expect(
      try linesWithoutSums(url).dropFirst() == [
        #"{"n":1,"t":0.100000,"action":{"type":"cart/add","payload":{"_0":"tea"}},"states":{"cart":{"items":["tea"]}}}"#,
        #"{"n":2,"t":0.200000,"action":{"type":"cart/add","payload":{"_0":"milk"}},"rejected":{"reason":"intercepted","message":"not now"}}"#,
        #"{"n":3,"t":0.300000,"action":{"type":"cart/add","payload":{"_0":"cups"}},"states":{"cart":{"items":["tea","cups"]}}}"#,
        #"{"end":{"steps":3,"ok":true}}"#,
      ])
    #expect(recorder.failure == nil)
  }

  @Test("the only middleware and one of several write the same lines")
  func besideOthers() throws {
    struct Silence: Middleware {}
    func record(_ name: String, beside others: [any Middleware]) throws -> [String] {
      let url = folder.url(name)
      let clock = Ticks(start)
      let dispatcher = Dispatcher([CartStore(), Checkout()], now: { clock.next() })
      for other in others { dispatcher.use(other) }
      let recorder = Recorder(to: url)
      dispatcher.use(recorder)
      dispatcher.dispatch(CartAction.add("tea"), to: "cart")
      dispatcher.dispatch(
        Batch("buy", [CartAction.add("milk"), Checkout.Action.begin] as [any Action]))
      dispatcher.dispatch(CartAction.refuse)
      recorder.pause()
      dispatcher.dispatch(CartAction.add("cups"))
      recorder.resume()
      dispatcher.dispatch(Checkout.Action.finish)
      dispatcher.dispatch(CartAction.nothing)
      try recorder.close()
      return Array(try linesWithoutSums(url).dropFirst())
    }
    let alone = try record("alone.jsonl", beside: [])
    #expect(alone.count == 8)
    #expect(try record("beside.jsonl", beside: [Silence(), Silence()]) == alone)
  }

  @Test("effects are named, sources and durations are noted where asked for")
  func notes() async throws {
    let url = folder.url("notes.jsonl")
    let dispatcher = Dispatcher([CartStore()])
    var options = Recorder.Options()
    options.recordsSource = true
    options.recordsDuration = true
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    let line = #line + 1
    await dispatcher.run(CartAction.fetch)
    try recorder.close()
    let steps = try LogFile.open(url.path)
    try steps.waitForIndex()
    let first = try steps.step(number: 1)
    let second = try steps.step(number: 2)
    #expect(first.source == "FluxRecorderTests/RecorderTests.swift:\(line)")
    #expect(first.took != nil)
    #expect(second.effect == "fetch")
    #expect(second.cause == 1)
  }

  enum JobAction: Action { case run([String]), refuse }

  /// Starts an effect for each word; `!word` cancels one.
  struct JobStore: Store {
    let id: StoreID
    let initialState = 0

    func reduce(_ count: inout Int, _ action: JobAction, _ step: inout Step) throws {
      guard case .run(let words) = action else {
        step.effect("lost") { _ in }
        throw Rejection("no")
      }
      for word in words {
        if word.hasPrefix("!") {
          step.cancel(EffectName(String(word.dropFirst())))
        } else {
          step.effect(EffectName(word)) { _ in }
        }
      }
    }
  }

  struct Pair: StateValue { var left = 0 }

  struct ParentStore: Projection {
    let initialState = Pair()

    var reactions: [Reaction<Pair>] { [.child(\.left, JobStore(id: "child"))] }
  }

  @Test("each line has the effects that its step asked for, by store and in order")
  func effects() throws {
    let url = folder.url("effects.jsonl")
    let clock = Ticks(start)
    let dispatcher = Dispatcher(
      [JobStore(id: "first"), ParentStore(), JobStore(id: "last")], mode: .simulate, seed: 7,
      now: { clock.next() })
    let recorder = Recorder(to: url)
    dispatcher.use(recorder)
    dispatcher.dispatch(JobAction.run(["save", "!load", "-x", "+"]))
    dispatcher.dispatch(JobAction.run(["a"]), to: "last")
    dispatcher.dispatch(
      Batch("both", [JobAction.run(["a", "!b"]), JobAction.run(["b"])]), to: "last")
    dispatcher.dispatch(JobAction.run([]))
    dispatcher.dispatch(JobAction.refuse)
    try recorder.close()
    #expect(try linesWithoutSums(url)[0].contains(#""first":1,"effects":true,"platform""#))
    let lines = try Array(linesWithoutSums(url).dropFirst())
    #expect(
      lines == [
        #"{"n":1,"t":0.100000,"action":{"type":"job/run","payload":{"_0":["save","!load","-x","+"]}},"effects":{"first":["save","-load","+-x","++"],"parent":["save","-load","+-x","++"],"last":["save","-load","+-x","++"]}}"#,
        #"{"n":2,"t":0.200000,"action":{"type":"job/run","payload":{"_0":["a"]}},"target":"last","effects":{"parent":["a"],"last":["a"]}}"#,
        #"{"n":3,"t":0.300000,"action":{"type":"batch","payload":{"actions":[{"type":"job/run","payload":{"_0":["a","!b"]}},{"type":"job/run","payload":{"_0":["b"]}}],"label":"both"}},"target":"last","effects":{"parent":["a","-b","b"],"last":["a","-b","b"]}}"#,
        #"{"n":4,"t":0.400000,"action":{"type":"job/run","payload":{"_0":[]}}}"#,
        #"{"n":5,"t":0.500000,"action":{"type":"job/refuse"},"rejected":{"reason":"refused","message":"no","store":"first"}}"#,
        #"{"end":{"steps":5,"ok":true}}"#,
      ])
  }

  @Test("what is paused or left out is a gap, behind which the model stands whole")
  func gaps() throws {
    let url = folder.url("gaps.jsonl")
    let dispatcher = Dispatcher([CartStore(), Checkout()])
    var options = Recorder.Options()
    options.shouldSkip = { $0 as? CartAction == .nothing }
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    dispatcher.dispatch(CartAction.add("tea"))
    recorder.pause()
    dispatcher.dispatch(CartAction.add("cups"))
    dispatcher.dispatch(Checkout.Action.begin)
    recorder.resume()
    dispatcher.dispatch(CartAction.add("milk"))
    dispatcher.dispatch(CartAction.nothing)
    dispatcher.dispatch(CartAction.add("jam"))
    try recorder.close()
    let lines = try linesWithoutSums(url).dropFirst().map { $0.replacing(/"t":[0-9.]+,/, with: "") }
    #expect(
      lines == [
        #"{"n":1,"action":{"type":"cart/add","payload":{"_0":"tea"}},"states":{"cart":{"items":["tea"]}}}"#,
        #"{"gap":{"from":2,"to":3,"why":"paused"}}"#,
        #"{"n":4,"action":{"type":"cart/add","payload":{"_0":"milk"}},"states":{"cart":{"items":["tea","cups","milk"]},"checkout":{"paying":{"sum":2}}}}"#,
        #"{"gap":{"from":5,"to":5,"why":"filtered"}}"#,
        #"{"n":6,"action":{"type":"cart/add","payload":{"_0":"jam"}},"states":{"cart":{"items":["tea","cups","milk","jam"]},"checkout":{"paying":{"sum":2}}}}"#,
        #"{"end":{"steps":3,"ok":true}}"#,
      ])
  }

  @Test("a wrong pointer in a redaction records nothing rather than a secret")
  func wrongPointer() {
    let url = folder.url("pointer.jsonl")
    var options = Recorder.Options()
    options.redaction = Redaction(states: ["session/token"])
    let recorder = Recorder(to: url, options: options)
    Dispatcher([CartStore()]).use(recorder)
    #expect(
      recorder.failure?.message == """
        \(url.path): cannot record: redaction: the JSON Pointer "session/token" does not \
        start with '/'
        """)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test(
    "at each durability the log is whole once it is closed, and nothing is left beside it",
    arguments: [LogWriter.Options.Durability.ahead, .buffered, .synced])
  func durability(_ durability: LogWriter.Options.Durability) throws {
    let url = folder.url("\(durability).jsonl")
    let dispatcher = Dispatcher([CartStore()])
    var options = Recorder.Options()
    options.log.durability = durability
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    dispatcher.dispatch(CartAction.add("tea"))
    if durability == .synced {
      // On the disk when `dispatch` has returned.
      #expect(try linesWithoutSums(url).count == 2)
    }
    let inFlight = url.inFlight.path
    #expect(FileManager.default.fileExists(atPath: inFlight) == (durability != .buffered))
    try recorder.close()
    #expect(try linesWithoutSums(url).count == 3)
    #expect(!FileManager.default.fileExists(atPath: inFlight))
  }

  @Test("the failure that flush throws is known when it returns")
  func failureOfFlush() throws {
    // The writing thread reports it at the same time, so one round says little.
    for round in 1...50 {
      let url = folder.url("cart\(round).jsonl")
      let messages = LogMessages()
      let recorder = Recorder(to: url, logger: messages.logger)
      Dispatcher([CartStore()]).use(recorder)
      try FileManager.default.removeItem(at: url)
      let failure = LogError(path: url.path, reason: .lost(.removed))
      #expect(throws: failure) { try recorder.flush() }
      #expect(recorder.failure == failure)
      #expect(throws: failure) { try recorder.close() }
      #expect(messages.texts.count == 1)
    }
  }

  @Test("a recorder that is added a second time says so, and records nothing more")
  func addedTwice() throws {
    let url = folder.url("twice.jsonl")
    let (first, second) = (Dispatcher([CartStore()]), Dispatcher([CartStore()]))
    let recorder = Recorder(to: url)
    first.use(recorder)
    first.dispatch(CartAction.add("tea"))
    try recorder.flush()
    second.use(recorder)
    second.dispatch(CartAction.add("cups"))
    first.dispatch(CartAction.add("milk"))
    let error = #expect(throws: LogError.self) { try recorder.close() }
    #expect(
      error?.message == """
        \(url.path): cannot record: it was started a second time; create a recorder for each log
        """)
    let lines = try linesWithoutSums(url)
    #expect(lines.count == 3 && lines[1].hasPrefix(#"{"n":1,"#))
    #expect(lines[2] == #"{"end":{"steps":1,"ok":false}}"#)
  }

  @Test("a recorder that is added later begins with the states and the number of then")
  func later() throws {
    let url = folder.url("later.jsonl")
    let dispatcher = Dispatcher([CartStore()])
    dispatcher.dispatch(CartAction.add("tea"))
    let recorder = Recorder(to: url)
    dispatcher.use(recorder)
    dispatcher.dispatch(CartAction.add("cups"))
    try recorder.close()
    let lines = try linesWithoutSums(url)
    #expect(lines[0].contains(#""first":2"#))
    #expect(lines[0].contains(#""initial":{"items":["tea"]}"#))
    #expect(lines[1].hasPrefix(#"{"n":2,"#))
  }
}

/// The lines of a log without their sums, which depend on times, and without the lines of these tests that dispatched.
func linesWithoutSums(_ url: URL) throws -> [String] {
  try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
    String(line).replacing(/,"sum":"[0-9a-f]{8}"}$/, with: "}")
      .replacing(/,"at":"FluxRecorderTests\/[A-Za-z+]+\.swift:[0-9]+"/, with: "")
  }
}
