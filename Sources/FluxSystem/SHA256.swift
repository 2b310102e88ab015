import Foundation

/// SHA-256 (FIPS 180-4) of bytes that arrive in parts.
///
/// Each message over a network is hashed, by an app's debug build, too. The rounds therefore use pointers and operators
/// that the compiler inlines without optimization.
package struct SHA256: Sendable {
  /// The number of bytes in a block.
  static let blockSize = 64
  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = primes(64).map { fraction(cbrt(Double($0))) }
  /// The same of the square roots of the first 8 primes.
  private static let initial: [UInt32] = primes(8).map { fraction(Double($0).squareRoot()) }

  private var state = initial
  /// The bytes of the incomplete block.
  private var rest: [UInt8] = []
  private var byteCount: UInt64 = 0

  /// Starts a hash.
  package init() {}

  /// Returns the 32 bytes of the hash of a message.
  package static func sum(_ message: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.append(message[...])
    return hash.sum
  }

  /// Adds bytes to the message.
  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    byteCount += UInt64(bytes.count)
    var bytes = bytes
    if !rest.isEmpty {
      let missing = bytes.prefix(Self.blockSize - rest.count)
      rest += missing
      bytes = bytes.dropFirst(missing.count)
      guard rest.count == Self.blockSize else { return }
      compress(rest[...])
      rest = []
    }
    let count = bytes.count / Self.blockSize * Self.blockSize
    if count > 0 { compress(bytes.prefix(count)) }
    rest += bytes.dropFirst(count)
  }

  /// The 32 bytes of the hash of the message so far.
  package var sum: [UInt8] {
    var padded = self
    let zeros = (119 - rest.count) % Self.blockSize
    let bitCount = byteCount * 8
    padded.append(([0x80] + [UInt8](repeating: 0, count: zeros))[...])
    padded.append((0..<8).map { UInt8(truncatingIfNeeded: bitCount >> UInt64(56 - 8 * $0)) }[...])
    return padded.state.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) }
    }
  }

  /// Hashes whole blocks.
  private mutating func compress(_ blocks: ArraySlice<UInt8>) {
    var words = [UInt32](repeating: 0, count: Self.blockSize)
    // The buffers are valid for the calls: 64 words, 64 constants, 8 words of state, and `blocks.count` bytes, of which
    // each round uses 64 while that many are left.
    unsafe words.withUnsafeMutableBufferPointer { words in
      unsafe Self.constants.withUnsafeBufferPointer { constants in
        unsafe state.withUnsafeMutableBufferPointer { state in
          unsafe blocks.withUnsafeBufferPointer { bytes in
            guard let words = words.baseAddress, let constants = constants.baseAddress,
              let state = state.baseAddress, let start = bytes.baseAddress
            else { return }
            var offset = 0
            while offset < bytes.count {
              unsafe Self.compress(state, start + offset, words, constants)
              offset += Self.blockSize
            }
          }
        }
      }
    }
  }

  /// Hashes a block of 64 bytes; `words` and `constants` have 64 words, and `state` 8.
  private static func compress(
    _ state: UnsafeMutablePointer<UInt32>, _ block: UnsafePointer<UInt8>,
    _ words: UnsafeMutablePointer<UInt32>, _ constants: UnsafePointer<UInt32>
  ) {
    var index = 0
    while index < 16 {
      let byte = unsafe block + index &* 4
      let (first, second) = unsafe (UInt32(byte[0]) &<< 24, UInt32(byte[1]) &<< 16)
      unsafe words[index] = first | second | UInt32(byte[2]) &<< 8 | UInt32(byte[3])
      index = index &+ 1
    }
    while index < 64 {
      let (early, late) = unsafe (words[index &- 15], words[index &- 2])
      let first = rotated(early, 7) ^ rotated(early, 18) ^ early &>> 3
      let second = rotated(late, 17) ^ rotated(late, 19) ^ late &>> 10
      unsafe words[index] = words[index &- 16] &+ first &+ words[index &- 7] &+ second
      index = index &+ 1
    }
    var (a, b, c, d) = unsafe (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = unsafe (state[4], state[5], state[6], state[7])
    index = 0
    while index < 64 {
      let choice = e & f ^ ~e & g
      let majority = a & b ^ a & c ^ b & c
      let sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let first = unsafe h &+ sum &+ choice &+ constants[index] &+ words[index]
      let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
      index = index &+ 1
    }
    unsafe state[0] = state[0] &+ a
    unsafe state[1] = state[1] &+ b
    unsafe state[2] = state[2] &+ c
    unsafe state[3] = state[3] &+ d
    unsafe state[4] = state[4] &+ e
    unsafe state[5] = state[5] &+ f
    unsafe state[6] = state[6] &+ g
    unsafe state[7] = state[7] &+ h
  }

  @_transparent
  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
  }

  private static func fraction(_ number: Double) -> UInt32 {
    UInt32((number - number.rounded(.down)) * 4_294_967_296)
  }

  private static func primes(_ count: Int) -> [Int] {
    (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }.prefix(count).map(
      \.self)
  }
}
