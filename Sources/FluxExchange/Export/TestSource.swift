import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

/// A Swift Testing test that leads to a state.
struct TestSource {
  let reproduction: Reproduction
  let names: TestNames

  /// The text of the file.
  var text: String {
    let step = reproduction.step
    let type = SwiftText.isPlain(reproduction.type) ? ", \(reproduction.type)," : ""
    return """
      // swift-format-ignore-file
      // Written by flux-inspect: dispatches recorded actions in fresh stores, and expects the recorded
      // states.
      import FluxJSON
      import FluxLog
      import FluxRecorder
      import FluxReplay
      import Testing

      \(names.imports)

      @Suite struct \(names.suite(ofStep: step)) {
        @Test("The actions up to step \(step)\(type) lead to the recorded states")
        \(names.maker.isolation)func reproduces() throws {
          let start = \(SwiftText.literal(JSON(message: reproduction.start).text))
          let actions = \(SwiftText.literal(lines: actions, indent: "      "))
          let expected: StoreDictionary<JSON> = [\(expected)]

          let session = try \(names.maker.app).start(SessionStart(JSON.parse(start)))
          defer { session.end() }
          let steps = try session.dispatch(
            actions.split(separator: "\\n").map { try ReplayAction(JSON.parse(String($0))) })
          #expect(steps.last?.outcome == \(verdict))
          #expect(try session.states() == expected)
        }
      }

      """
  }

  private var actions: [String] {
    reproduction.actions.map { JSON(message: $0).text }
  }

  private var expected: String {
    guard reproduction.states.count > 0 else { return ":" }
    let members = reproduction.states.members.map { member in
      "      \(SwiftText.literal(member.name)): "
        + "try JSON.parse(\(SwiftText.literal(member.value.text))),\n"
    }
    return "\n\(members.joined())    "
  }

  private var verdict: String {
    guard let rejection = reproduction.rejection else { return ".accepted" }
    let store = rejection.store.map { ", store: \(SwiftText.literal($0))" } ?? ""
    return ".rejected(LogRejection(reason: \(SwiftText.literal(rejection.reason)), "
      + "message: \(SwiftText.literal(rejection.message))\(store)))"
  }
}

/// Text of a log as Swift source.
enum SwiftText {
  /// A literal of one line.
  static func literal(_ text: String) -> String {
    let hashes = hashes(for: text)
    return "\(hashes)\"\(escaped(text, hashes))\"\(hashes)"
  }

  /// A literal of several lines, each without a line end.
  static func literal(lines: [String], indent: String) -> String {
    let hashes = hashes(for: lines.joined(separator: "\n"))
    let body = lines.map { "\(indent)\(escaped($0, hashes))\n" }.joined()
    return "\(hashes)\"\"\"\n\(body)\(indent)\"\"\"\(hashes)"
  }

  /// The text with escapes for all that does not show in a source file, also within an emoji.
  private static func escaped(_ text: String, _ hashes: String) -> String {
    guard !text.unicodeScalars.allSatisfy(\.isPrintable) else { return text }
    return text.unicodeScalars.reduce(into: "") { escaped, scalar in
      if scalar.isPrintable {
        escaped.unicodeScalars.append(scalar)
      } else {
        escaped += "\\\(hashes)u{\(String(scalar.value, radix: 16))}"
      }
    }
  }

  /// Enough `#` that nothing in the text ends the literal or is an escape.
  private static func hashes(for text: String) -> String {
    var (longest, run) = (0, -1)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): run = 0
      case UInt8(ascii: "#") where run >= 0: run += 1
      default: run = -1
      }
      longest = max(longest, run + 1)
    }
    return String(repeating: "#", count: longest)
  }

  /// The letters and digits of a text as an identifier; nil if it has none.
  static func identifier(_ text: String) -> String? {
    let kept = text.utf8.filter(isWord).drop { (0x30...0x39).contains($0) }
    return kept.isEmpty ? nil : String(decoding: Array(kept), as: UTF8.self)
  }

  /// The module of a program or an app with a name; nil if the name has no letters.
  ///
  /// SwiftPM and Xcode write `_` for each character that no identifier has there.
  static func module(ofProgram name: String) -> String? {
    var module = ""
    for scalar in name.unicodeScalars {
      let isLetter = scalar == "_" || scalar.isPrintable && scalar.properties.isAlphabetic
      let isKept = isLetter || !module.isEmpty && ("0"..."9").contains(scalar)
      module.unicodeScalars.append(isKept ? scalar : "_")
    }
    return module.contains { $0 != "_" } ? module : nil
  }

  /// The words that need backticks to be the name of a module.
  static let reserved: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break", "case", "catch",
    "class",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
    "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is",
    "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows",
    "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try", "typealias", "var", "where", "while",
  ]

  /// `true` if a text can stand in a literal, a comment or the name of a test as it is.
  static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { isWord($0) || "/_.-".utf8.contains($0) }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
