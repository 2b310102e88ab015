/// SHA-256 (FIPS 180-4), to compare texts with the checksums of the editing traces.
struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]

  /// The checksum as 64 hex digits.
  static func hex(_ text: String) -> String {
    var message = Array(text.utf8)
    let bits = UInt64(message.count) * 8
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      message.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    var hash = SHA256()
    for start in stride(from: 0, to: message.count, by: 64) {
      hash.take(message[start..<start + 64])
    }
    return hash.state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private mutating func take(_ block: ArraySlice<UInt8>) {
    var words: [UInt32] = []
    words.reserveCapacity(64)
    for start in stride(from: block.startIndex, to: block.endIndex, by: 4) {
      words.append(block[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    for place in 16..<64 {
      let (a, b) = (words[place - 15], words[place - 2])
      let low = a.rotated(7) ^ a.rotated(18) ^ a >> 3
      let high = b.rotated(17) ^ b.rotated(19) ^ b >> 10
      words.append(words[place - 16] &+ low &+ words[place - 7] &+ high)
    }
    var s = state
    for place in 0..<64 {
      let choice = (s[4] & s[5]) ^ (~s[4] & s[6])
      let majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2])
      let first =
        s[7] &+ (s[4].rotated(6) ^ s[4].rotated(11) ^ s[4].rotated(25)) &+ choice
        &+ Self.constants[place] &+ words[place]
      let second = (s[0].rotated(2) ^ s[0].rotated(13) ^ s[0].rotated(22)) &+ majority
      s = [first &+ second, s[0], s[1], s[2], s[3] &+ first, s[4], s[5], s[6]]
    }
    for place in 0..<8 { state[place] &+= s[place] }
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = {
    let primes = (2...311).filter { number in (2..<number).allSatisfy { number % $0 != 0 } }
    return primes.map { prime in
      // The cube root times 2^32, by bisection in whole numbers of 128 bits.
      let target = UInt128(prime) << 96
      var (low, high): (UInt128, UInt128) = (0, 1 << 36)
      while high - low > 1 {
        let middle = (low + high) / 2
        if middle * middle * middle <= target { low = middle } else { high = middle }
      }
      return UInt32(truncatingIfNeeded: low)
    }
  }()
}

extension UInt32 {
  fileprivate func rotated(_ bits: UInt32) -> UInt32 { self >> bits | self << (32 - bits) }
}
