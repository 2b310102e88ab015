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
    self.init(expected: Self.lines(of: expected), actual: Self.lines(of: actual))
  }

  init(expected: [String], actual: [String]) {
    let marked = Self.marked(expected, actual)
    guard marked.contains(where: { $0.sign != " " }) else {
      text = ""
      return
    }
    text = Self.shortened(marked).joined(separator: "\n") + "\n\n(expected: −, actual: +)"
  }

  private static func lines(of value: any Encodable & Sendable) -> [String] {
    do {
      let json = try LogEncoder().encode(value)
      return json.pretty().split(separator: "\n").map(String.init)
    } catch {
      return ["\(value)"]
    }
  }

  private static func marked(
    _ expected: [String], _ actual: [String]
  ) -> [(sign: Character, line: String)] {
    let difference = actual.difference(from: expected)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var marked: [(Character, String)] = []
    var (old, new) = (0, 0)
    while old < expected.count || new < actual.count {
      if removed.contains(old) {
        marked.append(("−", expected[old]))
        old += 1
      } else if inserted.contains(new) {
        marked.append(("+", actual[new]))
        new += 1
      } else {
        marked.append((" ", actual[new]))
        (old, new) = (old + 1, new + 1)
      }
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
