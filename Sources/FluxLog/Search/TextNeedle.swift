import FluxJSON

/// A text to look for in actions, in upper or lower case.
///
/// It finds what the expression of `StepFilter.text` selects. That expression runs a regular expression over every string
/// of every action; this compares bytes, and reads the strings of those actions alone whose text contains the bytes.
struct TextNeedle {
  /// The lower and the upper case of each scalar.
  private let cases: [(lower: Unicode.Scalar, upper: Unicode.Scalar)]
  /// The bytes in lower case; nil if the text is not ASCII.
  private let ascii: [UInt8]?

  init(_ text: String) {
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
    ascii = isASCII ? text.utf8.map { $0 | ($0.isUpperCaseLetter ? 0x20 : 0) } : nil
  }

  /// `true` if the type of an action or a string in it contains the text.
  func isFound(in action: JSON) -> Bool {
    if let ascii {
      let mayContain = unsafe action.withBytes { bytes in
        // An escape may stand for any character.
        unsafe bytes.contains(UInt8(ascii: "\\")) || Self.isFound(ascii, in: bytes)
      }
      guard mayContain else { return false }
    }
    return isInString(of: action)
  }

  /// `true` if a text contains this one.
  func isFound(in text: String) -> Bool {
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

  private func isInString(of value: JSON) -> Bool {
    switch value.kind {
    case .string: value.string.map(isFound(in:)) ?? false
    case .array: value.elements.contains(where: isInString)
    case .object: value.members.contains { isInString(of: $0.value) }
    case .null, .bool, .number: false
    }
  }

  private static func isFound(_ wanted: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = wanted.first else { return true }
    let last = bytes.count - wanted.count
    guard last >= 0 else { return false }
    for start in 0...last {
      guard unsafe bytes[start].lowerCase == first else { continue }
      var length = 1
      while length < wanted.count, unsafe bytes[start + length].lowerCase == wanted[length] {
        length += 1
      }
      if length == wanted.count { return true }
    }
    return false
  }
}

extension UInt8 {
  fileprivate var isUpperCaseLetter: Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }

  fileprivate var lowerCase: UInt8 { isUpperCaseLetter ? self | 0x20 : self }
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
    var types: [String: Bool] = [:]
    var found: [Int] = []
    for place in 0..<range.count where found.count < limit {
      if place % 256 == 0 { try check(place) }
      let position =
        direction == .forwards ? range.lowerBound + place : range.upperBound - 1 - place
      let type = log.type(at: position) ?? ""
      let isInType: Bool
      if let known = types[type] {
        isInType = known
      } else {
        isInType = needle.isFound(in: type)
        types[type] = isInType
      }
      if try isInType || needle.isFound(in: step(at: position).action) { found.append(position) }
    }
    return found
  }
}
