import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

@Suite("The places of a saved index")
struct SidecarPlaceTests {
  private let folder: TemporaryFolder
  /// With this name, no index can be beside the log, whoever runs the test.
  private let path: String
  private let cache: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write(
      SampleLog.text.utf8, to: String(repeating: "a", count: 246) + ".jsonl")
    cache = folder.url.path(percentEncoded: false) + "/caches/flux-inspect"
  }

  private func opened(cache: String?) throws -> LogFile {
    var place = LogPlace(path)
    place.indexCache = cache
    let log = try LogFile.open(place)
    try log.waitForIndex()
    return log
  }

  private func isStored(_ log: LogFile) -> Bool {
    guard case .stored = log.indexing.index.blocks.first else { return false }
    return true
  }

  @Test("The name in the cache has the name of the log and a hash of its real path")
  func name() {
    #expect(SidecarPlace.name(ofLogAt: "/logs/todo.jsonl") == "todo.jsonl-9cbf104445a1648a.idx")
    #expect(SidecarPlace.name(ofLogAt: "/old/todo.jsonl") == "todo.jsonl-cb48c5b9333d818c.idx")
    let long = SidecarPlace.name(ofLogAt: "/" + String(repeating: "日", count: 85))
    #expect(long.utf8.count == 180)
  }

  @Test("An index that cannot be beside the log goes to the cache, and is used from there")
  func cached() throws {
    #expect(throws: LogError.self) { try opened(cache: nil).saveIndex() }
    #expect(try opened(cache: cache).saveIndex())
    let name = try SidecarPlace.name(ofLogAt: RealPath.of(path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache) == [name])
    #expect(try FileStatus(path: cache)?.permissions == 0o700)
    #expect(try FileStatus(path: "\(cache)/\(name)")?.permissions == 0o600)
    #expect(try isStored(opened(cache: cache)))
    #expect(try !isStored(opened(cache: nil)))
  }

  @Test("Another name of the log leads to the same index")
  func link() throws {
    #expect(try opened(cache: cache).saveIndex())
    let link = folder.url.path(percentEncoded: false) + "/link.jsonl"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    var place = LogPlace(link)
    place.indexCache = cache
    #expect(try isStored(LogFile.open(place)))
  }

  @Test("An index in the cache counts only if it belongs to the log, and is whole")
  func damaged() throws {
    #expect(try opened(cache: cache).saveIndex())
    let index = try "\(cache)/\(SidecarPlace.name(ofLogAt: RealPath.of(path)))"
    let bytes = try #require(FileManager.default.contents(atPath: index))
    for place in stride(from: 0, to: 60, by: 7) {
      var damaged = bytes
      damaged[damaged.startIndex + place] ^= 1
      try damaged.write(to: URL(filePath: index))
      #expect(try !isStored(opened(cache: cache)), "byte \(place)")
    }
    try bytes.write(to: URL(filePath: index))
    #expect(try isStored(opened(cache: cache)))
    // The same bytes at another time are another log.
    try FileManager.default.setAttributes([.modificationDate: Date.distantPast], ofItemAtPath: path)
    #expect(try !isStored(opened(cache: cache)))
    // A link to a good index may have been planted.
    #expect(try opened(cache: cache).saveIndex())
    try FileManager.default.moveItem(atPath: index, toPath: index + ".moved")
    try FileManager.default.createSymbolicLink(
      atPath: index, withDestinationPath: index + ".moved")
    #expect(try !isStored(opened(cache: cache)))
  }

  @Test("Source lines are added to the index in the cache")
  func sources() throws {
    #expect(try opened(cache: cache).saveIndex())
    let log = try opened(cache: cache)
    let sources = SourceColumn(
      texts: ["App/Main.swift:3"], numbers: Array(repeating: 1, count: log.count))
    #expect(try log.storeSources(sources))
    #expect(try opened(cache: cache).storedSources() == sources)
  }

  @Test(
    "A variable of the environment turns indexes off",
    arguments: [("off", false), ("0", false), ("on", true), ("1", true), ("", true)])
  func variable(value: String, isOn: Bool) {
    #expect(IndexSwitch.isOn(value) == isOn)
  }

  @Test("The indexes that a process saved automatically are listed")
  func listed() throws {
    let small = try folder.write(SampleLog.text.utf8, to: "small.jsonl")
    var options = LogFile.Options()
    options.threads = 2
    options.indexing.pieceSize = 100
    options.indexing.largeByteCount = 0
    try LogFile.open(small, options: options).waitForIndex()
    LogFile.waitForSaves()
    #expect(LogFile.savedIndexes.contains(small + ".idx"))
  }
}
