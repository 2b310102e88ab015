extension String {
  /// The text with everything spelled out that could drive a terminal instead of being shown.
  ///
  /// Control characters (C0, DEL and C1), line and paragraph separators, and the marks that turn
  /// the direction of writing become `\u{1B}`; a tab becomes `\t`, a line feed `\n`, a return `\r`.
  /// A backslash stays: this is for showing, not for reading back.
  package var sanitised: String {
    guard unicodeScalars.contains(where: \.drivesTerminals) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\t": result += "\\t"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case _ where scalar.drivesTerminals:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether a terminal may act upon the scalar, or show its neighbours in another order.
  var drivesTerminals: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    // Embeddings, overrides and isolates of direction, and the marks of direction.
    case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
    case 0x2028, 0x2029: true
    default: false
    }
  }
}
