import FluxJSON

/// A text to look for in actions and states, in upper or lower case; texts are compared by scalars.
///
/// In actions, it finds what the expression of `StepFilter.text` selects. That expression runs a regular expression over
/// every string of every action; this compares bytes, and reads the strings of those actions alone whose lines contain the
/// bytes.
package struct TextNeedle: Sendable {
  /// The lower and the upper case of each scalar.
  private let cases: [(lower: Unicode.Scalar, upper: Unicode.Scalar)]
  /// The bytes in lower case; nil if the text is not ASCII.
  private let ascii: [UInt8]?

  package init(_ text: String) {
    cases = text.unicodeScalars.map { scalar in
      func single(_ mapping: String) -> Unicode.Scalar? {
        mapping.unicodeScalars.count == 1 ? mapping.unicodeScalars.first : nil
      }
      return (
        single(scalar.properties.lowercaseMapping) ?? scalar,
        single(scalar.properties.uppercaseMapping) ?? scalar
      )
    }
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    ascii = isASCII ? text.utf8.map(\.lowercasedASCII) : nil
  }

  /// `true` if the type of an action or a string in it contains the text.
  func isFound(in action: JSON) -> Bool {
    switch action.kind {
    case .string: action.string.map(isFound(in:)) ?? false
    case .array: action.elements.contains(where: isFound(in:))
    case .object: action.members.contains { isFound(in: $0.value) }
    case .null, .bool, .number: false
    }
  }

  /// `false` if no string in the text of a line contains the text.
  func mayBeFound(inLine bytes: UnsafeRawBufferPointer) -> Bool {
    guard let ascii else { return true }
    // An escape may stand for any character.
    return unsafe Self.isFound(ascii, in: bytes) || bytes.contains(UInt8(ascii: "\\"))
  }

  /// `true` if a text contains this one.
  package func isFound(in text: String) -> Bool {
    if let ascii {
      var text = text
      return text.withUTF8 { unsafe Self.isFound(ascii, in: UnsafeRawBufferPointer($0)) }
    }
    let scalars = Array(text.unicodeScalars)
    guard scalars.count >= cases.count else { return false }
    return (0...scalars.count - cases.count).contains { start in
      zip(cases, scalars[start...]).allSatisfy { $0.lower == $1 || $0.upper == $1 }
    }
  }

  private static func isFound(_ wanted: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = wanted.first else { return true }
    let last = bytes.count - wanted.count
    guard last >= 0 else { return false }
    for start in 0...last {
      guard unsafe bytes[start].lowercasedASCII == first else { continue }
      var length = 1
      while length < wanted.count, unsafe bytes[start + length].lowercasedASCII == wanted[length] {
        length += 1
      }
      if length == wanted.count { return true }
    }
    return false
  }
}

extension Timeline {
  /// Finds the steps of a range whose actions contain a text, up to a limit.
  ///
  /// `check` is called often with the number of steps that were looked at; an error ends the search.
  func positions(
    of needle: TextNeedle, in range: Range<Int>, _ direction: SearchDirection, limit: Int,
    check: (Int) throws -> Void
  ) throws -> [Int] {
    // Most logs have few types, and a match of the type needs no line.
    var types: [Int: Bool] = [:]
    var found: [Int] = []
    var rest = range
    while !rest.isEmpty, found.count < limit {
      try check(range.count - rest.count)
      let part = direction.beginning(of: rest, count: Self.stepsBetweenChecks)
      var positions: [Int] = []
      let pass = StepPass(log, part)
      while let step = pass.advance() {
        let isInType = types[step.type] ?? needle.isFound(in: pass.typeName(step.type))
        types[step.type] = isInType
        guard try isInType || pass.contains(needle) else { continue }
        positions.append(pass.position)
      }
      found += direction == .forwards ? positions : positions.reversed()
      rest = direction.rest(of: rest, beyond: part)
    }
    return Array(found.prefix(limit))
  }

  private static let stepsBetweenChecks = 512
}
