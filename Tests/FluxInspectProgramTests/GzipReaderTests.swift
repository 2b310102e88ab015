import Foundation
import TestFixtures
import Testing

@testable import FluxSubcommands

@Suite("Decompression of gzip files", .waiting)
struct GzipReaderTests {
  /// Decompresses a file that arrives in pieces of this size.
  private func unzip(_ bytes: [UInt8], pieces size: Int = 3) throws -> [UInt8] {
    var rest = bytes[...]
    var output: [UInt8] = []
    var reader = GzipReader {
      defer { rest = rest.dropFirst(size) }
      return Array(rest.prefix(size))
    }
    try reader.run { output += $0 }
    return output
  }

  private static let hello: [UInt8] = [
    0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36,
    5, 0, 0, 0,
  ]

  @Test("A member with the fixed codes, and several members with zeros after them")
  func fixed() throws {
    #expect(try unzip(Self.hello) == Array("hello".utf8))
    #expect(try unzip(Self.hello + Self.hello + [0, 0, 0]) == Array("hellohello".utf8))
  }

  @Test("The output of the program gzip, at every level, with a name in the header")
  func program() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator()
    // Repeated and random text, longer than the window.
    let text = (0..<60_000).map { index -> UInt8 in
      guard index % 7 == 0 else { return UInt8(index % 251) }
      return UInt8.random(in: 0...255, using: &generator)
    }
    for level in 1...9 {
      try folder.write(text, to: "text-\(level)")
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/gzip")
      process.arguments = ["-\(level)", folder.path("text-\(level)")]
      try process.run()
      process.waitUntilExit()
      #expect(try unzip(try folder.bytes(of: "text-\(level).gz"), pieces: 1000) == text)
    }
  }

  @Test("Each cut of a file is truncated, and no changed byte is a crash")
  func damage() throws {
    for count in 0..<Self.hello.count {
      #expect(throws: CompressionFault.truncated) { try unzip(Array(Self.hello.prefix(count))) }
    }
    for place in Self.hello.indices {
      for bit in 0..<8 {
        var bytes = Self.hello
        bytes[place] ^= 1 << UInt8(bit)
        do {
          // The time, the level and the system mean nothing, and some flags only skip bytes.
          #expect(try unzip(bytes) == Array("hello".utf8) || (3...9).contains(place))
        } catch is CompressionFault {}
      }
    }
  }

  @Test(
    "Damage is named in the words of zlib",
    arguments: [
      ([0x1F, 0x8B, 9, 0], "unknown compression method"),
      ([0x1F, 0x8B, 8, 0x80], "unknown header flags set"),
      ([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 7], "invalid block type"),
      (
        [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 5, 0, 5, 0],
        "invalid stored block lengths"
      ),
      ([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 2], "invalid distance too far back"),
      (hello + [7], "other bytes follow the end"),
      (hello.dropLast(5) + [0, 5, 0, 0, 0], "incorrect data check"),
      (hello.dropLast(4) + [6, 0, 0, 0], "incorrect length check"),
    ] as [([UInt8], String)])
  func names(bytes: [UInt8], problem: String) throws {
    #expect(throws: CompressionFault.damaged(problem)) { try unzip(bytes) }
  }
}
