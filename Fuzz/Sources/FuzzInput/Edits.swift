/// Changes of bytes that somebody has written: the fuzzer makes up the changes.
///
/// A file with counts and checksums in it cannot be made up as a whole; a changed one is nearly right, and its
/// checksums are set afterwards.
public struct Edits {
  private var rest: ArraySlice<UInt8>

  /// Takes the changes from an input: three bytes say where and what, up to eight with what.
  public init(_ input: some Collection<UInt8>) {
    rest = Array(input)[...]
  }

  /// Changes the bytes, from a place on.
  public mutating func apply(to bytes: inout [UInt8], from start: Int) {
    while rest.count >= 3, start < bytes.count {
      let place = start + (next() << 8 | next()) % (bytes.count - start)
      let kind = next()
      let width = min(1 << (kind >> 4 & 3), bytes.count - place)
      switch kind & 7 {
      case 0, 1: bytes.replaceSubrange(place..<place + width, with: take(width))
      case 2: bytes.replaceSubrange(place..<place + width, with: Self.limit(width, kind))
      case 3: bytes.insert(contentsOf: take(width), at: place)
      case 4: bytes.removeSubrange(place..<place + width)
      case 5: bytes[place] &+= 1
      case 6: bytes[place] &-= 1
      default: bytes.insert(contentsOf: bytes[place..<place + width], at: place)
      }
    }
  }

  /// The largest or smallest number of that width, little-endian.
  private static func limit(_ width: Int, _ kind: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: kind & 8 == 0 ? 0xFF : 0, count: width)
    if kind & 0x40 != 0 { bytes[width - 1] ^= 0x80 }
    return bytes
  }

  private mutating func next() -> Int { Int(rest.removeFirst()) }

  private mutating func take(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count)) + Array(repeating: 0, count: max(0, count - rest.count))
  }
}

extension [UInt8] {
  /// The number at a place, little-endian; nil where the bytes end before it does.
  public func number(at place: Int, count: Int) -> UInt64? {
    guard place >= 0, place <= self.count, count <= self.count - place else { return nil }
    return self[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Puts a number at a place, little-endian.
  public mutating func put(_ number: UInt64, at place: Int, count: Int) {
    for offset in 0..<count {
      self[place + offset] = UInt8(truncatingIfNeeded: number >> UInt64(offset * 8))
    }
  }
}
