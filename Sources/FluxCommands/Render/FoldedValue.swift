import FluxJSON
import FluxSystem

/// A value as indented lines for a terminal: coloured, and folded beyond a depth and a number of elements.
///
/// What is folded says how much it is: `…12 more`, `{…4 members}`, `[…30 elements]`. Containers at the depth are on one
/// line if they fit.
struct FoldedValue {
  typealias Span = (text: String, role: TextRole)

  /// The parts of a value that are shown.
  struct Extent {
    /// The number of levels of containers; nil for all.
    var depth: Int?
    /// The number of elements or members of each container; nil for all.
    var count: Int?
    /// The columns of a line; nil for any number.
    var columns: Int?
  }

  let screen: TextScreen
  let extent: Extent

  /// The numbers of elements to try, from the largest.
  private static let counts: [Int?] = [nil, 50, 20, 10, 5]
  /// The deepest level to try.
  private static let deepest = 12

  /// The extent that shows most of a value on a screen: first as many levels as possible, then elements.
  ///
  /// The depth is the one that the user asks for; nil to find one.
  static func extent(of value: JSON, depth: Int?, on screen: TextScreen) -> Extent {
    // The prompt takes a row, and the line of the command another one.
    let room = max(3, screen.rows - 2)
    let depths: [Int?] = depth.map { [$0] } ?? [nil] + (1..<deepest).reversed()
    for depth in depths {
      for count in counts {
        let extent = Extent(depth: depth, count: count, columns: screen.columns)
        if FoldedValue(screen: screen, extent: extent).fits(value, lines: room) { return extent }
      }
    }
    return Extent(depth: depth ?? 1, count: 3, columns: screen.columns)
  }

  private struct TooLong: Error {}

  private func fits(_ value: JSON, lines limit: Int) -> Bool {
    var lines = 0
    do {
      try write(value) { _ in
        lines += 1
        if lines > limit { throw TooLong() }
      }
      return true
    } catch {
      return false
    }
  }

  func write(_ value: JSON, line: ([Span]) throws -> Void) throws {
    try write(value, name: nil, level: 0, isLast: true, line)
  }

  private func write(
    _ value: JSON, name: String?, level: Int, isLast: Bool, _ line: ([Span]) throws -> Void
  ) throws {
    var head: [Span] = [(String(repeating: "  ", count: level), .plain)]
    if let name { head += [(JSON(stringLiteral: name).description, .path), (": ", .plain)] }
    let comma = isLast ? "" : ","
    let brackets = value.kind == .object ? ("{", "}") : ("[", "]")
    guard value.count > 0 else {
      return try line(head + [scalar(value, after: head), (comma, .plain)])
    }
    if let depth = extent.depth, level >= depth {
      return try line(head + [inline(value, after: head), (comma, .plain)])
    }
    try line(head + [(brackets.0, .plain)])
    let count = value.count
    let shown = min(count, extent.count ?? count)
    for (index, part) in value.parts.prefix(shown).enumerated() {
      let name = if case .name(let name) = part.step { name } else { String?.none }
      try write(part.value, name: name, level: level + 1, isLast: index == count - 1, line)
    }
    if shown < count {
      try line([
        (String(repeating: "  ", count: level + 1), .plain), ("…\(count - shown) more", .dim),
      ])
    }
    try line([(String(repeating: "  ", count: level), .plain), (brackets.1 + comma, .plain)])
  }

  private func room(after head: [Span]) -> Int? {
    extent.columns.map { columns in
      // One column stays for a comma.
      max(4, columns - 1 - head.reduce(0) { $0 + screen.width(of: $1.text.printable(as: .json)) })
    }
  }

  private func scalar(_ value: JSON, after head: [Span]) -> Span {
    let text = value.description.printable(as: .json)
    let role: TextRole =
      switch value.kind {
      case .string: .added
      case .number: .count
      case .object, .array: .plain
      default: .action
      }
    guard let room = room(after: head), screen.width(of: text) > room else { return (text, role) }
    guard value.kind == .string else { return (screen.cut(text, to: room), role) }
    return (screen.cut(String(text.dropLast()), to: room - 1) + "\"", role)
  }

  /// A container on one line, or its size if it does not fit.
  private func inline(_ value: JSON, after head: [Span]) -> Span {
    let count = value.count
    let (open, noun, close) =
      value.kind == .object ? ("{…", "member", "}") : ("[…", "element", "]")
    let size = open + count.counted(noun) + close
    guard let room = room(after: head) else { return (size, .dim) }
    if value.byteCount <= 4 * room {
      let text = value.description.printable(as: .json)
      if screen.width(of: text) <= room { return (text, .plain) }
    }
    return (screen.width(of: size) <= room ? size : "\(open)\(count)\(close)", .dim)
  }
}
