import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct LogIndexingTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write(IndexedLines.text, to: "log.jsonl")
  }

  /// Starts indexing the file.
  private func indexing(
    _ names: LogNames, threads: Int = 1, pieceSize: Int = 1 << 20,
    beforePiece: (@Sendable (Int) -> Void)? = nil
  ) throws -> LogIndexing {
    let file = try OpenFile(reading: path)
    var options = LogIndexing.Options()
    options.threads = threads
    options.pieceSize = pieceSize
    options.beforePiece = beforePiece
    let indexing = LogIndexing(
      file: file, names: names, index: IndexedLines.empty, size: try file.status().size,
      options: options)
    try indexing.start()
    return indexing
  }

  /// The index of the file that is scanned in pieces between these places.
  private func scanned(_ cuts: [Int], size: Int, _ names: LogNames) throws -> LogIndex {
    var scanner = PieceScanner(
      file: try OpenFile(reading: path), fileSize: size, longestLine: 1 << 20, names: names)
    var index = IndexedLines.empty
    var start = IndexedLines.start
    for end in cuts + [size] where end > start {
      index.append(try scanner.scan(start..<end, startsLine: start == IndexedLines.start))
      start = end
    }
    return index
  }

  @Test("Two pieces that are cut at any byte give the index of the whole")
  func cuts() throws {
    let size = IndexedLines.text.utf8.count
    for cut in IndexedLines.start...size {
      let names = LogNames()
      let index = try scanned([cut], size: size, names)
      #expect(try IndexedLines.describe(index, names) == IndexedLines.description, "cut at \(cut)")
      #expect(index.end == size)
    }
  }

  @Test("A line over several pieces belongs to the one that it starts in")
  func longLine() throws {
    let size = IndexedLines.text.utf8.count
    for cut in stride(from: IndexedLines.start + 1, to: size, by: 3) {
      let names = LogNames()
      let cuts = [cut, cut + 7, cut + 11, cut + 40, cut + 90].filter { $0 < size }
      let index = try scanned(cuts, size: size, names)
      #expect(try IndexedLines.describe(index, names) == IndexedLines.description, "\(cuts)")
    }
  }

  @Test(
    "A broken line in each place has the same findings in pieces of any size",
    arguments: [
      (0, ["line 2: json"]), (1, ["line 3: json"]), (2, ["line 4: json"]), (3, ["line 5: json"]),
      (4, ["line 6: json"]), (5, ["line 7: json"]), (6, ["line 8: json"]),
    ])
  func broken(place: Int, findings: [String]) throws {
    var lines = IndexedLines.lines
    lines[place] = lines[place].dropLast(2) + "]\n"
    try folder.write(SampleLog.summed(IndexedLines.header) + lines.joined(), to: "log.jsonl")
    let size = IndexedLines.text.utf8.count
    // A step after the place keeps its line and its byte.
    let steps = IndexedLines.description.filter {
      $0.hasPrefix("line") && !$0.hasPrefix("line \(place + 2),")
    }
    for pieceSize in [1, 2, 10, 50, 77, 78, 200, size] {
      let names = LogNames()
      let indexing = try indexing(names, threads: 2, pieceSize: pieceSize)
      try indexing.wait()
      let found = try IndexedLines.describe(indexing.index, names)
      #expect(found.filter { $0.contains("step ") } == steps, "\(pieceSize)")
      #expect(
        found.filter { $0.hasPrefix("line") && !$0.contains("step ") } == findings, "\(pieceSize)")
    }
  }

  @Test("A damaged log has the same findings, in the order of the lines, whatever the pieces are")
  func damagedPieces() throws {
    var random = SeededGenerator()
    for round in 0..<200 {
      let text = Self.damagedLog(using: &random)
      let path = try folder.write(text, to: "damaged.jsonl")
      let findings = try LogFile.opened(path).findings
      let lines = findings.map(\.line)
      #expect(lines == lines.sorted(), "round \(round):\n\(text)")
      for pieceSize in [1, 40, 130, 400] {
        let found = try LogFile.opened(path, threads: 2, pieceSize: pieceSize).findings
        #expect(found == findings, "round \(round), pieces of \(pieceSize) bytes:\n\(text)")
      }
    }
  }

  /// A log with lost, repeated, missing and edited lines, of which some have no sum.
  private static func damagedLog(using random: inout SeededGenerator) -> String {
    var text = ""
    func append(_ line: String) {
      text += Int.random(in: 0..<4, using: &random) == 0 ? line + "\n" : SampleLog.summed(line)
    }
    append(IndexedLines.header)
    var number = 1
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: text += #"{"n":1,"t":lost"# + "\n"
      case 1: text += #"{"gap":{"from":lost"# + "\n"
      case 2: append(#"{"mark":"m","t":0.100000}"#)
      case 3:
        append(#"{"gap":{"from":\#(number),"to":\#(number + 1),"why":"paused"}}"#)
        number += 2
      case 4: number += 1
      case 5: number = max(1, number - 1)
      case 6: append(#"{"end":{"steps":\#(number - 1),"ok":true}}"#)
      default:
        append(#"{"n":\#(number),"t":0.100000,"action":{"type":"a"},"states":{"s":\#(number)}}"#)
        number += 1
      }
    }
    return text
  }

  @Test("Threads that take pieces of any size give one index", arguments: [1, 2, 5])
  func threads(threads: Int) throws {
    for pieceSize in 1...90 {
      let names = LogNames()
      let indexing = try indexing(names, threads: threads, pieceSize: pieceSize)
      try indexing.wait()
      #expect(indexing.isComplete)
      let found = try IndexedLines.describe(indexing.index, names)
      #expect(found == IndexedLines.description, "pieces of \(pieceSize) bytes")
    }
  }

  @Test("Pieces are joined in their order, whichever is scanned first")
  func order() throws {
    let size = IndexedLines.text.utf8.count - IndexedLines.start
    let last = (size + 79) / 80 - 1
    let gate = Monitor((hasReachedLast: false, isOpen: false))
    let names = LogNames()
    // One of two threads waits in piece 1, and the other takes the rest.
    let indexing = try indexing(names, threads: 2, pieceSize: 80) { piece in
      if piece == 1 { gate.waitUntil({ $0.isOpen }) { _ in } }
      if piece == last {
        gate.withLock { $0.hasReachedLast = true }
        gate.signal()
      }
    }
    gate.waitUntil({ $0.hasReachedLast }) { _ in }
    #expect(
      try IndexedLines.describe(indexing.index, names)
        == Array(IndexedLines.description.prefix(2)))
    #expect(!indexing.isComplete)
    #expect(indexing.progress.done < IndexedLines.start + 160)
    gate.withLock { $0.isOpen = true }
    gate.signal()
    try indexing.wait()
    #expect(indexing.isComplete)
    #expect(try IndexedLines.describe(indexing.index, names) == IndexedLines.description)
  }

  @Test("A log that grows from any byte on is indexed to its new end")
  func growth() throws {
    let bytes = Array(IndexedLines.text.utf8)
    for size in IndexedLines.start...bytes.count {
      try folder.replace("log.jsonl", with: bytes[..<size])
      let names = LogNames()
      let indexing = try indexing(names, threads: 2, pieceSize: 60)
      try indexing.wait()
      // A last line without a newline counts if it is whole.
      let ends = bytes.indices.filter { bytes[$0] == 0x0A && $0 > IndexedLines.start }
      let whole = ends.filter { $0 <= size }.count
      let stepCount = [0, 1, 2, 2, 2, 3, 4, 4][whole]
      #expect(indexing.index.count == stepCount, "\(size) bytes")
      try folder.append(String(decoding: bytes[size...], as: UTF8.self), to: "log.jsonl")
      #expect(try indexing.resume() == (size < bytes.count))
      try indexing.wait()
      let found = try IndexedLines.describe(indexing.index, names)
      #expect(found == IndexedLines.description, "from \(size) bytes")
      #expect(try !indexing.resume())
    }
  }

  @Test("Lines that are appended during a scan are indexed by the next one")
  func growthDuringScan() throws {
    let folder = folder
    let line = SampleLog.summed(#"{"future":1}"#)
    let appended = Monitor(0)
    let names = LogNames()
    let indexing = try indexing(names, pieceSize: 100) { piece in
      guard piece < 3 else { return }
      do { try folder.append(line, to: "log.jsonl") } catch { Issue.record(error) }
      appended.withLock { $0 += 1 }
    }
    try indexing.wait()
    #expect(appended.withLock { $0 } == 3)
    #expect(try IndexedLines.describe(indexing.index, names) == IndexedLines.description)
    #expect(indexing.progress.done == IndexedLines.text.utf8.count)
    #expect(try indexing.resume())
    try indexing.wait()
    #expect(
      try IndexedLines.describe(indexing.index, names).filter { !$0.hasPrefix("end") }
        == Array(
          IndexedLines.description.prefix(4) + ["line 9: end", "line 10: end", "line 11: end"]
            + IndexedLines.description[4...5]))
  }

  @Test("A log that becomes shorter during a scan is an error of the wait, and stays readable")
  func shrinks() throws {
    let path = path
    let names = LogNames()
    let indexing = try indexing(names, pieceSize: 100) { piece in
      guard piece == 1 else { return }
      do {
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 150)
      } catch {
        Issue.record(error)
      }
    }
    let error = #expect(throws: LogError.self) { try indexing.wait() }
    #expect(error?.reason == .shrunk(line: nil))
    #expect(
      try IndexedLines.describe(indexing.index, names)
        == Array(IndexedLines.description.prefix(2)))
  }

  @Test("A cancelled scan ends with the pieces that were taken, and goes on when it is resumed")
  func cancel() throws {
    let names = LogNames()
    let started = Monitor(LogIndexing?.none)
    let cancellations = Monitor(0)
    let indexing = try indexing(names, pieceSize: 100) { piece in
      guard piece == 1, cancellations.withLock({ $0 }) == 0 else { return }
      started.waitUntil({ $0 != nil }) { $0?.cancel() }
      cancellations.withLock { $0 += 1 }
    }
    started.withLock { $0 = indexing }
    started.signal()
    try indexing.wait()
    started.withLock { $0 = nil }
    #expect(!indexing.isComplete)
    #expect(
      try IndexedLines.describe(indexing.index, names)
        == Array(IndexedLines.description.prefix(2) + IndexedLines.description[4...5]))
    try folder.append(SampleLog.summed(#"{"future":1}"#), to: "log.jsonl")
    #expect(try indexing.resume())
    try indexing.wait()
    #expect(indexing.isComplete)
    #expect(indexing.index.count == 4)
  }
}
