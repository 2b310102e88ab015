import FluxJSON

extension LineCursor {
  /// Reads an integer of at most sixteen digits.
  @inline(__always)
  mutating func digits() -> UInt64? {
    guard var count = digitCount(at: position), count > 0 else { return nil }
    if count == 8 {
      guard let more = digitCount(at: position &+ 8) else { return nil }
      count &+= more
      if more == 8, digitCount(at: position &+ 16) != 0 { return nil }
    }
    let number = bytes.number(at: position, digits: count)
    position &+= count
    return position <= end ? number : nil
  }

  /// Reads seconds with six decimals as microseconds.
  @inline(__always)
  mutating func seconds() -> UInt64? {
    guard let whole = digits(), whole < 1 << 40, position < end,
      bytes[position] == UInt8(ascii: ".")
    else { return nil }
    position &+= 1
    let decimals = position
    guard digitCount(at: decimals) == 6 else { return nil }
    position &+= 6
    return position <= end
      ? whole &* 1_000_000 &+ bytes.number(at: decimals, digits: 6) : nil
  }

  /// Returns how many of the next eight bytes are leading digits; `nil` if there are fewer than
  /// eight bytes.
  @inline(__always)
  private func digitCount(at place: Int) -> Int? {
    place &+ 8 <= bytes.count ? bytes.digitCount(at: place) : nil
  }
}
