import FluxJSON
import FluxLog
import Foundation
import TestFixtures
import Testing

@testable import FluxExchange
@testable import FluxInspector

/// Compiles the tests that `test` writes, for logs with all that Swift could take for its own.
@Suite struct TestSourceCompileTests {
  /// Random names and values, the same ones for the same seed.
  private struct Names {
    private static let pieces = [
      "a", "0", " ", "\"", "\"\"\"", "\\", "\\(", "#", "##", "\"#", "\\#(", ")", "/*", "*/", "//",
      "`",
      "\n", "\r", "\r\n", "\t", "\0", "\u{7F}", "\u{85}", "\u{2028}", "\u{202E}", "\u{200B}",
      "\u{FEFF}",
      "\u{FFFE}", "\u{301}", "\u{E0041}", "\u{10FFFF}", "👩\u{200D}💻", "❤\u{FE0F}", "é", "日",
      "\u{FFFD}",
    ]
    var random: RandomJSON

    mutating func text(_ most: Int) -> String {
      (0..<random.below(most + 1)).map { _ in Self.pieces[random.below(Self.pieces.count)] }
        .joined()
    }

    /// The text as JSON: with escapes or, as far as JSON allows it, without.
    mutating func json(_ text: String) -> String {
      let escapesAll = random.chance(2)
      let inside = text.unicodeScalars.map { scalar in
        let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
        guard mustEscape || escapesAll else { return String(scalar) }
        return String(scalar).utf16.map {
          "\\u" + String(0x1_0000 + Int($0), radix: 16).dropFirst()
        }
        .joined()
      }
      return "\"\(inside.joined())\""
    }

    mutating func log() -> [String] {
      let app = ["class", "Any", "1 a-b", "shop", "self"][random.below(5)]
      let store = json(text(4))
      // The parser of a log takes blanks between values, a return among them.
      let blank = ["", " ", "\r", "\t"][random.below(4)]
      return [
        #"{"flux":"1.0","app":{"name":"\#(app)"},"stores":{\#(store):{"initial":\#(json(text(4)))}}}"#,
        #"{"n":1,"t":0,"action":{"type":\#(json(text(3))),\#(blank)"payload":\#(value())},"states":{\#(store):\#(value())}}"#,
        #"{"n":2,"t":1,"action":{"type":"a"},"rejected":{"reason":\#(json(text(3))),"message":\#(json(text(4))),"store":\#(store)}}"#,
        #"{"end":{"steps":2,"ok":true}}"#,
      ]
    }

    private mutating func value() -> String {
      let value = random.value(depth: 4).split(separator: "\n").joined(separator: " ")
      let nesting = random.chance(4) ? 100 : 1
      return String(repeating: "[", count: nesting) + "{\(json(text(5))):\(json(text(8)))},\(value)"
        + String(repeating: "]", count: nesting)
    }
  }

  private static func swift(_ arguments: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self) + "\(process.terminationStatus)"
  }

  @Test("Every log gives a test that the compiler parses")
  func parses() throws {
    var names = Names(random: RandomJSON(71))
    let folder = try TemporaryFolder()
    var files: [String] = []
    for number in 0..<60 {
      let world = RecordedWorld()
      var inspection = try Inspection(names.log(), world: world)
      let position = number % 2 + 1
      #expect(try inspection.exitCode("goto \(position)") == 0)
      #expect(try inspection.exitCode("test out.swift") == 0)
      let source = try #require(world.files["out.swift"])
      #expect(
        source.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
      )
      files.append(try folder.write(source, to: "Test\(number).swift"))
    }
    #expect(try Self.swift(["swiftc", "-parse"] + files) == "0")
  }

  @Test("Every literal means the text")
  func literals() throws {
    var names = Names(random: RandomJSON(72))
    var source = "let cases: [(String, [UInt8])] = [\n"
    for _ in 0..<150 {
      let text = names.text(8)
      source += "  (\(SwiftText.literal(text)), \(Array(text.utf8))),\n"
      // A value of JSON is one line of several, without line ends of its own.
      let line = text.unicodeScalars.filter { $0 != "\n" }.map(String.init).joined()
      source +=
        "  (\(SwiftText.literal(lines: [line, line], indent: "  ")), \(Array("\(line)\n\(line)".utf8))),\n"
    }
    source += "]\nfor (text, bytes) in cases where Array(text.utf8) != bytes { print(bytes) }\n"
    let folder = try TemporaryFolder()
    let file = try folder.write(source, to: "main.swift")
    let program = folder.path("main")
    #expect(try Self.swift(["swiftc", "-Onone", file, "-o", program]) == "0")
    #expect(try Self.swift([program]) == "0")
  }
}
