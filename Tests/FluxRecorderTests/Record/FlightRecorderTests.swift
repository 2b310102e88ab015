import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// A recorder that keeps only the end of a long run, in segments.
@Suite struct FlightRecorderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Records, and opens what was kept.
  private func record(
    keeping retention: LogWriter.Options.Retention, _ use: (Dispatcher) -> Void
  ) throws -> [Timeline] {
    let dispatcher = Dispatcher([CartStore(), Checkout()])
    var options = Recorder.Options()
    options.log.retention = retention
    let recorder = Recorder(to: folder.url("flight.jsonl"), options: options)
    dispatcher.use(recorder)
    use(dispatcher)
    try recorder.close()
    let names = try folder.names()
    #expect(names.allSatisfy { $0.hasPrefix("flight.") && $0.hasSuffix(".jsonl") })
    #expect(names.first != "flight.0001.jsonl" && names.count >= 4)
    return try names.map { try openTimeline(folder.url($0)) }
  }

  private func numbers(_ timelines: [Timeline]) throws -> [UInt64] {
    try timelines.flatMap { timeline in
      try (0..<timeline.log.count).map { try timeline.log.step(at: $0).number }
    }
  }

  @Test("the last steps are kept in segments, each a sound log that begins with its states")
  func steps() throws {
    let timelines = try record(keeping: .steps(20)) { dispatcher in
      for number in 1...100 { dispatcher.dispatch(CartAction.add("item \(number)")) }
    }
    let numbers = try numbers(timelines)
    #expect(numbers.count >= 20 && numbers == Array((101 - UInt64(numbers.count))...100))
    for timeline in timelines {
      for position in 0..<timeline.log.count {
        let number = try timeline.log.step(at: position).number
        let items = try timeline.state(of: "cart", at: position)?["items"]
        #expect(items?.count == Int(number))
      }
    }
  }

  @Test(
    "the last bytes are kept in segments, at least as many as asked for and a segment more at most")
  func bytes() throws {
    let timelines = try record(keeping: .bytes(8000)) { dispatcher in
      dispatcher.dispatch(CartAction.add("tea"))
      for _ in 2...300 { dispatcher.dispatch(CartAction.nothing) }
    }
    let numbers = try numbers(timelines)
    #expect(numbers == Array((301 - UInt64(numbers.count))...300))
    let sizes = try folder.files().values.map(\.count)
    #expect(sizes.reduce(0, +) >= 8000 && sizes.reduce(0, +) <= 8000 + 2 * 2300, "\(sizes)")
    #expect(sizes.allSatisfy { $0 <= 2300 }, "\(sizes)")
    for timeline in timelines {
      #expect(try timeline.state(of: "cart", at: timeline.end) == ["items": ["tea"]])
    }
  }

  @Test(
    "each segment passes by itself, whether its last chain is whole or cut",
    arguments: [
      (8, [1, 1, 1], [2, 2, 2], [[], [], []]),
      (16, [2, 2, 2], [6, 3], [[], []]),
      (4, [3], [2, 2], [[cut], [causes]]),
    ] as [(Int, [Int], [Int], [[String]])])
  func verdicts(kept: Int, chains: [Int], steps: [Int], notes: [[String]]) async throws {
    let dispatcher = Dispatcher([TallyStore(), Lamp()], seed: 7)
    var options = Recorder.Options()
    options.log.retention = .steps(kept)
    let recorder = Recorder(to: folder.url("flight.jsonl"), options: options)
    dispatcher.use(recorder)
    for count in chains { dispatcher.dispatch(TallyAction.chain(count)) }
    try recorder.close()
    var reports: [ReplayReport] = []
    for name in try folder.names() {
      reports.append(try await tally().verify(LogFile.open(folder.path(name))))
    }
    #expect(reports.map(\.verdict) == reports.map { _ in .passed })
    #expect(reports.map(\.steps) == steps)
    #expect(reports.map(\.notes) == notes)
  }

  private static let causes = "2 causes not compared: they are steps that were not replayed"

  private static let cut =
    "the log ends before the follow-ups of step 1: the recording continues in the next segment"
}
