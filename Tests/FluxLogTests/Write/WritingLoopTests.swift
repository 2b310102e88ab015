import FluxJSON
import FluxSystem
import Testing

@testable import FluxLog

/// A sink that records the calls, and fails on demand.
private struct FakeSink: LineSink {
  final class Calls: Sendable {
    private let calls = Monitor<[String]>([])
    private let failures = Monitor<[String: LogError]>([:])

    /// `false` while no other segment can be opened.
    let hasDescriptors = Monitor(true)

    var all: [String] { calls.withLock { $0 } }

    func fail(_ call: String, _ error: LogError) { failures.withLock { $0[call] = error } }

    /// Records a call; fails once if that was demanded.
    func add(_ call: String, _ text: String = "") throws(LogError) {
      calls.withLock { $0.append(text.isEmpty ? call : "\(call) \(text)") }
      if let error = failures.withLock({ $0.removeValue(forKey: call) }) { throw error }
    }
  }

  let calls: Calls
  var path = "1.jsonl"
  var stepLimit: UInt64 = .max
  private(set) var lastStepCount: UInt64 = 0

  init(_ calls: Calls, stepLimit: UInt64 = .max) {
    self.calls = calls
    self.stepLimit = stepLimit
  }

  mutating func append(_ lines: [UInt8]) throws(LogError) {
    // A failing disk still takes the first line.
    lastStepCount = 1
    let texts = lines.split(separator: 0x0A).map {
      String(decoding: $0.dropLast(LineSum.tailCount), as: UTF8.self) + "}"
    }
    try calls.add("append", texts.joined(separator: " "))
    lastStepCount = 0
  }

  mutating func examine() throws(LogError) { try calls.add("examine") }

  func synchronize() throws(LogError) { try calls.add("synchronize") }

  func isFull(stepCount: UInt64, waitingByteCount: Int, isInChain: Bool) -> Bool {
    stepLimit != .max && stepCount >= (isInChain ? 2 * stepLimit : stepLimit)
  }

  mutating func openNext() throws(LogError) -> Bool { calls.hasDescriptors.withLock { $0 } }

  mutating func rotate(to header: LogHeader, stepCount: UInt64) throws(LogError) {
    try calls.add("rotate", "after \(stepCount) steps to first \(header.first)")
    path = "2.jsonl"
  }

  func removeInFlight() { note("remove in flight") }

  func unlock() { note("unlock") }

  private func note(_ call: String) {
    do throws(LogError) { try calls.add(call) } catch { Issue.record(error) }
  }
}

/// The writing thread's work, without a thread, files or a clock.
@Suite struct WritingLoopTests {
  private let calls = FakeSink.Calls()
  private let failures = Monitor<[LogError]>([])
  private let queue = WriteQueue(capacity: 8)
  private static let diskFull = LogError(
    path: "1.jsonl", reason: .system(operation: "write", code: ENOSPC))

  private func loop(
    _ durability: LogWriter.Options.Durability = .buffered, stepLimit: UInt64 = .max,
    files: RecordedFiles? = nil
  ) -> WritingLoop<FakeSink> {
    var options = LogWriter.Options()
    options.durability = durability
    options.onFailure = { [failures] error in failures.withLock { $0.append(error) } }
    let header = LogHeader(stores: [.init(name: "a", initial: 0)])
    return WritingLoop(
      queue: queue, ring: nil, options: options,
      composer: LineComposer(header, writesWholeStates: false),
      sink: FakeSink(calls, stepLimit: stepLimit), files: files)
  }

  private static func step(
    _ number: UInt64, cause: UInt64? = nil, _ state: LogValue? = nil
  ) -> WriteQueue.Event {
    .step(
      QueuedStep(
        StepRecord(
          number: number, time: LogTime(microseconds: 0),
          action: LogValue(json: ["type": "t"]), cause: cause,
          changes: state.map { [.init(store: "a", state: $0)] } ?? [])))
  }

  private static let mark = WriteQueue.Event.mark(
    LogMark(text: "m", time: LogTime(microseconds: 0)))

  private static func line(_ number: UInt64) -> String {
    #"{"n":\#(number),"t":0.000000,"action":{"type":"t"}}"#
  }

  /// Writes a batch as the queue hands it over.
  private func write(
    _ events: [WriteQueue.Event], closing: WriteQueue.Closing? = nil,
    with loop: inout WritingLoop<FakeSink>
  ) {
    var events = events
    let batch = WriteQueue.Batch(total: UInt64(events.count), closing: closing)
    loop.write(&events, of: batch)
  }

  @Test("A batch is appended with one call, and an empty batch with none")
  func batches() {
    var loop = loop()
    write([Self.step(1), Self.mark, Self.step(2)], with: &loop)
    write([], with: &loop)
    write([Self.step(3)], with: &loop)
    #expect(
      calls.all.filter { $0.hasPrefix("append ") } == [
        "append \(Self.line(1)) {\"mark\":\"m\",\"t\":0.000000} \(Self.line(2))",
        "append \(Self.line(3))",
      ])
  }

  @Test("A batch of more than 256 KB is appended in blocks")
  func blocks() {
    var loop = loop()
    let large = LogValue(json: JSON(stringLiteral: String(repeating: "x", count: 1 << 18)))
    write([Self.step(1), Self.step(2, large), Self.step(3)], with: &loop)
    // The loop examines the file from time to time, which a slow machine may bring about here.
    let appends = calls.all.filter { $0.hasPrefix("append ") }
    #expect(appends.count == 2)
    #expect(appends.last == "append \(Self.line(3))")
  }

  @Test("Every batch of a synced log is on the disk before it counts as written")
  func synced() {
    var loop = loop(.synced)
    write([Self.step(1)], with: &loop)
    #expect(calls.all == ["append \(Self.line(1))", "synchronize"])
  }

  @Test("A closed log ends with its end line, on the disk unless it is buffered")
  func close() {
    var loop = loop(.ahead)
    write([Self.step(1)], closing: .close, with: &loop)
    #expect(
      calls.all == [
        "append \(Self.line(1))", "examine", #"append {"end":{"steps":1,"ok":true}}"#,
        "synchronize", "remove in flight", "unlock",
      ])
  }

  @Test("An abandoned log has no end line, and keeps its actions in flight")
  func abandon() {
    var loop = loop(.ahead)
    write([Self.step(1)], closing: .abandon, with: &loop)
    #expect(calls.all == ["append \(Self.line(1))", "unlock"])
  }

  @Test("After a failure the log ends with the steps that are in the file, and nothing follows")
  func failure() {
    var loop = loop()
    write([Self.step(1), Self.step(2)], with: &loop)
    calls.fail("append", Self.diskFull)
    write([Self.step(3), Self.step(4)], with: &loop)
    write([Self.step(5)], with: &loop)
    write([], closing: .close, with: &loop)
    #expect(
      calls.all == [
        "append \(Self.line(1)) \(Self.line(2))", "append \(Self.line(3)) \(Self.line(4))",
        #"append {"end":{"steps":3,"ok":false}}"#, "unlock",
      ])
    #expect(queue.failure == Self.diskFull)
    #expect(failures.withLock { $0 } == [Self.diskFull])
  }

  @Test("After a failure, the steps that are in the file can be exported")
  func finishedBeforeFailure() {
    let files = RecordedFiles(.file(path: "1.jsonl"))
    var loop = loop(files: files)
    calls.fail("append", Self.diskFull)
    write([Self.step(1), Self.step(2)], with: &loop)
    #expect(files.finished == 1)
  }

  @Test("A disk that fails when the log is closed is reported")
  func failureAtClose() {
    var loop = loop(.ahead)
    calls.fail("synchronize", Self.diskFull)
    write([], closing: .close, with: &loop)
    let end = #"append {"end":{"steps":0,"ok":true}}"#
    #expect(calls.all.prefix(3) == ["examine", end, "synchronize"])
    #expect(calls.all.last == "unlock")
    #expect(queue.failure == Self.diskFull)
  }

  @Test("A full segment continues in the next one, which a chain of follow-ups delays")
  func segments() {
    var loop = loop(stepLimit: 1)
    write([Self.step(1), Self.step(2, cause: 1), Self.step(3, cause: 2)], with: &loop)
    #expect(
      calls.all == [
        "append \(Self.line(1)) \(#"{"n":2,"t":0.000000,"action":{"type":"t"},"cause":1}"#)",
        "rotate after 2 steps to first 3",
        #"append {"n":3,"t":0.000000,"action":{"type":"t"},"cause":2}"#,
      ])
  }

  @Test("A log that is lost has no end line, and its actions in flight are removed")
  func loss() {
    let lost = LogError(path: "1.jsonl", reason: .lost(.removed))
    var loop = loop(.ahead)
    write([Self.step(1)], with: &loop)
    calls.fail("examine", lost)
    write([Self.step(2), .examine], with: &loop)
    write([Self.step(3)], closing: .close, with: &loop)
    #expect(
      calls.all == [
        "append \(Self.line(1))", "append \(Self.line(2))", "examine", "remove in flight",
        "unlock",
      ])
    #expect(queue.failure == lost)
    #expect(failures.withLock { $0 } == [lost])
  }

  @Test("Without a descriptor for the next segment, the open one goes on until there is one")
  func descriptors() {
    var loop = loop(stepLimit: 1)
    calls.hasDescriptors.withLock { $0 = false }
    write([Self.step(1), Self.step(2)], with: &loop)
    calls.hasDescriptors.withLock { $0 = true }
    write([Self.step(3)], with: &loop)
    #expect(
      calls.all == [
        "append \(Self.line(1))", "append \(Self.line(2))", "rotate after 2 steps to first 3",
        "append \(Self.line(3))",
      ])
    #expect(queue.failure == nil)
  }

  @Test("A segment whose header cannot be written ends the recording in the one before")
  func headerFailure() {
    var loop = loop(stepLimit: 1)
    calls.fail("rotate", Self.diskFull)
    write([Self.step(1), Self.step(2)], with: &loop)
    #expect(
      calls.all == [
        "append \(Self.line(1))", "rotate after 1 steps to first 2",
        #"append {"end":{"steps":1,"ok":false}}"#,
      ])
    #expect(queue.failure == Self.diskFull)
  }

  @Test("A step out of order ends the recording after the steps before it")
  func order() {
    var loop = loop()
    write([Self.step(1), Self.step(3)], with: &loop)
    #expect(
      calls.all == ["append \(Self.line(1))", #"append {"end":{"steps":1,"ok":false}}"#])
    #expect(
      queue.failure
        == LogError(path: "1.jsonl", reason: .notConsecutive(found: 3, expected: 2)))
  }

  @Test("Of a series of steps that cannot be encoded the first is reported, and each leaves a gap")
  func encoding() {
    struct Refusal: Error {}
    let refused = LogValue(encoding: { throw Refusal() })
    var loop = loop()
    write(
      [
        Self.step(1, refused), Self.step(2, refused), Self.step(3, LogValue(json: 1)),
        Self.step(4, refused),
      ], closing: .close, with: &loop)
    let reported = failures.withLock { $0.map(\.reason) }
    #expect(
      reported == [
        .cannotEncode(step: 1, store: "a", why: "it threw Refusal"),
        .cannotEncode(step: 4, store: "a", why: "it threw Refusal"),
      ])
    #expect(
      calls.all.first
        == #"append {"gap":{"from":1,"to":2,"why":"dropped"}} "#
        + #"{"n":3,"t":0.000000,"action":{"type":"t"},"states":{"a":1}}"#)
    #expect(queue.failure == nil)
  }
}
