import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct SidecarTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write(SampleLog.text.utf8, to: "a.jsonl")
  }

  /// All answers of an index.
  private func answers(_ log: LogFile) throws -> [String] {
    var answers = ["\(log.count) \(log.findings) \(log.gaps) \(log.marks) \(log.breaks)"]
    answers.append("\(String(describing: log.end)) \(log.unknownLineCount) \(log.storeNames)")
    answers.append("\(try log.typeCounts().sorted { $0.type < $1.type })")
    for position in 0..<log.count {
      let step = try log.step(at: position)
      answers.append("\(step.number) \(step.action)")
      answers.append("\(try log.lineNumber(at: position) ?? 0)")
      answers.append("\(String(describing: try log.shape(at: position)))")
      answers.append("\(try log.type(at: position) ?? "")")
    }
    return answers
  }

  @Test("A saved index gives the same answers", arguments: [40, 100, 1 << 20])
  func saved(pieceSize: Int) throws {
    let log = try LogFile.opened(path, pieceSize: pieceSize)
    #expect(try log.saveIndex())
    let again = try LogFile.opened(path)
    // Its blocks are the saved ones and are not read yet.
    let isStored = again.indexing.index.blocks.allSatisfy {
      if case .stored = $0 { true } else { false }
    }
    #expect(isStored)
    #expect(try answers(again) == answers(log))
  }

  @Test("An index keeps that the recording continues in another segment")
  func continued() throws {
    var lines = SampleLog.lines
    lines[lines.count - 1] = #"{"end":{"steps":7,"ok":true,"continued":true}}"#
    _ = try folder.write(lines.map(SampleLog.summed).joined().utf8, to: "a.jsonl")
    #expect(try LogFile.opened(path).saveIndex())
    let again = try LogFile.opened(path)
    #expect(again.end == LogEnd(steps: 7, isComplete: true, isContinued: true))
    guard case .stored = again.indexing.index.blocks.first else {
      Issue.record("the index was not used")
      return
    }
  }

  @Test("Types that a block adds when it is read are counted")
  func lateTypes() throws {
    let log = try LogFile.opened(path)
    #expect(try log.saveIndex())
    let again = try LogFile.opened(path)
    again.names.restore(types: [], shapes: again.names.shapes)
    let expected = try log.typeCounts().map { "\($0)" }.sorted()
    #expect(try again.typeCounts().map { "\($0)" }.sorted() == expected)
  }

  @Test("Several threads can save at once")
  func concurrent() throws {
    let log = try LogFile.opened(path, pieceSize: 100)
    let saved = Monitor(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let result = Result { () throws(LogError) in try log.saveIndex() }
      if case .success(true) = result { saved.withLock { $0 += 1 } }
    }
    #expect(saved.withLock { $0 } == 8)
    #expect(try answers(LogFile.opened(path)) == answers(log))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path()).sorted()
    #expect(files == ["a.jsonl", "a.jsonl.idx"])
  }

  @Test("Unfinished index files are removed, and nothing else")
  func leftovers() throws {
    let left = try folder.write("FLUXIDX4", to: "a.jsonl.idx.0123456789abcdef.unfinished")
    // A save in progress has locked its file.
    let busy = try ReplacementFile(for: path + ".idx", permissions: 0o600)
    #expect(try LogFile.opened(path).saveIndex())
    #expect(!FileManager.default.fileExists(atPath: left))
    let expected = ["a.jsonl", "a.jsonl.idx", URL(filePath: busy.path).lastPathComponent]
    #expect(try folder.names() == expected.sorted())
  }

  @Test("A process that waits for saves ends after the index of a large log is saved")
  func savesLarge() throws {
    var options = LogFile.Options()
    options.threads = 2
    options.indexing.pieceSize = 100
    options.indexing.largeByteCount = 0
    let log = try LogFile.open(path, options: options)
    try log.waitForIndex()
    LogFile.waitForSaves()
    #expect(try folder.names() == ["a.jsonl", "a.jsonl.idx"])
    #expect(try answers(LogFile.opened(path)) == answers(log))
  }

  @Test("The index of a log that has changed is not used")
  func changed() throws {
    #expect(try LogFile.opened(path).saveIndex())
    let edited = SampleLog.text.replacing("half way", with: "all done")
    _ = try folder.write(edited.utf8, to: "a.jsonl")
    #expect(try LogFile.opened(path).findings.map(\.line) == [4])
    _ = try folder.write(SampleLog.text.dropLast(40).utf8, to: "a.jsonl")
    #expect(try LogFile.opened(path).isTorn)
  }

  @Test("The index of a log that was edited in place, with the same size and time, is not used")
  func edited() throws {
    let filler = (1...200).map { #"{"mark":"filler \#(1_000 + $0)","t":0.250000}"# }
    var lines = SampleLog.lines
    lines.insert(contentsOf: filler, at: 4)
    let text = lines.map(SampleLog.summed).joined()
    _ = try folder.write(text.utf8, to: "a.jsonl")
    #expect(try LogFile.opened(path).saveIndex())
    let before = try FileManager.default.attributesOfItem(atPath: path)
    _ = try folder.write(text.replacing("half way", with: "all done").utf8, to: "a.jsonl")
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(before[.modificationDate])], ofItemAtPath: path)
    #expect(try LogFile.opened(path).findings.map(\.line) == [4])
  }

  @Test("A log with findings gets no index")
  func findings() throws {
    _ = try folder.write(SampleLog.text.replacing("half way", with: "all done").utf8, to: "a.jsonl")
    #expect(try !LogFile.opened(path).saveIndex())
    #expect(!FileManager.default.fileExists(atPath: path + ".idx"))
  }

  @Test("An option turns the saved index off")
  func unused() throws {
    #expect(try LogFile.opened(path).saveIndex())
    var options = LogFile.Options()
    options.usesSidecar = false
    let log = try LogFile.open(path, options: options)
    try log.waitForIndex()
    if case .stored = log.indexing.index.blocks.first { Issue.record("the index was used") }
  }

  @Test("A folder that cannot be written is an error only if saving was requested")
  func unwritable() throws {
    let log = try LogFile.opened(path)
    // A folder at the path of the index cannot be replaced.
    try FileManager.default.createDirectory(
      atPath: path + ".idx", withIntermediateDirectories: false)
    #expect(throws: LogError.self) { try log.saveIndex() }
    #expect(try answers(LogFile.opened(path)) == answers(log))
  }

  @Test("A search for types and shapes reads nothing else of the index or the log")
  func columns() throws {
    let log = try LogFile.opened(path)
    #expect(try log.saveIndex())
    let types = try log.typeCounts().map { "\($0)" }
    // The last byte of a block is not in a column.
    var bytes = try folder.bytes(of: "a.jsonl.idx")
    bytes[bytes.count - 1] ^= 1
    _ = try folder.write(bytes, to: "a.jsonl.idx")
    let again = try LogFile.opened(path)
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: UInt64(log.headerText.count))
    #expect(try again.typeCounts().map { "\($0)" } == types)
    #expect(try again.firstPosition(in: 0..<log.count) { $0 == "none" } == nil)
    #expect(try again.shape(at: 0) == log.shape(at: 0))
    #expect(throws: LogError.self) { try again.lineNumber(at: 0) }
  }

  @Test("An index with another layout version is replaced")
  func version() throws {
    let log = try LogFile.opened(path)
    #expect(try log.saveIndex())
    let bytes = try folder.bytes(of: "a.jsonl.idx")
    #expect(Array(bytes.prefix(8)) == Array("FLUXIDX5".utf8))
    var older = bytes
    older[7] = UInt8(ascii: "2")
    _ = try folder.write(older, to: "a.jsonl.idx")
    let again = try LogFile.opened(path)
    if case .stored = again.indexing.index.blocks.first { Issue.record("the index was used") }
    #expect(try answers(again) == answers(log))
    #expect(try again.saveIndex())
    #expect(try folder.bytes(of: "a.jsonl.idx") == bytes)
  }

  @Test("With any byte of the index wrong, or cut at any place, the answers are right")
  func damage() throws {
    let log = try LogFile.opened(path, pieceSize: 300)
    #expect(try log.saveIndex())
    let expected = try answers(log)
    let bytes = try folder.bytes(of: "a.jsonl.idx")
    for place in stride(from: 0, to: bytes.count, by: 3) {
      var damaged = bytes
      damaged[place] ^= 1 << (place % 8)
      try folder.replace("a.jsonl.idx", with: damaged)
      #expect(try answers(LogFile.opened(path)) == expected, "byte \(place)")
      try folder.replace("a.jsonl.idx", with: bytes[..<place])
      #expect(try answers(LogFile.opened(path)) == expected, "cut at \(place)")
    }
  }
}
