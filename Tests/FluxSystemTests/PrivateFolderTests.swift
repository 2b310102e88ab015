import FluxSystem
import Foundation
import TestFixtures
import Testing

@Suite struct PrivateFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("Missing folders are created for the user alone, and existing ones stay as they are")
  func creates() throws {
    #expect(unsafe mkdir(folder.path("a"), 0o755) == 0)
    for _ in 1...2 { try PrivateFolder.create(folder.path("a/b/c")) }
    try PrivateFolder.create(folder.path("a/d/"))
    #expect(try folder.names() == ["a", "a/b", "a/b/c", "a/d"])
    #expect(try folder.permissions(of: "a") == 0o755)
    for name in ["a/b", "a/b/c", "a/d"] {
      #expect(try folder.permissions(of: name) == 0o700)
    }
  }

  @Test("A new folder takes no other's place, and a link that leads nowhere is none")
  func taken() throws {
    try PrivateFolder.createNew(folder.path("a"))
    #expect(throws: SystemError("make", code: EEXIST)) {
      try PrivateFolder.createNew(folder.path("a"))
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "elsewhere")
    #expect(throws: SystemError("make", code: EEXIST)) {
      try PrivateFolder.create(folder.path("link"))
    }
    #expect(try folder.names() == ["a", "link"])
  }
}
