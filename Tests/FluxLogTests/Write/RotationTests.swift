import CXNU
import FluxJSON
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

/// A flight recorder that is killed while it goes on in another segment.
@Suite struct RotationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes ten steps in segments of two, and is killed on the way to the sixth segment, which the next one begins.
  ///
  /// Problems are written to the file `problems`.
  private static func crash(path: String, after last: String) throws -> Never {
    let isHandedOver = DispatchSemaphore(value: 0)
    var options = LogWriter.Options()
    options.onFailure = { problem in
      let file = Descriptor(
        unsafe open(path + ".problems", O_WRONLY | O_CREAT | O_APPEND, 0o600))
      _ = file.write(Array("\(problem.message)\n".utf8))
    }
    options.retention = .steps(8)
    options.onRotation = { step, segment in
      guard step.rawValue == last, segment.hasSuffix(".0006.jsonl") else { return }
      isHandedOver.wait()
      kill(getpid(), SIGKILL)
    }
    let header = LogHeader(log: "x", stores: [.init(name: "a", initial: 0)])
    let writer = try LogWriter(path: path, header: header, options: options)
    for number in UInt64(1)...10 { append(number, to: writer) }
    try writer.flush()
    append(11, to: writer)
    isHandedOver.signal()
    while true { pause() }
  }

  private static func append(_ number: UInt64, to writer: LogWriter) {
    let time = LogTime(microseconds: number)
    let action = writer.begin(step: number, at: time, action: LogValue(json: ["type": "t"]))
    let state = LogValue(json: JSON(integerLiteral: Int64(number)))
    writer.append(
      StepRecord(
        number: number, time: time, action: action, changes: [.init(store: "a", state: state)]))
  }

  @Test(
    "Wherever a rotation ends, the newest segment has the step beside it that is not written",
    arguments: [
      (.shared, [1, 2, 3, 4, 5], [5, 6], false), (.begun, [1, 2, 3, 4, 5, 6], [5, 6], false),
      (.ended, [1, 2, 3, 4, 5, 6], [5, 6], true), (.deleted, [2, 3, 4, 5, 6], [5, 6], true),
      (.moved, [2, 3, 4, 5, 6], [6], true),
    ] as [(SegmentedSink.RotationStep, [Int], [Int], Bool)])
  func killed(
    _ step: SegmentedSink.RotationStep, _ segments: [Int], _ rings: [Int], _ isEnded: Bool
  ) async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = folder.path("run.jsonl") as String, last = step.rawValue as String] in
      try Self.crash(path: path, after: last)
    }
    let expected =
      segments.map { "run.000\($0).jsonl" } + rings.map { ".run.000\($0).jsonl.inflight" }
    #expect(try folder.names() == (expected + [".run.jsonl.lock"]).sorted())

    let waiting = InFlightAction(
      number: 11, time: LogTime(microseconds: 11), type: "t", action: ["type": "t"],
      isCommitted: true)
    let newest = try LogFile.opened(folder.path("run.000\(segments.last ?? 0).jsonl"))
    #expect(try newest.inFlight() == [waiting])
    #expect(
      try LogFile.opened(folder.path("run.0005.jsonl")).end?.isComplete == (isEnded ? true : nil))
    for segment in segments {
      let log = try LogFile.opened(folder.path("run.000\(segment).jsonl"))
      let (steps, errors) = log.allSteps()
      let first = UInt64(segment) * 2 - 1
      #expect(errors == [])
      #expect(log.header.first == first)
      #expect(steps.map(\.number) == (segment == 6 ? [] : [first, first + 1]))
      // The next segment has the actions that follow, as steps or in flight.
      if log.end?.isContinued == true { #expect(try log.inFlight() == []) }
    }
  }

  @Test(
    "If links are denied, that is reported once, and the newest segment has the action all the same",
    .enabled(if: xnu_can_simulate()),
    arguments: [SegmentedSink.RotationStep.begun, .ended, .deleted, .moved])
  func deniedLinks(_ step: SegmentedSink.RotationStep) async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = folder.path("run.jsonl") as String, last = step.rawValue as String] in
      xnu_simulate()
      try Self.crash(path: path, after: last)
    }
    let newest = try LogFile.opened(folder.path("run.0006.jsonl"))
    #expect(try newest.inFlight().map(\.number) == [11])
    #expect(
      try folder.text(of: "run.jsonl.problems") == """
        \(folder.path(".run.0001.jsonl.inflight")): cannot link the file of actions in flight beside the next \
        segment: Operation not permitted; nothing is lost, but keep the last two segments together if the \
        app crashes

        """)
    let rings = try folder.names().filter { $0.hasSuffix(".inflight") }
    #expect(rings == [step == .moved ? ".run.0006.jsonl.inflight" : ".run.0005.jsonl.inflight"])
  }

  @Test(
    "The segment before another one is the nearest number that has a file",
    arguments: [
      ("run.0001.jsonl", nil), ("run.0002.jsonl", "run.0001.jsonl"),
      ("run.0007.jsonl", "run.0002.jsonl"), ("run.0003.jsonl", nil), ("run.jsonl", nil),
      ("run", nil), ("run.02.jsonl", nil),
    ] as [(String, String?)])
  func segmentBefore(_ name: String, _ expected: String?) throws {
    for number in [1, 2, 7] { try folder.write("", to: "run.000\(number).jsonl") }
    #expect(
      LogFileNames.segment(before: folder.path(name)) == expected.map { folder.path($0) })
  }

  @Test("The files of a log are in its folder, even if its name begins with a combining mark")
  func combiningMark() {
    let path = "a.b/\u{301}c.\u{302}d"
    #expect(
      Array(LogFileNames.inFlightPath(of: path).utf8)
        == Array("a.b/.\u{301}c.\u{302}d.inflight".utf8))
    #expect(
      Array(LogFileNames(path: path).path(.segments, 1).utf8)
        == Array("a.b/\u{301}c.0001.\u{302}d".utf8))
  }

  @Test("Without a descriptor the segment goes on, the next one follows later, and no ring is left")
  func descriptors() async throws {
    await #expect(processExitsWith: .success) { [folder = folder.path("") as String] in
      var options = LogWriter.Options()
      options.retention = .steps(8)
      let header = LogHeader(log: "x", stores: [.init(name: "a", initial: 0)])
      let writer = try LogWriter(path: folder + "/run.jsonl", header: header, options: options)
      Self.append(1, to: writer)
      try writer.flush()
      var taken: [Int32] = []
      repeat { taken.append(unsafe open("/dev/null", O_RDONLY)) } while taken.last != -1
      for number in UInt64(2)...5 { Self.append(number, to: writer) }
      try writer.flush()
      for descriptor in taken.dropLast() { close(descriptor) }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(names == [".run.0001.jsonl.inflight", ".run.jsonl.lock", "run.0001.jsonl"])
      Self.append(6, to: writer)
      try writer.close()
    }
    #expect(try folder.names() == ["run.0001.jsonl", "run.0002.jsonl"])
    let logs = try folder.names().map { try LogFile.opened(folder.path($0)) }
    #expect(logs.map(\.count) == [5, 1])
    #expect(logs.map { $0.end?.isComplete } == [true, true])
  }

  @Test("Without links the actions in flight are moved")
  func moved() throws {
    let ring = try InFlightRing(
      path: folder.path(".1.jsonl.inflight"), byteCount: 4096, identity: 7, waits: false)
    let identity = try FileStatus(at: folder.path(".1.jsonl.inflight"))?.identity
    ring.move(to: folder.path("2.jsonl"))
    #expect(try folder.names() == [".2.jsonl.inflight"])
    let path = folder.path(".2.jsonl.inflight")
    #expect(identity != nil)
    #expect(try FileStatus(at: path)?.identity == identity)
  }
}
