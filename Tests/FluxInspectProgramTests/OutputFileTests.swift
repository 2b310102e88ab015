import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxSubcommands

@Suite(.waiting) struct OutputFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(
    _ name: String, replacesExisting: Bool
  ) throws(SystemError) -> OutputFile {
    try OutputFile(folder.path(name), replacesExisting: replacesExisting)
  }

  /// Returns the error number that creating a file fails with; nil if it does not fail.
  private func failure(_ name: String, replacesExisting: Bool) -> Int32? {
    do throws(SystemError) {
      _ = try file(name, replacesExisting: replacesExisting)
      return nil
    } catch {
      return error.code
    }
  }

  private func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(name), withDestinationPath: destination)
  }

  @Test("What is written is there once it is finished, and is not once it is abandoned")
  func ends() throws {
    let abandoned = try file("a", replacesExisting: false)
    try abandoned.write(Array("lost".utf8))
    abandoned.abandon()
    #expect(try folder.names() == [])
    let finished = try file("a", replacesExisting: false)
    try finished.write(Array("kept".utf8))
    try finished.finish()
    #expect(try folder.names() == ["a"])
    #expect(try folder.text(of: "a") == "kept")
  }

  @Test("Two that write to the same place do not meet")
  func concurrent() throws {
    let files = [try file("a", replacesExisting: true), try file("a", replacesExisting: true)]
    for (file, text) in zip(files, ["first", "second"]) { try file.write(Array(text.utf8)) }
    for file in files { try file.finish() }
    #expect(try folder.names() == ["a"])
    #expect(try folder.text(of: "a") == "second")
  }

  @Test("A file that is not to be replaced is not, whenever it came")
  func exists() throws {
    let output = try file("a", replacesExisting: false)
    try output.write(Array("new".utf8))
    try folder.write("mine", to: "a")
    #expect(throws: SystemError("create", code: EEXIST)) { try output.finish() }
    #expect(failure("a", replacesExisting: false) == EEXIST)
    #expect(try folder.text(of: "a") == "mine")
    #expect(try folder.names() == ["a"])
  }

  @Test("Links stay links, also those that lead to nothing yet")
  func links() throws {
    try FileManager.default.createDirectory(
      at: folder.url("folder"), withIntermediateDirectories: false)
    try link("first", to: "folder/second")
    try link("folder/second", to: "../target")
    for text in ["one", "two"] {
      let output = try file("first", replacesExisting: text == "two")
      try output.write(Array(text.utf8))
      try output.finish()
      #expect(try folder.text(of: "target") == text)
    }
    for name in ["first", "folder/second"] {
      let destination = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path(name))
      #expect(destination == (name == "first" ? "folder/second" : "../target"))
    }
    try link("circle", to: "circle")
    #expect(failure("circle", replacesExisting: false) == ELOOP)
  }

  @Test("A new file has the permissions of the user's mask, and a replaced one keeps its own")
  func permissions() throws {
    try folder.write("mine", to: "a")
    let mask = try folder.permissions(of: "a")
    try file("b", replacesExisting: false).finish()
    #expect(try folder.permissions(of: "b") == mask)
    #expect(unsafe chmod(folder.path("a"), 0o640) == 0)
    try file("a", replacesExisting: true).finish()
    #expect(try folder.permissions(of: "a") == 0o640)
  }

  @Test(
    "A link that another user may have planted is not followed",
    .enabled(if: geteuid() == 0, "needs a second user"))
  func planted() throws {
    try folder.write("precious", to: "victim")
    try link("a", to: "victim")
    try link("b", to: "nothing")
    for name in ["a", "b"] { #expect(unsafe lchown(folder.path(name), 65534, 65534) == 0) }
    #expect(unsafe chmod(folder.path(""), 0o1777) == 0)
    for name in ["a", "b"] {
      #expect(failure(name, replacesExisting: true) == EACCES)
    }
    #expect(try folder.text(of: "victim") == "precious")
    #expect(try folder.names() == ["a", "b", "victim"])
  }

  @Test("A pipe that nobody reads from is an error, and is not waited for")
  func pipe() throws {
    // The path is a string that lives until the end of the call.
    #expect(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
    for replacesExisting in [true, false] {
      #expect(failure("pipe", replacesExisting: replacesExisting) == ENXIO)
    }
  }
}
