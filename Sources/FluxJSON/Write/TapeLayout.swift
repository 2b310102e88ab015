extension JSON: CustomStringConvertible {
  /// The text of the value without whitespace, otherwise exactly as written.
  public var description: String { String(decoding: laidOut(.compact), as: UTF8.self) }

  /// Returns the text with every element and member on its own line, indented by two spaces per
  /// level.
  public func pretty() -> String { String(decoding: laidOut(.pretty), as: UTF8.self) }

  /// The beginning of the text, as written; an ellipsis marks a cut.
  ///
  /// Only the beginning is read, however long the value is.
  ///
  /// - Parameter limit: The largest number of Unicode scalars before the ellipsis.
  /// - Returns: The text.
  package func excerpt(_ limit: Int) -> String {
    // A scalar has up to four bytes. One that is cut in the middle is dropped with the rest.
    let beginning = unsafe withBytes { text in
      unsafe String(decoding: text.prefix(4 * limit + 4), as: UTF8.self)
    }.unicodeScalars
    let end = beginning.index(beginning.startIndex, offsetBy: limit, limitedBy: beginning.endIndex)
    guard let end, end < beginning.endIndex else { return String(beginning) }
    return String(beginning[..<end]) + "…"
  }

  /// Returns the same value without whitespace, and with the members of all objects sorted by name.
  ///
  /// States in a log have this form (docs/log-format.md). Names are sorted by code points. Numbers
  /// and strings keep their text. If a name is repeated, only its last member remains.
  public func canonical() -> JSON {
    do {
      return try JSON.parse(laidOut(.canonical))
    } catch {
      preconditionFailure("a value became invalid when its members were sorted: \(error)")
    }
  }

  /// The text of ``canonical()``.
  package var canonicalText: [UInt8] { laidOut(.canonical) }

  private func laidOut(_ style: TapeLayout.Style) -> [UInt8] {
    document.withTape { tape in
      var layout = TapeLayout(tape: tape, style: style)
      layout.append(place)
      return layout.bytes
    }
  }
}

/// Writes a parsed value in a given style.
private struct TapeLayout {
  enum Style { case compact, pretty, canonical }

  struct OpenContainer {
    let isObject: Bool
    /// The places of its elements or names, and the number of them already written.
    let items: [Int]
    var written = 0
  }

  let tape: JSONTape
  let style: Style
  var bytes: [UInt8] = []
  var open: [OpenContainer] = []

  mutating func append(_ root: Int) {
    begin(root)
    while let container = open.last {
      guard container.written < container.items.count else {
        end(container)
        continue
      }
      if container.written > 0 { bytes.append(UInt8(ascii: ",")) }
      breakLine()
      open[open.count - 1].written += 1
      let item = container.items[container.written]
      if container.isObject { appendName(item) }
      begin(container.isObject ? item + 1 : item)
    }
  }

  private mutating func begin(_ place: Int) {
    switch tape[place].kind {
    case .array:
      bytes.append(UInt8(ascii: "["))
      open.append(OpenContainer(isObject: false, items: tape.places(of: place)))
    case .object:
      bytes.append(UInt8(ascii: "{"))
      open.append(
        OpenContainer(
          isObject: true,
          items: style == .canonical ? tape.distinctNames(place) : tape.places(of: place)))
    default:
      unsafe bytes.append(contentsOf: tape.span(place))
    }
  }

  private mutating func end(_ container: OpenContainer) {
    open.removeLast()
    if !container.items.isEmpty { breakLine() }
    bytes.append(container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
  }

  private mutating func appendName(_ name: Int) {
    unsafe bytes.append(contentsOf: tape.span(name))
    bytes.append(contentsOf: (style == .pretty ? ": " : ":").utf8)
  }

  private mutating func breakLine() {
    guard style == .pretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * open.count))
  }
}
