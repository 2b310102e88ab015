/// Lines that were read, as patterns of lines to come: the same from the action's type on, but
/// for their digits.
///
/// Most steps of a type differ from one before in numbers only. A digit in place of another
/// changes nothing that the index wants to know, unless it is in a type or in the name of a store:
/// which stores the line writes, and how, it has in common with the pattern. To compare sixteen
/// bytes at once leaves 890 of the 1430 instructions that the index took for a line of 131 bytes.
///
/// One thread's own.
struct LineTemplates {
  /// A pattern, and what is known of the lines that fit it.
  private struct Template {
    var length = 0
    var type: UInt32 = 0
    var shape: UInt32 = 0
  }

  private static let slotCount = 64
  /// Longer lines take their time for their bytes.
  private static let lengths = 16...256
  private static let blocksPerTemplate = lengths.upperBound / 16

  /// A pattern has one place; where two share it, the newer one takes it.
  private var templates = Array(repeating: Template(), count: Self.slotCount)
  /// The bytes of the patterns, in blocks of sixteen; the last one of each may overlap the one
  /// before.
  private var blocks = Self.empty
  /// Ones where any digit will do.
  private var digits = Self.empty
  /// How much more often lines fitted than not, within limits.
  private var credit = 16
  private var misses = 0

  private static let empty = Array(
    repeating: SIMD16<UInt8>(repeating: 0), count: slotCount * blocksPerTemplate)

  init() {}

  /// The type and the shape of the line whose action's type begins at `start`; nil where it is
  /// like none that is known.
  @inline(__always)
  mutating func find(
    _ bytes: JSONBytes, from start: Int, to end: Int
  ) -> (type: UInt32, shape: UInt32)? {
    let length = end &- start
    guard Self.lengths.contains(length) else { return nil }
    let slot = Self.slot(bytes, start, length)
    let template = templates[slot]
    guard template.length == length else { return nil }
    var different = SIMD16<UInt8>(repeating: 0)
    var block = slot &* Self.blocksPerTemplate
    var place = start
    let last = end &- 16
    while place < last {
      different |= difference(bytes.block(at: place), block)
      place &+= 16
      block &+= 1
    }
    different |= difference(bytes.block(at: last), block)
    // Both are sixteen bytes without padding.
    let halves = unsafe unsafeBitCast(different, to: SIMD2<UInt64>.self)
    guard halves.x | halves.y == 0 else { return nil }
    credit = min(credit &+ 1, 64)
    return (template.type, template.shape)
  }

  /// Has bits set in each byte that is another than in the pattern, unless both are digits.
  @inline(__always)
  private func difference(_ found: SIMD16<UInt8>, _ block: Int) -> SIMD16<UInt8> {
    let digits = digits[block]
    // A digit is 0x30...0x39: with 0x30 flipped it is below 10, so that adding 0x76 does not reach
    // the high bit.
    let flipped = found ^ SIMD16(repeating: 0x30)
    let low = flipped & SIMD16(repeating: 0x7F)
    let others = (low &+ SIMD16(repeating: 0x76) | flipped) & SIMD16(repeating: 0x80)
    return (found ^ blocks[block]) & ~digits | others & digits
  }

  /// Keeps a line as a pattern; `exact` are the places where its digits count.
  ///
  /// Where lines hardly ever fit, only one in sixteen is kept.
  mutating func learn(
    _ bytes: JSONBytes, from start: Int, to end: Int, exact: [Range<Int>], type: UInt32,
    shape: UInt32
  ) {
    let length = end - start
    guard Self.lengths.contains(length) else { return }
    credit = max(credit - 1, 0)
    misses &+= 1
    guard credit > 0 || misses % 16 == 0 else { return }
    let slot = Self.slot(bytes, start, length)
    templates[slot] = Template(length: length, type: type, shape: shape)
    var block = slot * Self.blocksPerTemplate
    for offset in stride(from: 0, to: length, by: 16) {
      let place = min(start + offset, end - 16)
      blocks[block] = bytes.block(at: place)
      digits[block] = Self.digits(blocks[block], at: place, exact)
      block += 1
    }
  }

  private static func digits(
    _ block: SIMD16<UInt8>, at place: Int, _ exact: [Range<Int>]
  ) -> SIMD16<UInt8> {
    var digits = SIMD16<UInt8>(repeating: 0)
    for offset in 0..<16 where block[offset] &- UInt8(ascii: "0") < 10 {
      digits[offset] = exact.contains { $0.contains(place + offset) } ? 0 : .max
    }
    return digits
  }

  /// The place for a line: its length and the beginning of its type tell.
  @inline(__always)
  private static func slot(_ bytes: JSONBytes, _ start: Int, _ length: Int) -> Int {
    // The low halves of the later bytes are left out: they may be digits.
    let later = bytes.word(at: start &+ 8) & 0xF0F0_F0F0_F0F0_F0F0
    let mixed =
      (bytes.word(at: start) ^ later &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: Int64(length)))
      &* 0xA076_1D64_78BD_642F
    return Int(truncatingIfNeeded: mixed &>> 58)
  }
}
