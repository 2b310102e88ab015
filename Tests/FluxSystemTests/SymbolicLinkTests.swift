import FluxSystem
import Foundation
import TestFixtures
import Testing

@Suite struct SymbolicLinkTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(name), withDestinationPath: target)
  }

  private func target(_ name: String) throws -> String {
    try SymbolicLink.target(of: folder.path(name))
  }

  @Test("The end of own links is found, relative and absolute, and if nothing is there yet")
  func follows() throws {
    try PrivateFolder.create(folder.path("sub"))
    try link("a", to: "sub/b")
    try link("sub/b", to: folder.path("c"))
    #expect(try target("a") == folder.path("c"))
    try folder.write("", to: "c")
    #expect(try target("a") == folder.path("c"))
    #expect(try target("c") == folder.path("c"))
    #expect(try target("none") == folder.path("none"))
  }

  @Test("A folder ends at the slash, also before a combining mark")
  func folderOfMark() throws {
    #expect(Array(SymbolicLink.folder(of: "a/b/\u{301}c").utf8) == Array("a/b/".utf8))
    #expect(Array("a/b/\u{301}c/".lastPathName.utf8) == Array("\u{301}c".utf8))
    try PrivateFolder.create(folder.path("a/\u{301}b/\u{301}c"))
    #expect(try FileStatus(path: folder.path("a/\u{301}b/\u{301}c"))?.isFolder == true)
  }

  @Test("A circle is an error")
  func circle() throws {
    try link("a", to: "b")
    try link("b", to: "a")
    #expect(throws: SystemError("open", code: ELOOP)) { try target("a") }
  }

  @Test(
    "Another user's link is not followed in a folder that everybody may write to",
    .enabled(if: geteuid() == 0, "needs a second user"))
  func planted() throws {
    try link("a", to: "victim")
    #expect(unsafe lchown(folder.path("a"), 65534, 65534) == 0)
    #expect(try target("a") == folder.path("victim"))
    #expect(unsafe chmod(folder.path(""), 0o1777) == 0)
    #expect(throws: SystemError("follow the link of another user at", code: EACCES)) {
      try target("a")
    }
    try link("own", to: "victim")
    #expect(try target("own") == folder.path("victim"))
    // The owner of a folder may do there what they want.
    #expect(unsafe chown(folder.path(""), 65534, 65534) == 0)
    #expect(try target("a") == folder.path("victim"))
  }

  @Test("Links among the folders of a path are followed like one at its end")
  func folders() throws {
    try PrivateFolder.create(folder.path("sub/deep"))
    try link("a", to: "sub")
    try link("sub/b", to: folder.path("a/deep"))
    try link("round", to: "round")
    for path in ["a/b", "a/b/none/at/all", "sub/../a/./b", ""] {
      try SymbolicLink.checkFolder(folder.path(path))
    }
    #expect(throws: SystemError("open", code: ELOOP)) {
      try SymbolicLink.checkFolder(folder.path("round/x"))
    }
    #expect(try target("a/c") == folder.path("a/c"))
  }

  @Test(
    "Another user's link to a folder is not followed, in any place of a path",
    .enabled(if: geteuid() == 0, "needs a second user"))
  func plantedFolders() throws {
    try PrivateFolder.create(folder.path("sub"))
    try PrivateFolder.create(folder.path("public"))
    #expect(unsafe chmod(folder.path("public"), 0o1777) == 0)
    try link("public/planted", to: "../sub")
    #expect(unsafe lchown(folder.path("public/planted"), 65534, 65534) == 0)
    try link("own", to: "public/planted")
    for path in ["public/planted", "public/planted/more", "own", "own/more"] {
      let error = SystemError("follow the link of another user at", code: EACCES)
      #expect(throws: error) { try SymbolicLink.checkFolder(folder.path(path)) }
      #expect(throws: error) { try PrivateFolder.create(folder.path(path)) }
      #expect(throws: error) { try target(path + "/file") }
      #expect(throws: error) { _ = try UnfinishedFile(for: folder.path(path + "/file")) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("sub")) == [])
  }
}
