import FluxJSON
import FluxSystem
import TestFixtures
import Testing

@testable import FluxLog

/// How much may wait to be written.
@Suite struct QueueLimitTests {
  private struct Case: CustomTestStringConvertible {
    let steps: Int
    let bytes: Int
    let stateBytes: Int
    let expected: Int

    var testDescription: String { "\(steps) steps, \(bytes) bytes, states of \(stateBytes)" }
  }

  @Test(
    "As many steps may wait as there is room for their states, and two however large those are",
    arguments: [
      Case(steps: 1024, bytes: 67_108_864, stateBytes: 0, expected: 1024),
      Case(steps: 1024, bytes: 67_108_864, stateBytes: 300, expected: 1024),
      Case(steps: 1024, bytes: 67_108_864, stateBytes: 1_048_576, expected: 64),
      Case(steps: 1024, bytes: 67_108_864, stateBytes: 2_000_000, expected: 33),
      Case(steps: 1024, bytes: 67_108_864, stateBytes: 40_000_000, expected: 2),
      Case(steps: 1024, bytes: 0, stateBytes: 1, expected: 2),
      Case(steps: 8, bytes: 1000, stateBytes: 200, expected: 5),
      Case(steps: 1, bytes: 67_108_864, stateBytes: 40_000_000, expected: 1),
      Case(steps: 0, bytes: 67_108_864, stateBytes: 0, expected: 1),
      Case(steps: .min, bytes: .min, stateBytes: 0, expected: 1),
      Case(steps: .max, bytes: .max, stateBytes: 0, expected: .max),
    ])
  private func capacity(_ limit: Case) {
    var options = LogWriter.Options()
    options.queueCapacity = limit.steps
    options.queueByteCount = limit.bytes
    #expect(options.queueLimit(stateByteCount: limit.stateBytes) == limit.expected)
    #expect(options.actionCapacity >= 16 * 1024)
  }

  @Test(
    "Large states leave room for fewer steps, as they are at first and as they become",
    arguments: [
      // (bytes of the state before the first step, and after it)
      (50_000, 50_000), (10, 50_000), (50_000, 10),
    ])
  func states(initial: Int, grown: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("large.jsonl")
    var options = LogWriter.Options()
    options.overflow = .drop
    options.queueCapacity = 10
    options.queueByteCount = 200_000
    let header = LogHeader(
      log: "1", created: LogInstant(microseconds: 0),
      stores: [.init(name: "text", type: "Text", initial: Self.text(initial))])
    let writer = try LogWriter(path: path, header: header, options: options)
    writer.append(Self.step(1, LogValue(json: Self.text(grown))))
    try writer.flush()
    // The writing thread is held up until all others were handed over.
    let (entered, gate) = (Monitor(false), Monitor(false))
    writer.append(
      Self.step(
        2,
        LogValue(encoding: {
          entered.withLock { $0 = true }
          entered.signal()
          return gate.waitUntil({ $0 }) { _ in Self.text(grown) }
        })))
    entered.waitUntil({ $0 }) { _ in }
    for number in UInt64(3)...20 { writer.append(Self.step(number, nil)) }
    gate.withLock { $0 = true }
    gate.signal()
    try writer.flush()
    writer.append(Self.step(21, nil))
    try writer.close()
    let room: UInt64 = grown == 10 ? 10 : 3
    let log = try LogFile.opened(path)
    #expect(log.findings == [])
    #expect(log.gaps.map(\.gap) == [LogGap(from: 3 + room, through: 20, why: .dropped)])
  }

  private static func text(_ byteCount: Int) -> JSON {
    JSON(stringLiteral: String(repeating: "x", count: byteCount))
  }

  private static func step(_ number: UInt64, _ state: LogValue?) -> StepRecord {
    StepRecord(
      number: number, time: LogTime(microseconds: number),
      action: LogValue(json: ["type": "text/set"]),
      changes: state.map { [.init(store: "text", state: $0)] } ?? [])
  }
}
