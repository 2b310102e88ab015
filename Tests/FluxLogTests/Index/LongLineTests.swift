import FluxJSON
import TestFixtures
import Testing

@testable import FluxLog

/// Lines that are longer than the limit.
@Suite struct LongLineTests {
  private static let limit = 1000
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ text: String, pieceSize: Int = 256) throws -> LogFile {
    var options = LogFile.Options()
    options.threads = 1
    options.indexing.pieceSize = pieceSize
    options.indexing.longestLine = Self.limit
    let log = try LogFile.open(try folder.write(text.utf8, to: "log.jsonl"), options: options)
    try log.waitForIndex()
    return log
  }

  /// Returns a step line of that many bytes, without its newline.
  private static func step(_ number: Int, byteCount: Int = 100) -> String {
    let line = { (type: String) in
      SampleLog.summed(#"{"n":\#(number),"t":1,"action":{"type":"\#(type)"}}"#)
    }
    return line(String(repeating: "x", count: byteCount + 1 - line("").utf8.count))
  }

  private static let header = SampleLog.summed(#"{"flux":"1.0"}"#)
  private static let end = SampleLog.summed(#"{"end":{"steps":3,"ok":true}}"#)

  private static func log(second: Int) -> String {
    header + step(1) + step(2, byteCount: second) + step(3) + end
  }

  private static func finding(_ byteCount: Int) -> Finding {
    Finding(
      problem: .lineTooLong(byteCount: byteCount, limit: limit), line: 3, step: 2, byte: limit)
  }

  @Test("The message has the line, its size, the limit and the way to raise it")
  func message() {
    #expect(
      Self.finding(5000).description == """
        line 3, step 2, byte 1000: the line has 5000 bytes, and at most 1000 are read; set \
        FLUX_MEMORY_LIMIT to more megabytes to raise the limit
        """)
    // No variable raises the limit of the JSON engine.
    let largest = LineProblem.lineTooLong(byteCount: nil, limit: JSON.maximumByteCount)
    #expect(
      largest.message == "the line has more than 4294967295 bytes, and at most 4294967295 are read")
  }

  @Test(
    "A line may be as long as the limit; one that is longer is one finding, and the next is read",
    arguments: [limit, limit + 1, 5 * limit], [256, 640, 1000])
  func tooLong(byteCount: Int, pieceSize: Int) throws {
    let log = try open(Self.log(second: byteCount), pieceSize: pieceSize)
    let isRead = byteCount <= Self.limit
    #expect(log.findings == (isRead ? [] : [Self.finding(byteCount)]))
    let (steps, errors) = log.allSteps()
    #expect(errors == [])
    #expect(steps.map(\.number) == (isRead ? [1, 2, 3] : [1, 3]))
    #expect(try Timeline(log).check() == log.findings)
  }

  @Test("A last line without a newline that is too long is damage, because it may be sound")
  func torn() throws {
    let log = try open(Self.header + Self.step(1) + Self.step(2, byteCount: 5000).dropLast())
    #expect(
      log.findings == [
        Self.finding(5000),
        Finding(problem: .noEnd, line: 4),
      ])
    #expect(log.count == 1)
  }

  @Test("A header that is too long is refused, and not read to its end")
  func header() throws {
    let text = #"{"flux":"1.0","app":{"name":"\#(String(repeating: "x", count: 5000))"}}"#
    for end in ["", "\n", "\n" + Self.step(1)] {
      let error = #expect(throws: LogError.self) { try open(text + end) }
      #expect(
        error?.reason
          == .notALog(.lineTooLong(byteCount: nil, limit: Self.limit), byte: Self.limit))
    }
  }

  @Test("A repair drops the line, and the copy is sound")
  func repair() throws {
    let report = try Timeline(open(Self.log(second: 5000))).repair(to: folder.path("copy.jsonl"))
    #expect(report.droppedLines == 1)
    let end = SampleLog.summed(#"{"end":{"steps":2,"ok":true}}"#)
    let gap = SampleLog.summed(#"{"gap":{"from":2,"to":2,"why":"damaged"}}"#)
    #expect(
      try folder.text(of: "copy.jsonl")
        == Self.header + Self.step(1) + gap + Self.step(3) + end)
  }

  @Test("A long torn line is in memory once", arguments: [true, false])
  func tornOnce(isReadable: Bool) throws {
    // A line without its newline can be read; a shorter one cannot.
    let torn = Self.step(2, byteCount: 5000).dropLast(isReadable ? 1 : 100)
    let text = Self.header + Self.step(1) + torn
    let path = try folder.write(text.utf8, to: "log.jsonl")
    var scanner = PieceScanner(
      file: try OpenFile(reading: path), fileSize: text.utf8.count, longestLine: 10_000,
      longLength: 200, names: LogNames())
    let piece = try scanner.scan(
      Self.header.utf8.count..<text.utf8.count, startsLine: true, includesUnterminated: true)
    #expect(piece.block.count == (isReadable ? 2 : 1))
    #expect(piece.lineCount == 2)
    #expect(piece.block.end == text.utf8.count)
    #expect(scanner.longLine?.text.count == torn.utf8.count)
    #expect(scanner.bufferByteCount == 201)
  }

  @Test("The reader of lines has no copy of a long line", arguments: ["", "\nx\n"])
  func readOnce(end: String) throws {
    let long = String(repeating: "a", count: 600_000)
    let path = try folder.write("first\n\(long)\(end)".utf8, to: "lines")
    var reader = LineReader(
      try OpenFile(reading: path), longestLine: 1 << 20, longLength: 300_000)
    #expect(try reader.next().map { String(decoding: $0, as: UTF8.self) } == "first")
    #expect(try reader.next()?.elementsEqual(long.utf8) == true)
    #expect(reader.buffer.isEmpty)
    #expect(try reader.next().map(Array.init) == (end.isEmpty ? nil : [UInt8(ascii: "x")]))
    #expect(reader.number == (end.isEmpty ? 2 : 3))
  }

  @Test(
    "Lines up to the limit are read whole, and longer ones in part",
    arguments: [3, 1000], [1, 4, 1000])
  func lines(limit: Int, longLength: Int) throws {
    let path = try folder.write("ab\nabc\n\nabcd\nabcdefgh\nx\nabcdefgh".utf8, to: "lines")
    var reader = LineReader(
      try OpenFile(reading: path), longestLine: limit, longLength: longLength)
    var lines: [String] = []
    while let line = try reader.next() {
      lines.append(
        "\(reader.number) \(String(decoding: line, as: UTF8.self))"
          + (reader.tooLong.map { "… of \($0)" } ?? ""))
    }
    let short = ["1 ab", "2 abc", "3 "]
    let beginning = longLength == 1 ? "ab" : "abcd"
    #expect(
      lines
        == (limit == 3
          ? short + [
            "4 \(beginning)… of 4", "5 \(beginning)… of 8", "6 x", "7 \(beginning)… of 8",
          ]
          : short + ["4 abcd", "5 abcdefgh", "6 x", "7 abcdefgh"]))
  }
}
