extension QueryParser {
  /// Parses the path at the offset; returns nil if no path starts there.
  ///
  /// If `isWhole` is `true`, a JSON Pointer extends to the end of the text. Otherwise, it ends at
  /// the end of the operand.
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
