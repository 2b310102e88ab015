import FluxJSON
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct InFlightRingTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path(".a.jsonl.inflight") }

  init() throws { folder = try TemporaryFolder() }

  private func ring(byteCount: Int = 4096, waits: Bool = false) throws -> InFlightRing {
    try InFlightRing(path: path, byteCount: byteCount, identity: 7, waits: waits)
  }

  private func actions(identity: UInt32 = 7) throws -> [InFlightAction] {
    InFlightRecord.actions(in: try folder.bytes(of: ".a.jsonl.inflight"), identity: identity)
  }

  private static func action(_ number: UInt64, size: Int = 1) -> JSON {
    [
      "type": "a",
      "payload": .init(stringLiteral: String(repeating: "x", count: size) + "\(number)"),
    ]
  }

  private func expected(_ number: UInt64, size: Int = 1, isCommitted: Bool) -> InFlightAction {
    InFlightAction(
      number: number, time: LogTime(microseconds: number), type: "a",
      action: Self.action(number, size: size), isCommitted: isCommitted)
  }

  @Test("What is noted is read back, with whether it committed")
  func notes() throws {
    let ring = try ring()
    for number in UInt64(1)...3 {
      ring.note(
        number: number, time: LogTime(microseconds: number), action: Self.action(number))
      if number < 3 { ring.commit(number: number) }
    }
    #expect(try actions() == (1...3).map { expected($0, isCommitted: $0 < 3) })
  }

  @Test("A step that runs while the ring is stopped commits, and nothing is noted after it")
  func stopped() throws {
    let ring = try ring()
    ring.note(number: 1, time: LogTime(microseconds: 1), action: Self.action(1))
    ring.stop()
    #expect(ring.commit(number: 1))
    ring.note(number: 2, time: LogTime(microseconds: 2), action: Self.action(2))
    #expect(ring.commit(number: 2))
    #expect(try actions() == [expected(1, isCommitted: true)])
  }

  @Test(
    "Where an action came from is read back, as far as it was noted",
    arguments: [
      ActionOrigin(), ActionOrigin(target: "a"), ActionOrigin(cause: .max),
      ActionOrigin(target: "a\"\\é", cause: 1, effect: "load", from: "observer"),
    ])
  func origins(_ origin: ActionOrigin) throws {
    let ring = try ring()
    let text = Array(Self.action(1).text.utf8)
    ring.note(number: 1, time: LogTime(microseconds: 1), origin: origin.text, action: text)
    var action = expected(1, isCommitted: false)
    action.origin = origin
    #expect(try actions() == [action])
  }

  @Test("A ring that is larger than a recorder makes it is an error, and is not read")
  func tooLargeRing() throws {
    try folder.write(SoundLog.text.utf8, to: "a.jsonl")
    let log = try LogFile.opened(folder.path("a.jsonl"))
    // The file has holes, so it takes no room on the disk.
    let file = try Descriptor(opening: path, O_RDWR | O_CREAT)
    try file.truncate(to: 100 << 30)
    let error = #expect(throws: LogError.self) { try log.inFlight() }
    #expect(
      error?.message == """
        \(path): the file has 107374182400 bytes, but a file of actions in flight has at most \
        67108864; it is not read; move it away to continue without it
        """)
  }

  @Test(
    "A reader gives up on a ring with too many records that overlap",
    arguments: [(50, [UInt64(9)]), (500, [])])
  func overlapping(_ count: Int, _ found: [UInt64]) throws {
    let last = InFlightRecord.record(
      number: 9, time: LogTime(microseconds: 9), origin: [], text: [], fullCount: 0)
    var ring = InFlightRecord.ringHeader(identity: 7)
    for place in (0..<count).reversed() {
      // A record without its checksum, whose text would be all bytes after it.
      var record = last
      record.replaceSubrange(4..<8, with: [1, 2, 3, 4])
      let rest = UInt32(place * last.count + last.count)
      unsafe withUnsafeBytes(of: rest.littleEndian) { rest in
        let start = InFlightRecord.Offset.textCount
        unsafe record.replaceSubrange(start..<start + 4, with: rest)
      }
      ring += record
    }
    #expect(InFlightRecord.actions(in: ring + last, identity: 7).map(\.number) == found)
  }

  @Test("An origin that is too large is left out, and the action is noted")
  func largeOrigin() throws {
    let ring = try ring()
    let origin = ActionOrigin(effect: String(repeating: "x", count: 2000))
    let text = Array(Self.action(1).text.utf8)
    ring.note(number: 1, time: LogTime(microseconds: 1), origin: origin.text, action: text)
    #expect(try actions() == [expected(1, isCommitted: false)])
  }

  @Test("A ring of another log is ignored")
  func identity() throws {
    let ring = try ring()
    ring.note(number: 1, time: LogTime(microseconds: 1), action: Self.action(1))
    #expect(try actions(identity: 8) == [])
  }

  @Test("A ring of the layout that had no origins is read")
  func olderLayout() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Recordings")
    let log = try LogFile.opened(folder.appending(path: "crash.jsonl").path())
    let found = try log.inFlight().map {
      "\($0.number) \($0.time) \($0.isCommitted) \($0.action?.text ?? "")"
    }
    #expect(
      found == [
        #"4 0.017841 false {"type":"basket/split","payload":{"people":0}}"#
      ])
    #expect(try log.inFlight().map(\.origin) == [ActionOrigin()])
  }

  @Test("A ring of an unknown layout is an error, one that is only just made is not")
  func unknownLayout() throws {
    let log = try LogFile.opened(folder.write(SampleLog.text, to: "a.jsonl"))
    try folder.write("", to: ".a.jsonl.inflight")
    #expect(try log.inFlight() == [])
    try folder.write("FLXT and what comes after it", to: ".a.jsonl.inflight")
    let error = #expect(throws: LogError.self) { try log.inFlight() }
    #expect(
      error?.message == """
        \(path): this program cannot read a file of actions in flight that starts with the bytes 46 4c 58 54; \
        update the program to see the actions, or move the file away
        """)
  }

  @Test("The ring wraps around, and the newest actions are there whatever their sizes")
  func wrapping() throws {
    let ring = try ring()
    for number in UInt64(1)...500 {
      let size = Int(number &* 7919 % 300)
      ring.note(
        number: number, time: LogTime(microseconds: number),
        action: Self.action(number, size: size))
      ring.commit(number: number)
      let found = try actions()
      #expect(found.contains(expected(number, size: size, isCommitted: true)))
      // All that are found are right, also those that are partly written over.
      for action in found {
        let size = Int(action.number &* 7919 % 300)
        #expect(action == expected(action.number, size: size, isCommitted: true))
      }
    }
  }

  @Test("An action that is too large is noted as what it is")
  func tooLarge() throws {
    let ring = try ring()
    ring.note(
      number: 1, time: LogTime(microseconds: 1),
      action: [
        "type": "a\"b", "payload": .init(stringLiteral: String(repeating: "x", count: 5000)),
      ])
    let found = try actions()
    #expect(
      found == [
        InFlightAction(
          number: 1, time: LogTime(microseconds: 1), type: "a\"b", action: nil, isCommitted: false)
      ])
  }

  @Test("A ring that waits keeps every action until its line is written")
  func waiting() throws {
    let ring = try ring(waits: true)
    let noted = Monitor<UInt64>(0)
    let last: UInt64 = 300
    let thread = Thread {
      for number in 1...last {
        ring.note(
          number: number, time: LogTime(microseconds: number),
          action: Self.action(number, size: 100))
        noted.withLock { $0 = number }
        noted.signal()
      }
    }
    thread.start()
    for number in 1...last {
      noted.waitUntil({ $0 >= number }) { _ in }
      #expect(try actions().contains(expected(number, size: 100, isCommitted: false)))
      ring.release(through: number)
    }
  }

  @Test("A changed byte loses no more than the record that it is in")
  func damage() throws {
    let ring = try ring()
    for number in UInt64(1)...5 {
      ring.note(number: number, time: LogTime(microseconds: number), action: Self.action(number))
    }
    let original = try folder.bytes(of: ".a.jsonl.inflight")
    for place in InFlightRecord.ringHeaderCount..<400 {
      var bytes = original
      bytes[place] ^= 0x10
      let found = InFlightRecord.actions(in: bytes, identity: 7)
      #expect(found.count >= 4)
      for action in found { #expect(action == expected(action.number, isCommitted: false)) }
    }
  }

  @Test("Actions whose lines are in the log, or in a gap, are not in flight")
  func filtering() throws {
    let header = LogHeader(log: "x")
    var options = LogWriter.Options()
    options.overflow = .drop
    let writer = try LogWriter(path: folder.path("a.jsonl"), header: header, options: options)
    for number in UInt64(1)...3 {
      let time = LogTime(microseconds: number)
      let action = writer.begin(step: number, at: time, action: LogValue(json: ["type": "a"]))
      guard number < 3 else { continue }
      writer.append(StepRecord(number: number, time: time, action: action))
    }
    try writer.flush()
    let log = try LogFile.opened(folder.path("a.jsonl"))
    #expect(log.count == 2)
    #expect(try log.inFlight().map(\.number) == [3])
    #expect(try log.inFlight().map(\.isCommitted) == [false])
    writer.skip(step: 3, changes: [], why: .filtered)
    try writer.close()
    #expect(try log.inFlight() == [])
  }
}

extension InFlightRing {
  fileprivate func note(number: UInt64, time: LogTime, action: JSON) {
    note(number: number, time: time, action: Array(action.text.utf8))
  }
}
