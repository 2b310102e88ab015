extension QueryParser {
  /// Parses the path at the offset; returns nil if no path starts there.
  mutating func path(isWhole: Bool = false) throws(QueryError) -> Path? {
    if take("$") { return Path(root: .document, segments: try segments()) }
    if take("@") { return Path(root: .current, segments: try segments()) }
    guard dialect == .inspector else { return nil }
    if current == "/" { return try pointer(isWhole: isWhole) }
    guard filterDepth == 0, let store = takeName() else { return nil }
    let model: [Path.Segment] = [.child([.name("state")]), .child([.name(store)])]
    return Path(root: .document, segments: model + (try segments()))
  }

  private mutating func segments() throws(QueryError) -> [Path.Segment] {
    var segments: [Path.Segment] = []
    while true {
      // Blanks belong to the path only if a segment follows them.
      let start = offset
      skipBlanks()
      guard let segment = try segment() else {
        offset = start
        return segments
      }
      segments.append(segment)
    }
  }

  private mutating func segment() throws(QueryError) -> Path.Segment? {
    if take("..") {
      if current == "[" { return .descendants(try brackets()) }
      return .descendants([try dotted(after: "..")])
    }
    if take(".") { return .child([try dotted(after: ".")]) }
    guard current == "[" else { return nil }
    return .child(try brackets())
  }

  private mutating func dotted(after dots: String) throws(QueryError) -> Path.Selector {
    if take("*") { return .wildcard }
    guard let name = takeName() else {
      throw unexpected("a name or '*' after '\(dots)'")
    }
    return .name(name)
  }

  private mutating func brackets() throws(QueryError) -> [Path.Selector] {
    guard take("[") else { throw unexpected("'['") }
    var selectors: [Path.Selector] = []
    repeat {
      skipBlanks()
      selectors.append(try selector())
      skipBlanks()
    } while take(",")
    guard take("]") else { throw unexpected("',' or ']' after a selector") }
    return selectors
  }

  /// Parses a JSON Pointer (RFC 6901) into the states.
  private mutating func pointer(isWhole: Bool) throws(QueryError) -> Path {
    let start = offset
    var text = String.UnicodeScalarView()
    while let scalar = current, isWhole || !scalar.endsPointerOperand {
      text.append(scalar)
      offset += 1
    }
    do throws(PointerError) {
      let tokens = try Pointer(String(text)).tokens
      let model: [Path.Segment] = [.child([.name("state")])]
      return Path(root: .document, segments: model + tokens.map { .child([.token($0)]) })
    } catch {
      throw failure(error.message, at: start)
    }
  }

  mutating func selector() throws(QueryError) -> Path.Selector {
    switch current {
    case "'", "\"": return .name(try quotedString())
    case "*":
      offset += 1
      return .wildcard
    case "?":
      offset += 1
      return .filter(try filter())
    case let scalar? where scalar == "-" || scalar == ":" || scalar.isDigit:
      return try indexOrSlice()
    default: throw failure("expected a selector, found \(found)", hint: selectorHint)
    }
  }

  private var selectorHint: String {
    "a selector is a name in quotes, an index, a slice such as 1:3, '*', or a filter '?…'"
  }

  private mutating func filter() throws(QueryError) -> Condition {
    filterDepth += 1
    defer { filterDepth -= 1 }
    skipBlanks()
    return try condition()
  }

  private mutating func indexOrSlice() throws(QueryError) -> Path.Selector {
    let start = try integer()
    let afterStart = offset
    skipBlanks()
    guard take(":") else {
      offset = afterStart
      guard let start else { throw unexpected("an index") }
      return .index(start)
    }
    skipBlanks()
    let end = try integer()
    let afterEnd = offset
    skipBlanks()
    guard take(":") else {
      offset = afterEnd
      return .slice(start: start, end: end, step: 1)
    }
    let afterColon = offset
    skipBlanks()
    guard let step = try integer() else {
      offset = afterColon
      return .slice(start: start, end: end, step: 1)
    }
    return .slice(start: start, end: end, step: step)
  }

  /// The largest valid index, 2^53 - 1.
  private static let largest: Int64 = 1 << 53 - 1

  /// Parses an integer of RFC 9535; returns nil if none starts here.
  private mutating func integer() throws(QueryError) -> Int? {
    let start = offset
    let isNegative = take("-")
    guard let first = current, first.isDigit else {
      guard !isNegative else { throw unexpected("a digit after '-'") }
      return nil
    }
    var value: Int64 = 0
    while let digit = current, digit.isDigit {
      value = value * 10 + Int64(digit.value - 48)
      offset += 1
      guard value <= QueryParser.largest else {
        throw failure("an index beyond 2^53 - 1", at: start)
      }
    }
    let hasLeadingZero = first == "0" && (value > 0 || offset - start > (isNegative ? 2 : 1))
    guard !hasLeadingZero else { throw failure("an index with leading zeros", at: start) }
    guard !(isNegative && value == 0) else { throw failure("-0 is not an index", at: start) }
    // No array has more elements than an `Int` counts.
    return Int(clamping: isNegative ? -value : value)
  }

  /// Parses a string in single or double quotes (RFC 9535, section 2.3.1.1).
  mutating func quotedString() throws(QueryError) -> String {
    let start = offset
    guard let quote = current else { throw unexpected("a string") }
    offset += 1
    var value = String.UnicodeScalarView()
    while let scalar = current {
      guard scalar != quote else {
        offset += 1
        return String(value)
      }
      guard scalar.value >= 0x20 else {
        throw failure("a control character in a string", hint: "write it as an escape")
      }
      if scalar == "\\" {
        value.append(try escape(quote: quote))
      } else {
        value.append(scalar)
        offset += 1
      }
    }
    throw failure("this string has no closing \(quote)", at: start)
  }

  private mutating func escape(quote: Unicode.Scalar) throws(QueryError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    guard let letter = current else { throw failure("an escape that is cut off", at: start) }
    offset += 1
    switch letter {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "/", "\\", quote: return letter
    case "u": return try codePoint(start: start)
    default: throw failure("'\\\(letter)' is not an escape", at: start)
    }
  }

  /// Parses the rest of a `\u` escape.
  private mutating func codePoint(start: Int) throws(QueryError) -> Unicode.Scalar {
    let first = try hexadecimal(start: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take("\\u") else {
      throw failure("half of a surrogate pair", at: start)
    }
    let second = try hexadecimal(start: start)
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw failure("half of a surrogate pair", at: start) }
    return scalar
  }

  private mutating func hexadecimal(start: Int) throws(QueryError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let scalar = current, scalar.isASCII,
        let digit = Character(scalar).hexDigitValue
      else { throw failure("'\\u' needs four hexadecimal digits", at: start) }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }
}

extension Unicode.Scalar {
  /// `true` for a scalar that ends a JSON Pointer inside an expression.
  fileprivate var endsPointerOperand: Bool {
    switch self {
    case " ", "\t", "\n", "\r", ")", "]", ",", "=", "<", ">", "!", "&", "|": true
    default: false
    }
  }
}
