import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import Synchronization
import TestFixtures
import Testing

/// Parts of a recording as logs of their own, while the recording continues.
@Suite struct ExportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func dispatcher() -> Dispatcher {
    let clock = Ticks(Date(timeIntervalSinceReferenceDate: 800_000_000))
    return Dispatcher([TallyStore(), Lamp()], seed: 7, now: { clock.next() })
  }

  private func recorder(_ options: Recorder.Options = Recorder.Options()) -> Recorder {
    Recorder(to: folder.url("tally.jsonl"), options: options)
  }

  /// The members of an exported log's lines: the header's first step, and each step without its outcome.
  private func outline(_ name: String) throws -> [String] {
    try folder.text(of: name).split(separator: "\n").map { line in
      var json = try JSON.parse(String(line))
      for member in [
        "sum", "log", "created", "seed", "platform", "stores", "states", "patches", "t", "took",
        "at",
      ] {
        json = JSON(writing: { writer in
          writer.beginObject()
          for other in json.members where other.name != member {
            writer.name(other.name)
            writer.raw(other.value)
          }
          writer.endObject()
        })
      }
      return json.text
    }
  }

  @Test("The export begins with the states before its first step, and later steps are not in it")
  func lines() throws {
    let dispatcher = dispatcher()
    let recorder = recorder()
    dispatcher.use(recorder)
    for amount in 1...5 { dispatcher.dispatch(TallyAction.note("\(amount)")) }
    recorder.mark("ready")
    dispatcher.dispatch(TallyAction.chain(2))
    let excerpt = try recorder.export(last: .steps(4), to: folder.url("part.jsonl"))
    dispatcher.dispatch(TallyAction.note("later"))
    try recorder.close()
    #expect(excerpt.first == 5 && excerpt.last == 8 && excerpt.steps == 4)
    #expect(excerpt.byteCount == (try folder.bytes(of: "part.jsonl").count))
    #expect(
      try outline("part.jsonl") == [
        #"{"flux":"1.1","first":5,"effects":true}"#,
        #"{"n":5,"action":{"type":"tally/note","payload":{"_0":"5"}}}"#,
        #"{"mark":"ready"}"#, #"{"n":6,"action":{"type":"tally/chain","payload":{"_0":2}}}"#,
        #"{"n":7,"action":{"type":"tally/add","payload":{"_0":1}},"cause":6}"#,
        #"{"n":8,"action":{"type":"tally/add","payload":{"_0":2}},"cause":6}"#,
        #"{"end":{"steps":4,"ok":true}}"#,
      ])
  }

  @Test("The header has the states before the first step")
  func header() throws {
    let dispatcher = dispatcher()
    let recorder = recorder()
    dispatcher.use(recorder)
    dispatcher.dispatch(Lamp.Action.turnOn)
    for amount in 1...3 { dispatcher.dispatch(TallyAction.note("\(amount)")) }
    try recorder.export(last: .steps(2), to: folder.url("part.jsonl"))
    try recorder.close()
    let stores = try openTimeline(folder.url("part.jsonl")).log.declaredStores
    #expect(stores["tally"]?.initial?["notes"] == ["1"])
    let model = try openTimeline(folder.url("part.jsonl")).model(at: Timeline.start)
    #expect(model.stores.count == 2)
  }

  @Test("A duration counts from the last step, and an extent in a chain begins with its root")
  func extents() throws {
    let dispatcher = dispatcher()
    let recorder = recorder()
    dispatcher.use(recorder)
    for _ in 1...3 { dispatcher.dispatch(TallyAction.chain(3)) }
    let timeline = try recorder.timeline()
    let times = try (0..<12).map { try timeline.step(at: $0).time.microseconds }
    func first(_ extent: LogExtent) throws -> UInt64 {
      try recorder.export(last: extent, to: folder.url("\(UUID()).jsonl")).first
    }
    #expect(try first(.all) == 1)
    #expect(try [1, 4, 5, 8, 9, 100].map { try first(.steps($0)) } == [9, 9, 5, 5, 1, 1])
    let toNinth = Double(times[11] - times[8]) / 1e6
    #expect(try first(.seconds(0)) == 9)
    #expect(try first(.seconds(toNinth)) == 9)
    #expect(try first(.seconds(Double(times[11] - times[7]) / 1e6)) == 5)
    #expect(try first(.minutes(10)) == 1)
    try recorder.close()
    // The log is complete, and can still be exported.
    #expect(try first(.steps(1)) == 9)
  }

  @Test("An export from inside a chain ends before it")
  func insideChain() throws {
    let dispatcher = dispatcher()
    let recorder = recorder()
    dispatcher.use(recorder)
    dispatcher.dispatch(TallyAction.note("a"))
    let url = folder.url("part.jsonl")
    let exported = Exported()
    let receipt = dispatcher.store(TallyStore.self).onChange { change in
      if change.step == 3 { exported.run { try recorder.export(to: url).last } }
    }
    dispatcher.dispatch(TallyAction.chain(2))
    receipt.cancel()
    #expect(exported.result == "1")
    #expect(try recorder.export(to: folder.url("all.jsonl")).last == 4)
    try recorder.close()
  }

  private final class Exported: @unchecked Sendable {
    // Sendable: guarded by `lock`.
    private let lock = NSLock()
    private var text: String?
    var result: String? { lock.withLock { text } }

    func run(_ body: () throws -> UInt64) {
      do {
        let number = try body()
        lock.withLock { text = "\(number)" }
      } catch {
        lock.withLock { text = "\(error)" }
      }
    }
  }

  @Test("A cause before the first step moves into x")
  func causes() async throws {
    let dispatcher = dispatcher()
    let recorder = recorder()
    dispatcher.use(recorder)
    _ = await dispatcher.run(TallyAction.fetch)
    dispatcher.dispatch(TallyAction.stamp)
    try recorder.export(last: .steps(2), to: folder.url("part.jsonl"))
    try recorder.close()
    #expect(
      try outline("part.jsonl")[1] == """
        {"n":2,"action":{"type":"tally/add","payload":{"_0":5}},"x":{"cause":1,"effect":"fetch"}}
        """)
    let report = try await tally().verify(LogFile.open(folder.path("part.jsonl")))
    #expect(report.verdict == .passed && report.notes == [])
  }

  @Test("Errors say what to do, and leave no file")
  func errors() throws {
    let url = folder.url("part.jsonl")
    let recorder = recorder()
    func message(_ url: URL) -> String? {
      do throws(LogError) {
        try recorder.export(to: url)
        return nil
      } catch { return error.message }
    }
    #expect(
      message(url) == """
        \(url.path): cannot export: the recorder is not in use; add it to a dispatcher with use(_:), or call start(states:), first
        """)
    let dispatcher = dispatcher()
    dispatcher.use(recorder)
    #expect(
      message(url) == """
        \(recorder.url.path): cannot export: no step has ended yet; dispatch an action first
        """)
    dispatcher.dispatch(TallyAction.add(1))
    let missing = folder.url("missing").appending(path: "part.jsonl")
    #expect(
      message(missing) == """
        \(missing.path): cannot export: its folder does not exist; create it first
        """)
    #expect(message(url) == nil)
    #expect(
      message(url) == """
        \(url.path): cannot export: a file is already there; choose another path
        """)
    let web = try #require(URL(string: "https://example.org/a"))
    #expect(
      message(web) == """
        https://example.org/a: cannot export: this is not a file URL; make one with URL(filePath:)
        """)
    try recorder.close()
    #expect(try folder.names() == ["part.jsonl", "tally.jsonl"])
  }

  private static let rounds =
    ProcessInfo.processInfo.environment["FLUX_SOAK"] == nil ? 20 : 2000
  private static let seed =
    ProcessInfo.processInfo.environment["FLUX_SEED"].flatMap { UInt64($0) } ?? 11

  @Test("Any export of any run passes check and verify, and has the recorded states")
  func property() async throws {
    print("seed \(Self.seed): FLUX_SEED sets another")
    var random = SplitMix64(seed: Self.seed, step: 1)
    for round in 0..<Self.rounds {
      let comment: Comment = "seed \(Self.seed), round \(round)"
      let folder = try TemporaryFolder()
      let dispatcher = dispatcher()
      var options = Recorder.Options()
      let notes = Mutex(0)
      options.shouldSkip = { action in
        guard case TallyAction.note = action else { return false }
        return notes.withLock { count in
          count += 1
          return count % 5 == 4
        }
      }
      let kept = Int.random(in: 20...200, using: &random)
      let recorder: Recorder
      switch round % 3 {
      case 0:
        options.log.retention = .steps(kept)
        recorder = Recorder(to: folder.url("run.jsonl"), options: options)
      case 1: recorder = Recorder(inMemory: kept * 200, options: options)
      default: recorder = Recorder(to: folder.url("run.jsonl"), options: options)
      }
      dispatcher.use(recorder)
      let observer = dispatcher.store(Lamp.self).onChange { [weak dispatcher] _ in
        dispatcher?.dispatch(TallyAction.note("seen"))
      }
      for _ in 0..<Int.random(in: 3...150, using: &random) {
        await Self.act(on: dispatcher, recorder, &random)
      }
      let all = try recorder.timeline()
      for export in 0..<4 {
        let count = Int.random(in: 1...60, using: &random)
        let extent: LogExtent = export % 2 == 0 ? .steps(count) : .seconds(Double(count) / 5)
        let url = folder.url("export-\(export).jsonl")
        let excerpt = try recorder.export(last: extent, to: url)
        let part = try openTimeline(url)
        #expect(try part.check() == [], comment)
        let report = try await tally().verify(part.log)
        #expect(report.verdict == .passed, comment)
        #expect(report.divergences == [], comment)
        #expect(part.log.end == LogEnd(steps: UInt64(part.log.count), isComplete: true), comment)
        #expect(excerpt.steps == part.log.count && excerpt.first == part.log.header.first, comment)
        #expect(part.log.number(at: part.end) == all.log.number(at: all.end), comment)
        for position in 0..<part.log.count {
          let number = try #require(part.log.number(at: position))
          guard let same = all.log.position(atOrBefore: number) else { continue }
          #expect(try part.model(at: position).json == all.model(at: same).json, comment)
        }
      }
      observer.cancel()
      try recorder.close()
    }
  }

  private static func act(
    on dispatcher: Dispatcher, _ recorder: Recorder, _ random: inout SplitMix64
  ) async {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: dispatcher.dispatch(TallyAction.chain(Int.random(in: 1...9, using: &random)))
    case 1: dispatcher.dispatch(TallyAction.relay(Int.random(in: 1...9, using: &random)))
    case 2: dispatcher.dispatch(TallyAction.stamp)
    case 3: dispatcher.dispatch(TallyAction.refuse)
    case 4: dispatcher.dispatch(Lamp.Action.turnOn)
    case 5: dispatcher.dispatch(Lamp.Action.brighten)
    case 6: dispatcher.dispatch(Lamp.Action.turnOff)
    case 7: _ = await dispatcher.run(TallyAction.fetch)
    case 8: recorder.mark("here")
    case 9:
      recorder.pause()
      dispatcher.dispatch(TallyAction.add(3))
      recorder.resume()
    default: dispatcher.dispatch(TallyAction.note("n"))
    }
  }
}
