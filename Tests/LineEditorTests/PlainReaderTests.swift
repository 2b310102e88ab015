import Foundation
import TestFixtures
import Testing

@testable import LineEditor

@Suite("Plain reader")
struct PlainReaderTests {
  private func reader(of descriptor: Int32, limit: Int = 1 << 20) -> PlainReader {
    PlainReader(
      descriptor: descriptor, name: "standard input", limit: limit, advice: "raise the limit")
  }

  @Test("reads all lines of a descriptor, then says that it ends, as often as it is asked")
  func reads() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("one\r\ntwo\n日本".utf8))
    try pipe.fileHandleForWriting.close()
    // The descriptor is open as long as the pipe is there.
    try withExtendedLifetime(pipe) {
      let reader = reader(of: pipe.fileHandleForReading.fileDescriptor)
      let results = try (0..<5).map { _ in try reader.readLine() }
      #expect(
        results == [.line("one"), .line("two"), .line("日本"), .endOfInput, .endOfInput])
    }
  }

  @Test(
    "cuts lines whatever ends them, and takes bytes that are no UTF-8 for U+FFFD",
    arguments: [
      ("", []), ("one\ntwo\n", ["one", "two"]), ("one\r\ntwo", ["one", "two"]),
      ("\n\n", ["", ""]), ("a\0b\n", ["a\0b"]), ("a\rb\n", ["a\rb"]), ("é\n", ["é"]),
      ("\r\nend\r", ["", "end"]),
    ] as [(String, [String])])
  func cuts(_ text: String, _ expected: [String]) throws {
    for (bytes, expected) in [
      (Array(text.utf8), expected), ([0x61, 0xFF, 0x0A, 0xC3], ["a\u{FFFD}", "\u{FFFD}"]),
    ] {
      let pipe = Pipe()
      try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
      try pipe.fileHandleForWriting.close()
      try withExtendedLifetime(pipe) {
        let reader = reader(of: pipe.fileHandleForReading.fileDescriptor)
        let results = try (0...expected.count).map { _ in try reader.readLine() }
        #expect(results == expected.map { .line($0) } + [.endOfInput])
      }
    }
  }

  @Test("reads lines that are longer than a piece")
  func readsLongLines() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "x", count: 200_000)
    try folder.write(long + "\n" + long, to: "file")
    let file = try FileHandle(forReadingFrom: URL(filePath: folder.path("file")))
    try withExtendedLifetime(file) {
      let reader = reader(of: file.fileDescriptor)
      let results = try (0..<3).map { _ in try reader.readLine() }
      #expect(results == [.line(long), .line(long), .endOfInput])
    }
  }

  @Test("refuses a line that is too long, with and without an end", arguments: ["\n", ""])
  func longestLine(end: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("12345678\n12345678\r\n" + String(repeating: "x", count: 10) + end, to: "file")
    let file = try FileHandle(forReadingFrom: URL(filePath: folder.path("file")))
    try withExtendedLifetime(file) {
      let reader = reader(of: file.fileDescriptor, limit: 9)
      let lines = try (0..<2).map { _ in try reader.readLine() }
      #expect(lines == [.line("12345678"), .line("12345678")])
      let error = FileError(
        path: "standard input", operation: "read",
        cause: "line 3 has more than 9 bytes; raise the limit")
      #expect(throws: error) { try reader.readLine() }
    }
  }

  @Test("reads no further into an endless line than the limit")
  func endlessLine() throws {
    let file = try FileHandle(forReadingFrom: URL(filePath: "/dev/zero"))
    withExtendedLifetime(file) {
      let reader = reader(of: file.fileDescriptor)
      #expect(throws: FileError.self) { try reader.readLine() }
    }
  }

  @Test(
    "says why it cannot read",
    arguments: [(true, "Is a directory"), (false, "Bad file descriptor")])
  func fails(_ isFolder: Bool, _ cause: String) throws {
    let folder = try TemporaryFolder()
    let descriptor = isFolder ? unsafe open(folder.path(""), O_RDONLY) : -1
    defer { if isFolder { close(descriptor) } }
    let reader = reader(of: descriptor)
    #expect(throws: FileError(path: "standard input", operation: "read", cause: cause)) {
      try reader.readLine()
    }
  }
}
