import FluxJSON
import FluxLog
import Foundation
import Testing

@testable import FluxReplay

@Suite struct BatchReaderTests {
  private static let steps = (1...40).map { number in
    #"{"n":\#(number),"t":0.1,"action":{"type":"count/up"},"states":{"count":\#(number)}}"#
  }

  private func reader(of timeline: Timeline, size: Int = 1) throws -> BatchReader {
    BatchReader(
      0..<timeline.log.count, of: timeline.log,
      RecordedWalk(try timeline.model(at: Timeline.start)), size: size,
      for: AppDescription(stores: [.init(name: "count")], actionTypes: ["count"]))
  }

  @Test("a batch is a megabyte, or less if messages have to be short")
  func size() {
    #expect(BatchSize.bytes(within: MemoryLimit(byteCount: 64 << 20)) == 1_048_576)
    #expect(BatchSize.bytes(within: MemoryLimit(byteCount: 1 << 20)) == 131_072)
  }

  @Test("batches come in order, whichever side reads them", arguments: [1, 3, 512])
  func order(_ size: Int) throws {
    let reader = try reader(of: WrittenLog(Self.steps).open(), size: size)
    var numbers: [UInt64] = []
    while let batch = try reader.next() { numbers += batch.steps.map(\.step.number) }
    reader.stop()
    #expect(numbers == Array(1...40))
  }

  @Test("an error comes after the batches before it")
  func error() throws {
    let written = try WrittenLog(Self.steps)
    let file = try FileHandle(forUpdating: URL(filePath: written.path))
    let timeline = try written.open()
    // Nothing that is read after this line is there from step 21 on.
    let rest = Self.steps[20...].reduce(0) { $0 + $1.utf8.count + 1 }
    try file.truncate(atOffset: try file.seekToEnd() - UInt64(rest))
    let reader = try reader(of: timeline)
    defer { reader.stop() }
    for number in 1...20 {
      #expect(try reader.next()?.steps.map(\.step.number) == [UInt64(number)])
    }
    let error = #expect(throws: LogError.self) { try reader.next() }
    #expect(error?.reason == .shrunk(line: 22))
  }

  @Test("a reader that is stopped leaves batches unread, and can be stopped again")
  func stop() throws {
    let timeline = try WrittenLog(Self.steps).open()
    for count in [0, 1, 2, 12] {
      let reader = try reader(of: timeline)
      for number in 0..<count {
        #expect(try reader.next()?.steps.map(\.step.number) == [UInt64(number + 1)])
      }
      reader.stop()
      reader.stop()
    }
  }

  @Test("a batch ends after a megabyte of actions, patches and states")
  func bytes() throws {
    let text = String(repeating: "a", count: 300_000)
    let steps = (1...9).map { number in
      #"{"n":\#(number),"t":0.1,"action":{"type":"count/up","payload":"\#(text)"}}"#
    }
    let reader = try reader(of: WrittenLog(steps).open(), size: 512)
    let batches = try (0..<3).map { _ in try reader.next() }
    reader.stop()
    #expect(batches.map { $0?.steps.count } == [4, 4, 1])
    #expect(batches.map { $0?.byteCount } == [1_200_128, 1_200_128, 300_032])
  }

  @Test("a batch ends after sixteen states that are not written: only the app knows their sizes")
  func unwritten() throws {
    let steps = (1...40).map { number in
      #"{"n":\#(number),"t":0.1,"action":{"type":"count/up"},"unwritten":["count"]}"#
    }
    let reader = try reader(of: WrittenLog(steps).open(), size: 512)
    let batches = try (0..<3).map { _ in try reader.next() }
    reader.stop()
    #expect(batches.map { $0?.steps.count } == [16, 16, 8])
  }
}
