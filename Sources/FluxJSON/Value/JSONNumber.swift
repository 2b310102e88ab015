/// A JSON number that preserves its text.
///
/// Numbers compare by their exact decimal value. 1 equals 1.0 and 10e-1, and 2^53+1 does not equal
/// 2^53. 1e400 is an ordinary number. Zero equals minus zero.
public struct JSONNumber: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The original text of the number.
  public let text: String

  /// Creates a number from its text; nil if that is not a JSON number (RFC 8259, section 6).
  public init?(_ text: String) {
    let value = JSON(ifValid: Array(text.utf8))
    guard let value, value.kind == .number, value.text == text else { return nil }
    self.text = text
  }

  /// Creates a number from a text that the parser accepted.
  init(checked text: String) { self.text = text }

  /// The same as ``text``.
  public var description: String { text }

  private func withDecimal<R>(_ body: (JSONDecimal) -> R) -> R {
    var text = text
    return text.withUTF8 { unsafe body(JSONDecimal(UnsafeRawBufferPointer($0))) }
  }

  private static func order(_ left: JSONNumber, _ right: JSONNumber) -> Int {
    left.withDecimal { left in right.withDecimal { JSONDecimal.order(left, $0) } }
  }

  /// Returns `true` if both numbers have the same value.
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool { order(left, right) == 0 }

  /// Returns `true` if the left number is smaller than the right one.
  public static func < (left: JSONNumber, right: JSONNumber) -> Bool { order(left, right) < 0 }

  /// Hashes the numeric value.
  public func hash(into hasher: inout Hasher) { withDecimal { $0.hash(into: &hasher) } }

  /// The value as an `Int64`; nil if it is not an integer or is out of range.
  ///
  /// `1.0` and `1e2` are integers.
  public var int64: Int64? { withDecimal { $0.integer() } }

  /// The value as a `UInt64`; nil if it is not an integer or is out of range.
  ///
  /// `1.0` and `1e2` are integers.
  public var uint64: UInt64? { withDecimal { $0.integer() } }

  /// The nearest `Double`; infinite if the value is out of range.
  public var double: Double {
    // This initializer accepts every number that the JSON grammar allows.
    guard let value = Double(text) else { preconditionFailure("a number without a value") }
    return value
  }
}

extension JSONDecimal {
  /// Returns the value as an integer of type `I`; nil if it is not an integer or is out of range.
  func integer<I: FixedWidthInteger>() -> I? {
    guard !isZero else { return 0 }
    guard let power = power() else { return nil }
    let digitCount = digits.lazy.filter { text[$0] != UInt8(ascii: ".") }.count
    // 10^40 exceeds the largest integer type, which has 128 bits.
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

  /// Returns `exponent + shift`; nil if the exponent exceeds any practical range.
  private func power() -> Int? {
    // Not `Int`, which has 32 bits on some watches.
    var value: Int64 = 0
    for offset in exponent {
      value = value * 10 + Int64(text[offset] - UInt8(ascii: "0"))
      if value > 1 << 40 { return nil }
    }
    return Int(exactly: (exponentIsNegative ? -value : value) + Int64(shift))
  }

  /// The number of digits before the point, or minus the number of zeros after it; nil for zero.
  ///
  /// This is `Int.max` if the exponent exceeds any practical range.
  var decimalPower: Int? {
    isZero ? nil : power() ?? .max
  }

  /// Appends a digit to `value`; returns `false` if it overflows.
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

extension JSON {
  /// The number of numbers in this value whose digits a `Double` does not keep.
  package var lossyNumberCount: Int {
    document.withTape { tape in
      (place..<place + nodeCount).count { index in
        let node = tape[index]
        guard node.kind == .number else { return false }
        let text = unsafe tape.span(index)
        // Up to 15 digits are exact; an exponent may lead out of the range.
        let hasExponent = unsafe text.contains { $0 | 0x20 == UInt8(ascii: "e") }
        guard text.count > 15 || hasExponent else { return false }
        let number = JSONNumber(checked: unsafe String(decoding: text, as: UTF8.self))
        let double = number.double
        return !double.isFinite || JSONNumber(checked: double.jsonText) != number
      }
    }
  }
}
