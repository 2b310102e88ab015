/// A hash of bytes, which follows for any part of a text from the hashes of its beginnings.
///
/// The hash of Karp and Rabin (1987): the bytes are the coefficients of a polynomial, whose value at a random place is
/// the hash, modulo the prime 2^61 - 1. Two different texts of n bytes have the same hash with a probability below
/// n / 2^60.
struct TextHash: Hashable, Sendable {
  private static let prime: UInt64 = 1 << 61 - 1
  private static let base = UInt64.random(in: 256..<prime)

  private var value: UInt64 = 0

  /// The hash of no bytes.
  init() {}

  init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { append(byte) }
  }

  mutating func append(_ byte: UInt8) {
    // A zero has to count, too.
    value = Self.reduced(Self.product(value, Self.base) + UInt64(byte) + 1)
  }

  /// The factor by which `count` more bytes multiply a hash.
  static func power(_ count: Int) -> UInt64 {
    var (power, square, rest) = (UInt64(1), base, count)
    while rest > 0 {
      if rest & 1 == 1 { power = product(power, square) }
      square = product(square, square)
      rest >>= 1
    }
    return power
  }

  /// Returns the hash of the bytes after a beginning of this text; `power` is that of their number.
  func without(_ beginning: TextHash, power: UInt64) -> TextHash {
    var rest = TextHash()
    rest.value = Self.reduced(value + Self.prime - Self.product(beginning.value, power))
    return rest
  }

  private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    // 2^61 is 1 modulo the prime. Both factors are below 2^61, so nothing is lost.
    return reduced((low & prime) + (high << 3 | low >> 61))
  }

  private static func reduced(_ sum: UInt64) -> UInt64 { sum >= prime ? sum - prime : sum }
}

/// The hashes of the parts of a text.
///
/// A part takes the time of at most 128 bytes, however long it is.
struct TextHashes {
  private static let distance = 64

  private let bytes: [UInt8]
  /// The hashes of the beginnings with a multiple of ``distance`` bytes.
  private var beginnings: [TextHash] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var hash = TextHash()
    for (offset, byte) in bytes.enumerated() {
      if offset % Self.distance == 0 { beginnings.append(hash) }
      hash.append(byte)
    }
    if bytes.count % Self.distance == 0 { beginnings.append(hash) }
  }

  /// Returns the hash of a part, whose length has that ``TextHash/power(_:)``.
  func hash(of part: Range<Int>, power: UInt64) -> TextHash {
    beginning(part.upperBound).without(beginning(part.lowerBound), power: power)
  }

  private func beginning(_ end: Int) -> TextHash {
    let known = end / Self.distance
    var hash = beginnings[known]
    for byte in bytes[known * Self.distance..<end] { hash.append(byte) }
    return hash
  }
}
