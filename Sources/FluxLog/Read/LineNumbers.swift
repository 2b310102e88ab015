/// Where a step line, as writers write it, has its numbers: how many digits they have.
///
/// LOG-FORMAT, "Step": `{"n":`, the number, `,"t":`, seconds with six decimals.
struct LineNumbers: Equatable {
  /// The digits of `n`.
  var numberDigits = 0
  /// The digits of `t` before its point.
  var secondsDigits = 0
  /// Where the digits of `cause` begin, from the line's first byte on.
  var causeOffset = 0
  /// Their count, 0 where there is no cause.
  var causeDigits = 0

  /// How many bytes stand before either of the first two numbers.
  private static let nameCount = 5

  /// The step's number, in a line that begins at a place.
  @inline(__always)
  func number(_ bytes: JSONBytes, _ start: Int) -> UInt64 {
    bytes.number(at: start &+ Self.nameCount, digits: numberDigits)
  }

  /// The step's time in microseconds.
  @inline(__always)
  func time(_ bytes: JSONBytes, _ start: Int) -> UInt64 {
    let place = start &+ 2 &* Self.nameCount &+ numberDigits
    let seconds = bytes.number(at: place, digits: secondsDigits)
    return seconds &* 1_000_000
      &+ bytes.number(at: place &+ secondsDigits &+ 1, digits: 6)
  }

  /// The number of the step's cause, where it has one.
  @inline(__always)
  func cause(_ bytes: JSONBytes, _ start: Int) -> UInt64 {
    bytes.number(at: start &+ causeOffset, digits: causeDigits)
  }
}
