extension String {
  /// The text with escapes for all scalars that could control a terminal.
  ///
  /// Control characters (C0, DEL and C1), line and paragraph separators, and marks that change the writing
  /// direction become `\u{1B}`; a tab becomes `\t`, a line feed `\n`, a return `\r`. A backslash stays as it
  /// is: the text is for display and cannot be decoded.
  package var sanitised: String {
    guard unicodeScalars.contains(where: \.controlsTerminals) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\t": result += "\\t"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case _ where scalar.controlsTerminals:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// `true` if a terminal may act on the scalar, or reorder adjacent text because of it.
  package var controlsTerminals: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    // Directional embeddings, overrides, isolates and marks.
    case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
    case 0x2028, 0x2029: true
    default: false
    }
  }
}
