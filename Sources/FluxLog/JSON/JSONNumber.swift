/// A number as it is written in JSON.
///
/// It keeps its text, and compares by its exact decimal value: 1 equals 1.0 and 10e-1, 2^53+1
/// does not equal 2^53, and 1e400 is a number like any other. Zero equals minus zero.
public struct JSONNumber: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number as it is written.
  public let text: String

  /// Makes a number of its text; nil where that is not a JSON number (RFC 8259, section 6).
  public init?(_ text: String) {
    do {
      let value = try JSON.parse(text)
      guard value.kind == .number, value.text == text else { return nil }
      self.text = text
    } catch {
      return nil
    }
  }

  /// Makes a number of a text that the parser accepted.
  init(checked text: String) { self.text = text }

  /// The text.
  public var description: String { text }

  private func withDecimal<R>(_ body: (JSONDecimal) -> R) -> R {
    var text = text
    return text.withUTF8 { unsafe body(JSONDecimal(UnsafeRawBufferPointer($0))) }
  }

  private static func order(_ left: JSONNumber, _ right: JSONNumber) -> Int {
    left.withDecimal { left in right.withDecimal { JSONDecimal.order(left, $0) } }
  }

  /// Tells whether both have the same value.
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool { order(left, right) == 0 }

  /// Tells whether the left one has the smaller value.
  public static func < (left: JSONNumber, right: JSONNumber) -> Bool { order(left, right) < 0 }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { withDecimal { $0.hash(into: &hasher) } }

  /// The value, where it is an integer in the range of `Int64`; `1.0` and `1e2` are integers.
  public var int64: Int64? { integer() }

  /// The value, where it is an integer in the range of `UInt64`; `1.0` and `1e2` are integers.
  public var uint64: UInt64? { integer() }

  /// The value, where it is an integer in the range of that type.
  func integer<I: FixedWidthInteger>(_ type: I.Type = I.self) -> I? { withDecimal { $0.integer() } }

  /// The nearest `Double`; infinite where the value is beyond the range of `Double`.
  public var double: Double {
    // The grammar of numbers is a part of the one that this initializer reads.
    guard let value = Double(text) else { preconditionFailure("a number without a value") }
    return value
  }
}

extension JSONDecimal {
  /// The value, where it is an integer in the range of that type.
  func integer<I: FixedWidthInteger>() -> I? {
    guard !isZero else { return 0 }
    guard let power = power() else { return nil }
    let digitCount = digits.lazy.filter { text[$0] != UInt8(ascii: ".") }.count
    // 10^40 is beyond the largest integer type, 128 bits wide.
    guard power >= digitCount, power < 40 else { return nil }
    var value: I = 0
    for offset in digits where text[offset] != UInt8(ascii: ".") {
      guard append(text[offset] - UInt8(ascii: "0"), to: &value) else { return nil }
    }
    for _ in digitCount..<power {
      guard append(0, to: &value) else { return nil }
    }
    return value
  }

  /// `exponent + shift`, where that is of a size that can matter.
  private func power() -> Int? {
    var value = 0
    for offset in exponent {
      value = value * 10 + Int(text[offset] - UInt8(ascii: "0"))
      if value > 1 << 40 { return nil }
    }
    return (exponentIsNegative ? -value : value) + shift
  }

  /// The number of digits before the point, or minus the number of zeros after it; nil for zero.
  ///
  /// Where the exponent is beyond all measure, a number beyond all measure.
  var decimalPower: Int? {
    isZero ? nil : power() ?? .max
  }

  /// Counts down for negative numbers, as their range reaches one further.
  private func append<I: FixedWidthInteger>(_ digit: UInt8, to value: inout I) -> Bool {
    let (product, overflow) = value.multipliedReportingOverflow(by: 10)
    guard !overflow, let digit = I(exactly: digit) else { return false }
    let sum =
      isNegative
      ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
    value = sum.partialValue
    return !sum.overflow
  }
}
