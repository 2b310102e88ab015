extension JSON {
  /// `true` for the token of a redacted value: `<redacted 5f0c2a9e71b3d844>`, with 16 hexadecimal digits.
  ///
  /// See docs/log-format.md, "Redacted values".
  package var isRedactionToken: Bool {
    guard kind == .string else { return false }
    let start = #""<redacted "#
    return unsafe withBytes { bytes in
      guard bytes.count == start.utf8.count + 18, unsafe bytes.starts(with: start.utf8),
        unsafe bytes[bytes.count - 2] == UInt8(ascii: ">")
      else { return false }
      return unsafe bytes.dropFirst(start.utf8.count).dropLast(2).allSatisfy(\.isTokenDigit)
    }
  }
}

extension UInt8 {
  /// `true` for a hexadecimal digit of a token or of the name of a launch, whose letters are lower-case.
  package var isTokenDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
  }
}
