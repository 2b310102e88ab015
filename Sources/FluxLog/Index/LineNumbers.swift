import FluxJSON

/// The places of the numbers in a step line as writers write it.
///
/// See docs/log-format.md, "Steps": `{"n":`, the number, `,"t":`, seconds with six decimals.
struct LineNumbers: Equatable {
  /// The number of digits of `n`.
  var numberDigits = 0
  /// The number of digits of `t` before the decimal point.
  var secondsDigits = 0
  /// The offset of the digits of `cause` from the first byte of the line.
  var causeOffset = 0
  /// The number of those digits; 0 if there is no cause.
  var causeDigits = 0

  /// The number of bytes before `n` and before `t`.
  private static let nameCount = 5

  /// Returns the step number in a line that starts at `start`.
  @inline(__always)
  func number(_ bytes: JSONBytes, _ start: Int) -> UInt64 {
    bytes.number(at: start &+ Self.nameCount, digits: numberDigits)
  }

  /// Returns the time of the step in microseconds.
  @inline(__always)
  func time(_ bytes: JSONBytes, _ start: Int) -> UInt64 {
    let place = start &+ 2 &* Self.nameCount &+ numberDigits
    let seconds = bytes.number(at: place, digits: secondsDigits)
    return seconds &* 1_000_000
      &+ bytes.number(at: place &+ secondsDigits &+ 1, digits: 6)
  }

  /// Returns the step number of the cause, if there is one.
  @inline(__always)
  func cause(_ bytes: JSONBytes, _ start: Int) -> UInt64 {
    bytes.number(at: start &+ causeOffset, digits: causeDigits)
  }
}
