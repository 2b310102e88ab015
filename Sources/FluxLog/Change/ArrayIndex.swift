/// The index of an array's element as a reference token writes it (RFC 6901, section 4): digits,
/// without leading zeros.
struct ArrayIndex: Equatable {
  let value: Int

  /// Reads an index; nil where the bytes are none.
  ///
  /// One that no array can reach reads as the largest integer.
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

  /// Reads an index that a Swift string writes.
  init?(token: String) {
    self.init(token.utf8)
  }
}
