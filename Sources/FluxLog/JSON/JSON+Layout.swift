extension JSON: CustomStringConvertible {
  /// The text of the value without blanks; otherwise as it was written, to the byte.
  public var description: String { String(decoding: laidOut(.compact), as: UTF8.self) }

  /// Returns the text of the value, each element and member on a line of its own, indented by two
  /// blanks a level.
  public func pretty() -> String { String(decoding: laidOut(.pretty), as: UTF8.self) }

  /// Returns the same value without blanks, and the members of all objects sorted by code point.
  ///
  /// The form of states in a log (LOG-FORMAT). Numbers and strings stay as they are written; of
  /// repeated names the last one stays.
  public func canonical() -> JSON {
    do {
      return try JSON.parse(laidOut(.canonical))
    } catch {
      preconditionFailure("a value became invalid when its members were sorted: \(error)")
    }
  }

  private func laidOut(_ style: JSONLayout.Style) -> [UInt8] {
    document.withTape { tape in
      var layout = JSONLayout(tape: tape, style: style)
      layout.append(place, indentation: 0)
      return layout.bytes
    }
  }
}

/// Writes a parsed value anew.
///
/// Recursion is bounded by ``JSON/maximumDepth``.
private struct JSONLayout {
  enum Style { case compact, pretty, canonical }

  let tape: JSONTape
  let style: Style
  var bytes: [UInt8] = []

  init(tape: JSONTape, style: Style) {
    self.tape = tape
    self.style = style
  }

  mutating func append(_ place: Int, indentation: Int) {
    switch tape[place].kind {
    case .array:
      appendList("[", "]", elements(place), indentation) { layout, element in
        layout.append(element, indentation: indentation + 1)
      }
    case .object:
      appendList("{", "}", names(place), indentation) { layout, name in
        unsafe layout.bytes.append(contentsOf: layout.tape.span(name))
        layout.bytes.append(contentsOf: (layout.style == .pretty ? ": " : ":").utf8)
        layout.append(name + 1, indentation: indentation + 1)
      }
    default:
      unsafe bytes.append(contentsOf: tape.span(place))
    }
  }

  private mutating func appendList(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ items: [Int], _ indentation: Int,
    _ appendItem: (inout JSONLayout, Int) -> Void
  ) {
    bytes.append(UInt8(ascii: open))
    for (offset, item) in items.enumerated() {
      if offset > 0 { bytes.append(UInt8(ascii: ",")) }
      breakLine(indentation + 1)
      appendItem(&self, item)
    }
    if !items.isEmpty { breakLine(indentation) }
    bytes.append(UInt8(ascii: close))
  }

  private mutating func breakLine(_ indentation: Int) {
    guard style == .pretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * indentation))
  }

  private func elements(_ array: Int) -> [Int] {
    var places: [Int] = []
    var place = array + 1
    while place < Int(tape[array].next) {
      places.append(place)
      place = Int(tape[place].next)
    }
    return places
  }

  private func names(_ object: Int) -> [Int] {
    if style == .canonical { return tape.distinctNames(object).map { Int($0) } }
    var places: [Int] = []
    var name = object + 1
    while name < Int(tape[object].next) {
      places.append(name)
      name = Int(tape[name + 1].next)
    }
    return places
  }
}
