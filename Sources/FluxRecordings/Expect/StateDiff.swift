import FluxCore
import FluxJSON

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
    self.init(
      expected: Self.lines(of: expected) { try LogEncoder().encode(expected) },
      actual: Self.lines(of: actual) { try LogEncoder().encode(actual) })
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
  static func lines(of value: Any, _ encode: () throws -> JSON) -> [String] {
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
