import CPlatform
import FluxSystem
import Foundation
import TestFixtures
import Testing

@Suite struct UnfinishedFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("a") }

  init() throws { folder = try TemporaryFolder() }

  private func file(_ permissions: mode_t? = nil) throws(SystemError) -> UnfinishedFile {
    try UnfinishedFile(for: path, permissions: permissions)
  }

  private func permissions(of path: String) throws -> mode_t? {
    try FileStatus(path: path)?.permissions
  }

  @Test("Nothing is at the destination before the file is published")
  func publishes() throws {
    let file = try file()
    _ = file.descriptor.write(Array("new".utf8))
    #expect(try folder.names() == [URL(filePath: file.path).lastPathComponent])
    try file.publish(replacesExisting: false)
    #expect(try folder.names() == ["a"])
    #expect(try folder.text(of: "a") == "new")
  }

  @Test(
    "A destination may have the longest name that a file can have",
    arguments: [String(repeating: "n", count: 255), String(repeating: "日", count: 85)])
  func longName(name: String) throws {
    // As a killed process leaves it.
    let left = try UnfinishedFile(for: folder.path(name))
    left.descriptor.unlock()
    let file = try UnfinishedFile(for: folder.path(name))
    #expect(try folder.names().count == 1)
    try file.publish(replacesExisting: false)
    #expect(try folder.names() == [name])
  }

  @Test("It grows at its end, also after it was shortened")
  func appends() throws {
    let file = try file()
    _ = file.descriptor.write(Array("one two".utf8))
    try file.descriptor.truncate(to: 4)
    _ = file.descriptor.write(Array("three".utf8))
    try file.publish(replacesExisting: false)
    #expect(try folder.text(of: "a") == "one three")
  }

  @Test("Only the user can read it before it is published")
  func permissions() throws {
    let file = try file(0o444)
    #expect(try permissions(of: file.path) == 0o600)
    try file.publish(replacesExisting: true)
    #expect(try permissions(of: path) == 0o444)
  }

  @Test("Without a choice, the published file belongs to the user alone as well")
  func defaultPermissions() throws {
    try UnfinishedFile(for: path).publish(replacesExisting: true)
    #expect(try permissions(of: path) == 0o600)
  }

  @Test("A file that appears at the destination stays if it must not be replaced")
  func exists() throws {
    let file = try file()
    try folder.write("mine", to: "a")
    #expect(throws: SystemError("create", code: EEXIST)) {
      try file.publish(replacesExisting: false)
    }
    #expect(try folder.names() == ["a"])
    #expect(try folder.text(of: "a") == "mine")
  }

  @Test("An exclusive rename moves a file to a free name, and leaves a file that has the name")
  func exclusiveRename() throws {
    try folder.write("mine", to: "old")
    guard unsafe flux_rename_exclusively(folder.path("old"), path) == 0 else {
      let impossible = [ENOSYS, ENOTSUP, EINVAL, EPERM]
      #expect(impossible.contains(errno))
      #expect(try folder.names() == ["old"])
      return
    }
    #expect(try folder.names() == ["a"])
    #expect(try folder.text(of: "a") == "mine")
    try folder.write("new", to: "new")
    #expect(unsafe flux_rename_exclusively(folder.path("new"), path) == -1)
    #expect(errno == EEXIST)
    #expect(try folder.text(of: "a") == "mine")
    #expect(try folder.text(of: "new") == "new")
  }

  @Test("Files of dead processes are removed; those of living ones and all others stay")
  func leftovers() throws {
    try folder.write("left", to: "a.0123456789abcdef.unfinished")
    let others = [
      "a.0123456789abcdeg.unfinished", "a.1.unfinished", "a.unfinished",
      "b.0123456789abcdef.unfinished",
    ]
    for name in others { try folder.write("mine", to: name) }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a.00000000000000ff.unfinished"), withDestinationPath: "b")
    let living = try file()
    let file = try file()
    let own = [living.path, file.path].map { URL(filePath: $0).lastPathComponent }
    #expect(try folder.names() == (others + own + ["a.00000000000000ff.unfinished"]).sorted())
  }

  @Test("A killed process leaves a file that the next one removes")
  func killed() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let file = try UnfinishedFile(for: path)
      _ = file.descriptor.write(Array("half".utf8))
      kill(getpid(), SIGKILL)
    }
    #expect(try folder.names().count == 1)
    try file().publish(replacesExisting: false)
    #expect(try folder.names() == ["a"])
    #expect(try folder.text(of: "a") == "")
  }
}
