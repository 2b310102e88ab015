import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct SourceColumnTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write(SampleLog.text.utf8, to: "a.jsonl")
  }

  private func column(_ texts: [String?]) -> SourceColumn {
    texts.reduce(into: SourceColumn()) { $0.append($1) }
  }

  /// A column for all steps of the log.
  private func column(of log: LogFile) -> SourceColumn {
    column((0..<log.count).map { $0 % 3 == 0 ? nil : "A.swift:\($0 % 3)" })
  }

  @Test("each text is kept once, and steps have its number")
  func appends() {
    let column = column(["a", nil, "b", "a"])
    #expect(column.texts == ["a", "b"])
    #expect(column.numbers == [1, 0, 2, 1])
  }

  @Test("source lines are kept behind the index, and the index stays as it is")
  func stored() throws {
    let log = try LogFile.opened(path)
    #expect(log.storedSources() == nil)
    #expect(try !log.storeSources(column(of: log)))
    #expect(try log.saveIndex())
    let index = try folder.bytes(of: "a.jsonl.idx")
    #expect(log.storedSources() == nil)
    #expect(try log.storeSources(column(of: log)))
    #expect(try folder.bytes(of: "a.jsonl.idx").starts(with: index))
    let again = try LogFile.opened(path)
    #expect(again.storedSources() == column(of: log))
    guard case .stored = again.indexing.index.blocks.first else {
      Issue.record("the index was not used")
      return
    }
    // Written again, it replaces the section.
    let other = column((0..<log.count).map { "B.swift:\($0)" })
    #expect(try again.storeSources(other))
    #expect(try LogFile.opened(path).storedSources() == other)
    #expect(try LogFile.opened(path, usesSidecar: false).storedSources() == nil)
  }

  @Test("a section that does not belong to the log is left out, and the index is used all the same")
  func damaged() throws {
    let log = try LogFile.opened(path)
    #expect(try log.saveIndex())
    let index = try folder.bytes(of: "a.jsonl.idx")
    #expect(try log.storeSources(column(of: log)))
    let whole = try folder.bytes(of: "a.jsonl.idx")
    for place in index.count..<whole.count {
      var bytes = whole
      bytes[place] ^= 0x41
      try folder.replace("a.jsonl.idx", with: bytes)
      #expect(try LogFile.opened(path).storedSources() == nil, "byte \(place)")
      try folder.replace("a.jsonl.idx", with: whole.prefix(place))
      #expect(try LogFile.opened(path).storedSources() == nil, "\(place) bytes")
    }
    guard case .stored = try LogFile.opened(path).indexing.index.blocks.first else {
      Issue.record("the index was not used")
      return
    }
    // A column of another number of steps.
    #expect(try !log.storeSources(column(["a"])))
  }

  @Test("after a change of the log the source lines are not used")
  func changed() throws {
    let log = try LogFile.opened(path)
    #expect(try log.saveIndex())
    #expect(try log.storeSources(column(of: log)))
    try folder.write(Array(SampleLog.text.utf8) + Array("\n".utf8), to: "a.jsonl")
    #expect(try LogFile.opened(path).storedSources() == nil)
  }
}
