/// An array index in a reference token: digits without leading zeros (RFC 6901, section 4).
struct ArrayIndex: Equatable {
  let value: Int

  /// Reads an index; returns nil if the bytes are not one.
  ///
  /// An index that overflows becomes the largest integer.
  init?(_ digits: some Collection<UInt8>) {
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else {
      return nil
    }
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int(digit) - 48)
      value = overflow || carry ? .max : sum
    }
    self.value = value
  }

  /// Reads an index from a Swift string; returns nil if the string is not one.
  init?(token: String) {
    self.init(token.utf8)
  }
}
