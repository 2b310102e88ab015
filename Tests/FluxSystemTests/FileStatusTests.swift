import FluxSystem
import Foundation
import TestFixtures
import Testing

@Suite struct FileStatusTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func status(_ name: String) throws -> FileStatus? {
    try FileStatus(path: folder.path(name))
  }

  @Test("a path without a file has no status, and one that cannot be examined says why")
  func missing() throws {
    #expect(try status("missing") == nil)
    try folder.write("", to: "file")
    #expect(throws: SystemError("examine", code: ENOTDIR)) { try status("file/inside") }
  }

  @Test("files and folders are told apart, with their sizes")
  func kinds() throws {
    try folder.write("12345", to: "file")
    let file = try #require(try status("file"))
    #expect(file.isRegular && !file.isFolder && file.isLinked)
    #expect(file.size == 5)
    let parent = try #require(try status(""))
    #expect(parent.isFolder && !parent.isRegular)
  }

  @Test("the content's time can be set by a program, the time of the last change cannot")
  func times() throws {
    try folder.write("12345", to: "file")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
      ofItemAtPath: folder.path("file"))
    let file = try #require(try status("file"))
    #expect(file.modified == 1_000_000_000_000_000)
    #expect(file.changed > file.modified)
  }

  @Test("a date of any century has a time that can be compared")
  func distantTimes() throws {
    try folder.write("", to: "file")
    func modified(_ date: Date) throws -> Int64 {
      try FileManager.default.setAttributes(
        [.modificationDate: date], ofItemAtPath: folder.path("file"))
      return try #require(try status("file")).modified
    }
    // File systems have limits of their own, so the exact times differ.
    #expect(try modified(.distantFuture) > FileStatus.now)
    let past = try modified(.distantPast)
    #expect(past < 0)
    #expect(FileStatus.now - past > 0)
  }

  @Test("a renamed file keeps its identity, and a new file of its name has another one")
  func identity() throws {
    try folder.write("", to: "old")
    let identity = try status("old")?.identity
    try FileManager.default.moveItem(at: folder.url("old"), to: folder.url("new"))
    try folder.write("", to: "old")
    #expect(try status("new")?.identity == identity)
    #expect(try status("old")?.identity != identity)
  }

  @Test("an open file that was removed has no name")
  func removed() throws {
    let file = try Descriptor(opening: try folder.write("", to: "file"), O_RDONLY)
    #expect(try file.status() == status("file"))
    #expect(try file.status().isLinked)
    try FileManager.default.removeItem(at: folder.url("file"))
    #expect(try !file.status().isLinked)
  }
}
