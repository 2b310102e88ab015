import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct LogFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ text: String, _ name: String = "a.jsonl") throws -> LogFile {
    try LogFile.opened(try folder.write(text.utf8, to: name))
  }

  @Test("A control character ends a header of any length, before more of the file is read")
  func controlCharacter() throws {
    let beginning = #"{"flux":"1.1","name":""# + String(repeating: "x", count: 50_000)
    let text = beginning + "\0" + String(repeating: "y", count: 300_000)
    let file = try OpenFile(reading: try folder.write(text, to: "control.jsonl"))
    let error = #expect(throws: LogError.self) {
      _ = try HeaderLine(file: file, size: text.utf8.count, longestLine: 200_000)
    }
    guard case .notALog(_, let byte) = error?.reason else {
      Issue.record("\(error.map { "\($0)" } ?? "no error")")
      return
    }
    #expect(byte == beginning.utf8.count)
  }

  @Test("A log is read as it was written")
  func sample() throws {
    let log = try open(SampleLog.text)
    #expect(log.header.stores.map(\.name) == ["todos", "search"])
    #expect(log.count == 7)
    #expect((0..<7).map { log.number(at: $0) } == [1, 2, 3, 4, 5, 10, 11])
    #expect(log.allSteps().steps == [1, 2, 3, 4, 5, 10, 11].map { SampleLog.steps[$0] })
    #expect((0..<7).map { log.lineNumber(at: $0) } == [2, 3, 5, 6, 7, 9, 11])
    #expect(log.marks.map(\.mark.text) == ["half way"])
    #expect(log.marks.map(\.position) == [2])
    let gap = LogGap(from: 6, through: 9, why: .paused)
    #expect(log.gaps == [RecordedGap(gap: gap, position: 5, line: 8)])
    #expect(log.breaks == [LogBreak(position: 5, kind: .gap)])
    #expect(log.unknownLineCount == 1)
    #expect(log.end == LogEnd(steps: 7, isComplete: true))
    #expect(log.findings == [])
    #expect(!log.isTorn)
  }

  @Test("The stores of lines that are not usable are not the log's", arguments: [64, 1 << 21])
  func storesOfUnusableLines(pieceSize: Int) throws {
    func step(_ number: Int, _ states: String) -> String {
      SampleLog.summed(
        #"{"n":\#(number),"t":0.00000\#(number),"action":{"type":"a"},"states":{\#(states)}}"#)
    }
    let other = step(1, #""other":1,"late":2"#)
    for (lines, stores, counts) in [
      ([], ["search", "todos"], nil),
      ([step(1, #""early":1"#)], ["early", "search", "todos"], nil),
      ([step(1, #""early":1"#), other], ["early", "search", "todos"], [1]),
      (
        [step(1, #""early":1"#), other, step(2, #""late":1"#)],
        ["early", "late", "search", "todos"], [1, 1]
      ),
      ([other, step(1, #""early":1"#)], ["late", "other", "search", "todos"], [1]),
    ] as [([String], [String], [Int]?)] {
      let text = ([SampleLog.summed(SampleLog.header)] + lines).joined()
      let log = try LogFile.opened(
        try folder.write(text.utf8, to: "stores.jsonl"), pieceSize: pieceSize)
      #expect(log.storeNames == stores)
      #expect(log.indexing.index.shapeCounts.map { $0.filter { $0 > 0 } } == counts)
      #expect(log.hasStore("other") == stores.contains("other"))
    }
  }

  @Test("The outline of a line with a sum equals the parsed line without it")
  func outline() throws {
    let summed = try open(SampleLog.text)
    let parsed = try open(SampleLog.lines.joined(separator: "\n"), "b.jsonl")
    #expect(parsed.findings == [])
    for position in 0..<7 {
      #expect(summed.type(at: position) == parsed.type(at: position))
      #expect(summed.shape(at: position) == parsed.shape(at: position))
      #expect(try summed.step(at: position) == parsed.step(at: position))
    }
    #expect(
      summed.shape(at: 2)
        == StepShape(
          writes: [.init(store: "search", kind: .whole), .init(store: "todos", kind: .patch)],
          isRejected: false, hasCause: true))
  }

  @Test("The nth action of a type is found, with the number of matches")
  func ranks() throws {
    let log = try LogFile.opened(
      try folder.write(SampleLog.text.utf8, to: "ranks.jsonl"), pieceSize: 300)
    let isAdd = { (type: String) in type == "todo/add" }
    for (rank, range, position, count) in [
      (1, 0..<7, 0, 1), (2, 0..<7, 2, 2), (3, 0..<99, 5, 3), (4, 0..<7, nil, 3),
      (1, 1..<7, 2, 1), (2, 1..<5, nil, 1), (1, 6..<7, nil, 0), (1, 7..<7, nil, 0),
      (0, 0..<7, nil, 0),
    ] as [(Int, Range<Int>, Int?, Int)] {
      let found = log.position(ofRank: rank, in: range, typeWhere: isAdd)
      #expect(found == (position, count), "rank \(rank) in \(range)")
    }
    #expect(log.position(ofRank: 7, in: 0..<7) { _ in true } == (6, 7))
    #expect(log.position(ofRank: 1, in: 0..<7) { _ in false } == (nil, 0))
  }

  @Test("Positions, numbers and times map to each other")
  func positions() throws {
    let log = try open(SampleLog.text)
    #expect(log.position(atOrBefore: UInt64(0)) == nil)
    #expect(
      [1, 5, 6, 9, 10, 11, 99].map { log.position(atOrBefore: $0) } == [0, 4, 4, 4, 5, 6, 6])
    #expect(try log.step(number: 10).number == 10)
    #expect(throws: LogError(path: log.path, reason: .noSuchStep(7, in: 1...11))) {
      try log.step(number: 7)
    }
    #expect(throws: LogError(path: log.path, reason: .noSuchStep(8, in: 1...11))) {
      try log.step(at: 7)
    }
    #expect(throws: LogError.self) { try log.step(at: -1) }
    let times: [UInt64] = [0, 100_000, 299_999, 300_000, 999_999, 5_000_000]
    #expect(
      try times.map { try log.position(atOrBefore: LogTime(microseconds: $0)) }
        == [nil, 0, 1, 3, 4, 6])
  }

  @Test("Types and writes are found in both directions")
  func search() throws {
    let log = try open(SampleLog.text)
    #expect(
      Dictionary(uniqueKeysWithValues: log.typeCounts().map { ($0.type, $0.count) }) == [
        "todo/add": 3, "search/setup": 1, "nothing": 1, "bad": 1, "search/close": 1,
      ])
    #expect(log.position(in: 1..<7) { $0 == "todo/add" } == 2)
    #expect(log.position(in: 0..<7, .backwards) { $0.hasPrefix("todo/") } == 5)
    #expect(log.position(in: 0..<5, .backwards) { $0 == "todo/add" } == 2)
    #expect(log.position(in: 0..<7) { $0 == "none" } == nil)
    #expect(log.position(in: 0..<99) { $0.hasPrefix("search/") } == 1)
    #expect(log.position(in: 0..<7, shapeWhere: \.isRejected) == 4)
    #expect(log.position(in: 0..<7, .backwards) { $0.kind(of: "todos") != nil } == 5)
    #expect(log.position(in: 0..<5, .backwards) { $0.kind(of: "todos") != nil } == 2)
    #expect(log.position(in: 0..<5, .backwards) { $0.kind(of: "todos") == .whole } == nil)
    #expect(log.position(in: 0..<7, .backwards) { $0.kind(of: "search") == .removal } == 6)
    #expect(log.storeNames == ["search", "todos"])
  }

  @Test("CRLF, blank lines, a byte order mark and missing sums are accepted")
  func leniency() throws {
    let text = "\u{FEFF}" + SampleLog.lines.joined(separator: "\r\n\r\n \n")
    let log = try open(text)
    #expect(log.allSteps().steps == [1, 2, 3, 4, 5, 10, 11].map { SampleLog.steps[$0] })
    #expect(log.findings == [Finding(problem: .byteOrderMark, line: 1)])
    #expect(log.lineNumber(at: 0) == 4)
    let sums = try open(SampleLog.text.replacing("\n", with: "\r\n"), "b.jsonl")
    #expect(sums.findings == [])
    #expect(sums.count == 7)
  }

  @Test("U+2028 and lone surrogates do not end a line and stay unchanged")
  func oddities() throws {
    let odd = #"{"n":1,"t":0.0,"action":{"type":"a\#u{2028}b","payload":"\ud800"}}"#
    let log = try open(SampleLog.header + "\n" + SampleLog.summed(odd))
    let step = try log.step(at: 0)
    #expect(step.type == "a\u{2028}b")
    #expect(step.payload?.text == #""\ud800""#)
    #expect(log.type(at: 0) == "a\u{2028}b")
  }

  @Test("An action's type may have escapes")
  func escapes() throws {
    let line = #"{"n":1,"t":0.000000,"action":{"type":"a\"\u0062"}}"#
    let log = try open(SampleLog.header + "\n" + SampleLog.summed(line))
    #expect(log.type(at: 0) == #"a"b"#)
  }

  @Test("Nesting beyond the limit is damage of that line, with its byte")
  func deep() throws {
    let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
    let lines = [
      SampleLog.lines[0], #"{"n":1,"t":0,"action":{"type":"a","payload":\#(deep)}}"#,
      #"{"n":2,"t":0,"action":{"type":"a"}}"#,
    ]
    let log = try open(lines.joined(separator: "\n"))
    let error = JSONError(byte: 554, reason: .tooDeep)
    #expect(
      log.findings == [
        Finding(problem: .notJSON(error), line: 2, step: 1, byte: 554),
        Finding(problem: .noEnd, line: 4),
      ])
    #expect(log.allSteps().steps.map(\.number) == [2])
    #expect(log.breaks == [LogBreak(position: 0, kind: .damage)])
  }

  @Test(
    "Nesting beyond the limit under a right sum is found when the step is asked for, wherever it is",
    arguments: [
      #""action":{"type":"a","payload":DEEP}"#,
      #""action":{"type":"a"},"states":{"todos":DEEP}"#,
      #""action":{"type":"a"},"patches":{"todos":[{"op":"replace","path":"","value":DEEP}]}"#,
    ])
  func deepUnderSum(members: String) throws {
    let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
    let lines = [
      SampleLog.lines[0], #"{"n":1,"t":0.000000,"# + members.replacing("DEEP", with: deep) + "}",
      #"{"n":2,"t":0.000000,"action":{"type":"b"}}"#,
    ]
    let log = try open(lines.map(SampleLog.summed).joined())
    #expect(log.type(at: 0) == "a")
    let (steps, errors) = log.allSteps()
    #expect(steps.map(\.type) == ["b"])
    #expect(errors.map(\.line) == [2] && errors.map(\.step) == [1])
    // Reading states must not crash or invent one.
    let timeline = Timeline(log)
    for position in timeline.positions {
      _ = Result { () throws(LogError) in try timeline.state(of: "todos", at: position) }
    }
  }

  @Test(
    "Stretches of any size, and any number of threads, give the same index",
    arguments: [1, 2, 3, 10, 50, 100, 177, 500, 10_000], 1...3)
  func stretches(pieceSize: Int, threads: Int) throws {
    let path = try folder.write(SampleLog.text.utf8, to: "a.jsonl")
    let log = try LogFile.opened(path, threads: threads, pieceSize: pieceSize)
    #expect(log.findings == [])
    #expect(log.count == 7)
    #expect(log.allSteps().steps == [1, 2, 3, 4, 5, 10, 11].map { SampleLog.steps[$0] })
    #expect((0..<7).map { log.lineNumber(at: $0) } == [2, 3, 5, 6, 7, 9, 11])
    #expect(log.position(in: 0..<7, .backwards) { $0.kind(of: "todos") != nil } == 5)
    #expect(log.breaks == [LogBreak(position: 5, kind: .gap)])
  }

  @Test("A newer minor version is read with a warning")
  func newerMinor() throws {
    let log = try open(
      SampleLog.lines.map { $0.replacing(#""flux":"1.1""#, with: #""flux":"1.7""#) }
        .map(SampleLog.summed).joined())
    let version = FormatVersion(major: 1, minor: 7)
    #expect(log.findings == [Finding(problem: .newerMinorVersion(version), line: 1)])
    #expect(log.count == 7)
  }

  @Test("Version 1.0 is read without a warning, and its effects are unknown")
  func olderMinor() throws {
    let log = try open(#"{"flux":"1.0"}"# + "\n" + #"{"end":{"steps":0,"ok":true}}"# + "\n")
    #expect(log.findings == [])
    #expect(log.header.version == FormatVersion(major: 1, minor: 0))
    #expect(!log.header.recordsEffects)
  }

  @Test("A newer major version is refused, with file, found and supported version, and what to do")
  func newerMajor() throws {
    let path = try folder.write(#"{"flux":"2.0","stores":[]}"#.utf8, to: "new.jsonl")
    let error = #expect(throws: LogError.self) { try LogFile.open(path) }
    #expect(
      error?.message
        == """
        \(path): the log uses format 2.0, but this program reads format 1.2; update the program \
        to open the log
        """)
  }

  @Test("A log is refused if its steps write too many stores together")
  func tooManyStores() throws {
    let lines = (1...3).map { #"{"n":\#($0),"t":0,"action":{"type":"a"},"states":{"s\#($0)":1}}"# }
    let text = ([#"{"flux":"1.1","stores":{}}"#] + lines).joined(separator: "\n") + "\n"
    let path = try folder.write(text.utf8, to: "many.jsonl")
    var options = LogFile.Options()
    options.indexing.memory = MemoryLimit(byteCount: 2_000)
    #expect(try LogFile.open(path, options: options).storeNames == ["s1", "s2", "s3"])
    options.indexing.memory = MemoryLimit(byteCount: 1_900)
    let error = #expect(throws: LogError.self) { try LogFile.open(path, options: options) }
    #expect(
      error?.message
        == """
        \(path): the steps write more than 2 stores, which are too many to keep; set \
        FLUX_MEMORY_LIMIT to more megabytes to raise the limit
        """)
  }

  @Test(
    "A log is refused if its marks, gaps, damaged lines or names take too much memory",
    arguments: [
      #"{"mark":"x","t":0}"#, #"{"gap":{"from":N,"to":N,"why":"paused"}}"#, "damage",
      #"{"n":N,"t":0,"action":{"type":"type N"}}"#, #"{"n":N0,"t":0,"action":{"type":"a"}}"#,
    ])
  func lists(line: String) throws {
    let lines = (1...1000).map { line.replacing("N", with: "\($0)") }
    let text = ([#"{"flux":"1.1","stores":{}}"#] + lines).joined(separator: "\n")
    let path = try folder.write((text + "\n").utf8, to: "lists.jsonl")
    var options = LogFile.Options()
    options.indexing.memory = MemoryLimit(byteCount: 100_000)
    try LogFile.open(path, options: options).waitForIndex()
    options.indexing.memory = MemoryLimit(byteCount: 1_900)
    let error = #expect(throws: LogError.self) { try LogFile.open(path, options: options) }
    #expect(
      error?.message
        == """
        \(path): the marks, gaps, findings and names up to line 1001 take more than 7600 bytes, which \
        are too many to keep; set FLUX_MEMORY_LIMIT to more megabytes to raise the limit
        """)
    #expect(error?.line == 1001)
  }

  @Test("A file that is not a log is refused, with the reason")
  func notALog() throws {
    #expect(throws: LogError(path: "/nowhere/x", reason: .system(operation: "open", code: 2))) {
      try LogFile.open("/nowhere/x")
    }
    let empty = try folder.write([], to: "empty")
    #expect(throws: LogError(path: empty, reason: .empty)) { try LogFile.open(empty) }
    for path in ["/dev/null", "/"] {
      #expect(throws: LogError(path: path, reason: .notAFile)) { try LogFile.open(path) }
    }
    let other = try folder.write(#"{"n":1}"#.utf8, to: "other")
    let reason = LogError.Reason.notALog(.missingMember("flux"), byte: 0)
    #expect(throws: LogError(path: other, reason: reason)) { try LogFile.open(other) }
  }

  @Test(
    "A log that grows is followed, wherever its writer paused, with lines longer than stretches too",
    arguments: [1, 7, 11, 64, 1000], [20, 1 << 21])
  func following(chunk: Int, pieceSize: Int) throws {
    let bytes = Array(SampleLog.text.utf8)
    var written = SampleLog.summed(SampleLog.header).utf8.count
    let path = try folder.write(bytes[..<written], to: "grows.jsonl")
    let log = try LogFile.opened(path, pieceSize: pieceSize)
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.seekToEnd()
    while written < bytes.count {
      let end = min(written + chunk, bytes.count)
      try handle.write(contentsOf: bytes[written..<end])
      written = end
      #expect(try log.refresh())
      let anew = try LogFile.opened(path)
      #expect(log.count == anew.count)
      #expect(log.findings == anew.findings)
      #expect(log.allSteps().steps == anew.allSteps().steps)
      #expect((0..<log.count).map(log.lineNumber) == (0..<log.count).map(anew.lineNumber))
    }
    try handle.close()
    #expect(try !log.refresh())
    #expect(log.findings == [])
    #expect(log.allSteps().steps == [1, 2, 3, 4, 5, 10, 11].map { SampleLog.steps[$0] })
  }

  @Test(
    "A sound last line without its newline is a step no more where something else is appended to it"
  )
  func losesUnterminated() throws {
    let steps = [1, 2, 3].map { #"{"n":\#($0),"t":\#($0).0,"action":{"type":"a"}}"# }
    let log = try open(#"{"flux":"1.0"}"# + "\n" + steps.joined(separator: "\n"))
    #expect(log.count == 3)
    let handle = try FileHandle(forWritingTo: URL(filePath: log.path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(" x\n".utf8))
    try handle.close()
    #expect(try log.refresh())
    #expect(log.count == 2)
    #expect(log.findings.map(\.line) == [4, 5])
  }

  @Test(
    "A file of many gigabytes that is no log is told by its beginning",
    arguments: [("", 0), ("no log", 1), ("{", 1), (#"\#u{FEFF} {"flux":"1.0""#, 14)])
  func hugeFileIsNoLog(_ beginning: String, _ byte: Int) throws {
    let path = try folder.write(beginning, to: "huge.jsonl")
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: 1 << 40)
    try file.close()
    let error = #expect(throws: LogError.self) { try LogFile.open(path) }
    guard case .notALog(_, let found) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found == byte)
  }

  @Test("A text without a newline that is not an object is not read to its end")
  func textIsNoLog() throws {
    let text = String(repeating: "[1,2,3] ", count: 5_000)
    let path = try folder.write(text, to: "text.jsonl")
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: 1 << 40)
    try file.close()
    #expect(throws: LogError.self) { try LogFile.open(path) }
  }

  @Test("A file that became shorter is an error, not a crash")
  func shrunk() throws {
    let log = try open(SampleLog.text)
    let handle = try FileHandle(forWritingTo: URL(filePath: log.path))
    try handle.truncate(atOffset: 300)
    try handle.close()
    #expect(throws: LogError(path: log.path, reason: .shrunk(line: 11))) { try log.step(at: 6) }
    #expect(throws: LogError(path: log.path, reason: .shrunk(line: nil))) { try log.refresh() }
  }
}
