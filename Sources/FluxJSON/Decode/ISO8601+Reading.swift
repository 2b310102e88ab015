extension ISO8601 {
  /// Returns the seconds since 2001 for an ISO 8601 date; `nil` for other text.
  ///
  /// Examples are `2026-11-20T12:00:00.25Z` and `2026-11-20T12:00:00+01:00`. A year has four
  /// digits, or a sign and at least six digits.
  static func seconds(_ text: String) -> Double? {
    var reader = Reader(bytes: Array(text.utf8))
    guard let date = reader.date(), reader.skip("T"), let second = reader.timeOfDay(),
      let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    let whole = date.daysSince1970 * 86_400 + second - offset - referenceSeconds
    return number(whole, fraction)
  }

  /// Returns the sum, built as decimal text so that `Double` rounds only once.
  private static func number(_ whole: Int64, _ fraction: [UInt8]) -> Double? {
    var (whole, fraction) = (whole, fraction)
    while fraction.last == 0 { fraction.removeLast() }
    guard !fraction.isEmpty else { return Double(whole) }
    let isNegative = whole < 0
    if isNegative {
      // 0.75 after -2 is -1.25.
      whole = -(whole + 1)
      fraction = complement(fraction)
    }
    let decimals = String(decoding: fraction.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    return Double("\(isNegative ? "-" : "")\(whole).\(decimals)")
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ letter: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: letter) else { return false }
      position += 1
      return true
    }

    mutating func digits() -> [UInt8] {
      let found = bytes[position...].prefix { $0 &- UInt8(ascii: "0") < 10 }
      position += found.count
      return found.map { $0 - UInt8(ascii: "0") }
    }

    mutating func twoDigits(below limit: Int64) -> Int64? {
      let found = digits()
      guard found.count == 2 else { return nil }
      let value = Int64(found[0]) * 10 + Int64(found[1])
      return value < limit ? value : nil
    }

    mutating func date() -> CivilDate? {
      let isNegative = skip("-")
      let isSigned = isNegative || skip("+")
      let yearDigits = digits()
      // Twelve digits cover every date that the encoder writes, and cannot overflow.
      guard isSigned ? (6...12).contains(yearDigits.count) : yearDigits.count == 4 else {
        return nil
      }
      let year = yearDigits.reduce(Int64(0)) { $0 * 10 + Int64($1) }
      guard year <= 150_000_000_000, skip("-"), let month = twoDigits(below: 13), skip("-"),
        let day = twoDigits(below: 32)
      else { return nil }
      let date = CivilDate(year: isNegative ? -year : year, month: month, day: day)
      return date.exists ? date : nil
    }

    mutating func timeOfDay() -> Int64? {
      guard let hour = twoDigits(below: 24), skip(":"), let minute = twoDigits(below: 60),
        skip(":"), let second = twoDigits(below: 60)
      else { return nil }
      return hour * 3600 + minute * 60 + second
    }

    mutating func fraction() -> [UInt8]? {
      guard skip(".") else { return [] }
      let found = digits()
      return found.isEmpty ? nil : found
    }

    /// Returns the time zone offset in seconds, positive to the east.
    mutating func offset() -> Int64? {
      if skip("Z") { return 0 }
      let isNegative = skip("-")
      guard isNegative || skip("+"), let hour = twoDigits(below: 24), skip(":"),
        let minute = twoDigits(below: 60)
      else { return nil }
      let offset = hour * 3600 + minute * 60
      return isNegative ? -offset : offset
    }
  }
}
