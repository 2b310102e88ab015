/// CRC-32C, bit by bit, so that nothing of what is fuzzed is believed.
public func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
  var remainder = UInt32.max
  for byte in bytes {
    remainder ^= UInt32(byte)
    for _ in 0..<8 {
      remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0x82F6_3B78 : remainder >> 1
    }
  }
  return ~remainder
}
