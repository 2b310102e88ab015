import FluxCore
import FluxJSON
import FluxRecorder
import FluxReplay
import FluxSystem

/// The difference between an expected and an actual value, line by line.
///
/// ```
///       {
///         "id": 1,
///     −   "title": "milk"
///     +   "title": "Milk"
///       }
///
/// (expected: −, actual: +)
/// ```
struct StateDiff {
  private static let contextCount = 3

  /// The lines of the difference; empty if the values are encoded alike.
  let text: String

  init(expected: any Encodable & Sendable, actual: any Encodable & Sendable) {
    self.init(of: expected, actual) { (state: any Encodable & Sendable) in
      Self.lines(of: state) { try LogEncoder().encode(state) }
    }
  }

  init(expectedAction expected: any Action, actual: any Action) {
    self.init(of: expected, actual) { (action: any Action) in
      Self.lines(of: action) { try ActionCoder().encode(action) }
    }
  }

  /// Compares the lines of two values, in which equal secrets have equal tokens, and other secrets have others.
  private init<Value>(of expected: Value, _ actual: Value, _ lines: (Value) -> [String]) {
    let secrets = NumberedSecrets()
    let tokens: SecretTokenMaker = { try secrets.token(of: $0) }
    self = LogEncoder.$ambientUserInfo.withValue([.secretToken: tokens]) {
      Self(expected: lines(expected), actual: lines(actual))
    }
  }

  init(expected: [String], actual: [String]) {
    let marked = Self.marked(expected, actual)
    guard marked.contains(where: { $0.sign != " " }) else {
      text = ""
      return
    }
    text = Self.shortened(marked).joined(separator: "\n") + "\n\n(expected: −, actual: +)"
  }

  /// The lines of a value's JSON; its description if it cannot be encoded.
  private static func lines(of value: Any, _ encode: () throws -> JSON) -> [String] {
    do {
      return try encode().pretty().split(separator: "\n").map(String.init)
    } catch {
      return ["\(value)"]
    }
  }

  private static func marked(
    _ expected: [String], _ actual: [String]
  ) -> [(sign: Character, line: String)] {
    var marked: [(sign: Character, line: String)] = []
    for stretch in SequenceAlignment(of: expected, actual).stretches {
      marked += expected[stretch.old].map { ("−", $0) }
      marked += actual[stretch.new].map { ("+", $0) }
      marked += actual[stretch.new.upperBound...].prefix(stretch.count).map { (" ", $0) }
    }
    return marked
  }

  /// Replaces lines far from any difference by their number.
  private static func shortened(_ lines: [(sign: Character, line: String)]) -> [String] {
    let changed = lines.indices.filter { lines[$0].sign != " " }
    var text: [String] = []
    var hiddenCount = 0
    func hide() {
      if hiddenCount > 0 { text.append("      … \(hiddenCount) unchanged") }
      hiddenCount = 0
    }
    for (place, line) in lines.enumerated() {
      guard changed.contains(where: { abs($0 - place) <= contextCount }) else {
        hiddenCount += 1
        continue
      }
      hide()
      text.append("    \(line.sign) \(line.line)")
    }
    hide()
    return text
  }
}

/// The secrets of two compared values, whose tokens have their numbers.
private final class NumberedSecrets: Sendable {
  private let known = Monitor<[JSON]>([])

  func token(of secret: any Codable & Sendable) throws -> String {
    let value = try LogEncoder(userInfo: [.revealing: true]).encode(secret)
    let number = known.withLock { known in
      if let number = known.firstIndex(of: value) { return number }
      known.append(value)
      return known.count - 1
    }
    return RedactionToken.token(UInt64(number) + 1)
  }
}
