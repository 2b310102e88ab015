extension DecodingSession {
  func bool(at place: Int) throws -> Bool {
    let node = document.withTape { $0[place] }
    guard node.kind == .bool else { throw mismatch(place, Bool.self, expected: "true or false") }
    return node.end - node.start == 4
  }

  @inline(__always)
  func string(at place: Int) throws -> String {
    let found: String? = document.withTape { tape in
      let node = tape[place]
      guard node.kind == .string else { return nil }
      let escaped = node.has(JSONNode.escaped)
      return unsafe JSONString.decoded(tape.content(place), escaped: escaped)
    }
    guard let found else { throw mismatch(place, String.self, expected: "a string") }
    return found
  }

  @inline(__always)
  func integer<I: FixedWidthInteger>(at place: Int) throws -> I {
    guard kind(at: place) == .number else { throw mismatch(place, I.self, expected: "a number") }
    let value: I? = document.withTape { tape in
      let text = unsafe tape.span(place)
      if let short = unsafe JSONShortNumber(text)?.integer { return I(exactly: short) }
      return unsafe JSONDecimal(text).integer()
    }
    guard let value else { throw outOfRange(place, I.self) }
    return value
  }

  func double(at place: Int) throws -> Double {
    let short: Double? = document.withTape { tape in
      guard tape[place].kind == .number else { return nil }
      return unsafe JSONShortNumber(tape.span(place))?.double
    }
    return try short ?? float(at: place)
  }

  /// Returns the nearest number of the type.
  ///
  /// The value may also be one of the three strings for numbers that are not finite.
  func float<F: BinaryFloatingPoint & LosslessStringConvertible>(at place: Int) throws -> F {
    let json = JSON(document: document, place: place)
    switch json.kind {
    case .number:
      guard let value = F(json.text), value.isFinite else { throw outOfRange(place, F.self) }
      return value
    default:
      guard let text = json.string, let value = Self.notFinite(text, F.self) else {
        throw mismatch(place, F.self, expected: "a number")
      }
      return value
    }
  }

  /// Returns the number that is not finite for its text, or `nil` for other text.
  static func notFinite<F: BinaryFloatingPoint>(_ text: String, _ type: F.Type) -> F? {
    switch text {
    case "NaN": .nan
    case "Infinity": .infinity
    case "-Infinity": -.infinity
    default: nil
    }
  }

  @inline(never)
  private func outOfRange(_ place: Int, _ type: Any.Type) -> DecodingError {
    let text = JSON(document: document, place: place).text
    // The number may be as long as the log. Its first digits are enough to find it.
    let shown = text.utf8.count > 60 ? text.prefix(60) + "…" : text[...]
    return corrupted(place, "\(shown) is not a value of \(type)")
  }
}
