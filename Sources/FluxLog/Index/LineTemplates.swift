import FluxJSON

/// Patterns of known lines that match later lines with other digits.
///
/// Most steps of a type differ from an earlier one in digits only. A different digit does not
/// change what the index needs, unless it is in a type, a source line or the name of a store. A line that fits
/// a pattern therefore writes the same stores in the same way, and its numbers are at the same
/// places. Comparing sixteen bytes takes five instructions.
///
/// Belongs to one thread.
struct LineTemplates {
  struct Match {
    var number: UInt64
    /// In microseconds.
    var time: UInt64
    var type: UInt32
    var shape: UInt32
    var source: UInt32
  }

  private struct Template {
    /// Zero for an empty slot.
    var key: UInt64 = 0
    var length = 0
    var numbers = LineNumbers()
    var type: UInt32 = 0
    var shape: UInt32 = 0
    var source: UInt32 = 0
  }

  /// Sixteen bytes of a pattern: a byte fits if its exclusive or with `base` is at most `limit`,
  /// which is 0 for one byte, and 9 with the base 0x30 for the digits.
  private struct Block {
    var base = SIMD16<UInt8>(repeating: 0)
    var limit = SIMD16<UInt8>(repeating: 0)
  }

  private static let slotCount = 128
  /// If patterns fill a fifth of the slots, about one in a thousand finds none of these free.
  private static let probeCount = 4
  /// The number of patterns that may share a key.
  private static let twinCount = 3
  /// For longer lines, reading the bytes dominates.
  private static let lengths = 42...384
  private static let blocksPerTemplate = lengths.upperBound / 16

  private var templates = Array(repeating: Template(), count: Self.slotCount)
  /// The blocks of the patterns; the last block of each may overlap the one before.
  private var blocks = Array(repeating: Block(), count: Self.slotCount * Self.blocksPerTemplate)
  /// The lines that matched minus the lines that did not, within limits, as of the last line that did not match.
  private var credit = 16
  private var hits = 0
  private var misses = 0

  init() {}

  /// Returns the entry of the line between two places; `nil` if it fits no pattern.
  @inline(__always)
  mutating func find(_ bytes: JSONBytes, from start: Int, to end: Int) -> Match? {
    guard Self.lengths.contains(end &- start) else { return nil }
    let key = Self.key(bytes, start, end)
    for probe in 0..<Self.probeCount {
      let slot = Self.slot(key, probe)
      guard templates[slot].key == key, let found = match(slot, bytes, start, end) else { continue }
      return found
    }
    return nil
  }

  @inline(__always)
  private mutating func match(
    _ slot: Int, _ bytes: JSONBytes, _ start: Int, _ end: Int
  ) -> Match? {
    let template = templates[slot]
    guard template.length == end &- start, fits(slot, bytes, start, end) else { return nil }
    let number = template.numbers.number(bytes, start)
    if template.numbers.causeDigits > 0 {
      guard template.numbers.cause(bytes, start) < number else { return nil }
    }
    hits &+= 1
    return Match(
      number: number, time: template.numbers.time(bytes, start), type: template.type,
      shape: template.shape, source: template.source)
  }

  @inline(__always)
  private func fits(_ slot: Int, _ bytes: JSONBytes, _ start: Int, _ end: Int) -> Bool {
    let line = unsafe bytes.slice(start, end)
    let last = line.count &- 16
    // Each block starts at `last` at the latest, so it is inside the line. There are at most
    // `blocksPerTemplate` blocks, because the length of the line is in `lengths`.
    return unsafe blocks.withUnsafeBufferPointer { blocks in
      var block = slot &* Self.blocksPerTemplate
      var misfits = unsafe Self.misfits(line, last, blocks[block &+ (last &+ 15) / 16])
      for offset in stride(from: 0, to: last, by: 16) {
        misfits = unsafe misfits .| Self.misfits(line, offset, blocks[block])
        block &+= 1
      }
      // Sixteen bytes without padding. `any` would test them one by one.
      let halves = unsafe unsafeBitCast(misfits, to: SIMD2<UInt64>.self)
      return halves.x | halves.y == 0
    }
  }

  @inline(__always)
  private static func misfits(
    _ line: UnsafeRawBufferPointer, _ offset: Int, _ block: Block
  ) -> SIMDMask<SIMD16<Int8>> {
    let found = unsafe line.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
    return (found ^ block.base) .> block.limit
  }

  /// Adds a line, or one in sixteen if lines rarely match; digits in `names` have to be equal.
  mutating func learn(
    _ bytes: JSONBytes, from start: Int, to end: Int, _ numbers: LineNumbers,
    names: [Range<Int>], type: UInt32, shape: UInt32, source: UInt32
  ) {
    guard Self.lengths.contains(end - start) else { return }
    credit = max(min(credit + hits, 64) - 1, 0)
    hits = 0
    misses &+= 1
    guard credit > 0 || misses % 16 == 0 else { return }
    let key = Self.key(bytes, start, end)
    let slot = freeSlot(for: key)
    templates[slot] = Template(
      key: key, length: end - start, numbers: numbers, type: type, shape: shape, source: source)
    var block = slot * Self.blocksPerTemplate
    for offset in stride(from: 0, to: end - start, by: 16) {
      blocks[block] = Self.block(bytes, min(start + offset, end - 16), names)
      block += 1
    }
  }

  /// Returns the slot for another pattern with a key: lines of one type often come from a few places in the app, whose
  /// patterns have the same key.
  private func freeSlot(for key: UInt64) -> Int {
    let slots = (0..<Self.probeCount).map { Self.slot(key, $0) }
    let twins = slots.filter { templates[$0].key == key }
    if twins.count < Self.twinCount, let free = slots.first(where: { templates[$0].key == 0 }) {
      return free
    }
    // If no slot is free, any of them can be replaced.
    return twins.isEmpty ? slots[misses % Self.probeCount] : twins[misses % twins.count]
  }

  private static func block(_ bytes: JSONBytes, _ offset: Int, _ names: [Range<Int>]) -> Block {
    let found = bytes.block(at: offset)
    let isDigit = (found ^ zeros) .<= nines
    var block = Block()
    block.base = found.replacing(with: zeros, where: isDigit)
    block.limit = block.limit.replacing(with: nines, where: isDigit)
    for name in names {
      for byte in name.clamped(to: offset..<offset + 16).lazy.map({ $0 - offset }) {
        block.base[byte] = found[byte]
        block.limit[byte] = 0
      }
    }
    return block
  }

  /// Returns a key that all lines of a pattern share, never zero, from the bytes around the type
  /// and those at the end of the line, where the state is.
  @inline(__always)
  private static func key(_ bytes: JSONBytes, _ start: Int, _ end: Int) -> UInt64 {
    let last = end &- 16
    var mixed = withoutDigits(bytes.block(at: min(start &+ 40, last)))
    mixed = mixed &+ mixed ^ withoutDigits(bytes.block(at: min(start &+ 56, last)))
    mixed = mixed &+ mixed ^ withoutDigits(bytes.block(at: last))
    // Both types are sixteen bytes without padding.
    let halves = unsafe unsafeBitCast(mixed, to: SIMD2<UInt64>.self)
    let length = UInt64(truncatingIfNeeded: end &- start)
    let key = (halves.x ^ halves.y &* 0x9E37_79B9_7F4A_7C15 ^ length) &* 0xA076_1D64_78BD_642F
    return key | 1
  }

  @inline(__always)
  private static func withoutDigits(_ block: SIMD16<UInt8>) -> SIMD16<UInt8> {
    block.replacing(with: zeros, where: (block ^ zeros) .<= nines)
  }

  /// Uses the upper bits, which depend on the whole line.
  @inline(__always)
  private static func slot(_ key: UInt64, _ probe: Int) -> Int {
    Int(truncatingIfNeeded: key &>> 57 &+ UInt64(truncatingIfNeeded: probe)) & (slotCount &- 1)
  }

  private static var zeros: SIMD16<UInt8> { SIMD16(repeating: UInt8(ascii: "0")) }
  private static var nines: SIMD16<UInt8> { SIMD16(repeating: 9) }
}
