/// A string that is being edited, stored as a gap buffer in WTF-8.
///
/// The gap is at the last edit. An edit costs its distance to the previous one, not the length of
/// the string.
struct DraftText: Sendable {
  private var bytes: [UInt8]
  /// The gap within `bytes`, whose content is meaningless.
  private var gap: Range<Int>
  private var countBeforeGap: Int
  private(set) var count: Int
  private(set) var hasSurrogates: Bool

  init(_ text: [UInt8]) {
    bytes = text
    gap = text.count..<text.count
    count = WTF8.count(text)
    countBeforeGap = count
    hasSurrogates = WTF8.hasSurrogates(text)
  }

  var text: [UInt8] { Array(bytes[..<gap.lowerBound] + bytes[gap.upperBound...]) }

  /// Replaces `deleted` code points at `start`, and returns the removed bytes.
  mutating func splice(at start: Int, deleted: Int, inserted: [UInt8]) -> [UInt8] {
    precondition(start >= 0 && deleted >= 0 && start <= count && deleted <= count - start)
    moveGap(to: start)
    let end = offset(of: start + deleted)
    let removed = Array(bytes[gap.upperBound..<end])
    gap = gap.lowerBound..<end
    insert(inserted)
    let insertedCount = WTF8.count(inserted)
    countBeforeGap += insertedCount
    count += insertedCount - deleted
    if !hasSurrogates { hasSurrogates = WTF8.hasSurrogates(inserted) }
    return removed
  }

  /// Joins the halves of a surrogate pair on both sides of a code point offset.
  mutating func joinSurrogates(at start: Int) -> Bool {
    guard start > 0, start < count else { return false }
    moveGap(to: start)
    guard gap.lowerBound >= 3, bytes.count - gap.upperBound >= 3 else { return false }
    let high = point(at: gap.lowerBound - 3)
    let low = point(at: gap.upperBound)
    guard (0xD800..<0xDC00).contains(high), (0xDC00..<0xE000).contains(low) else { return false }
    var pair: [UInt8] = []
    WTF8.append(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), to: &pair)
    gap = (gap.lowerBound - 3)..<(gap.upperBound + 3)
    insert(pair)
    count -= 1
    return true
  }

  /// Returns the surrogate that starts at an offset, or a number that is no surrogate.
  private func point(at offset: Int) -> UInt32 {
    guard bytes[offset] == 0xED else { return 0 }
    return 0xD000 | UInt32(bytes[offset + 1] & 0x3F) << 6 | UInt32(bytes[offset + 2] & 0x3F)
  }

  private mutating func insert(_ inserted: [UInt8]) {
    if gap.count < inserted.count {
      let room = inserted.count - gap.count + bytes.count / 8 + 64
      bytes.insert(contentsOf: repeatElement(0, count: room), at: gap.upperBound)
      gap = gap.lowerBound..<(gap.upperBound + room)
    }
    for byte in inserted {
      bytes[gap.lowerBound] = byte
      gap = (gap.lowerBound + 1)..<gap.upperBound
    }
  }

  /// Returns the byte offset of the code point at `target`, which is not before the gap.
  private func offset(of target: Int) -> Int {
    if isASCII { return gap.upperBound + target - countBeforeGap }
    return DraftText.skip(target - countBeforeGap, in: bytes[gap.upperBound...])
  }

  private var isASCII: Bool { bytes.count - gap.count == count }

  private mutating func moveGap(to target: Int) {
    if target < countBeforeGap {
      let start =
        isASCII ? target : DraftText.skip(target, in: bytes[..<gap.lowerBound])
      let moved = gap.lowerBound - start
      move(start..<gap.lowerBound, to: gap.upperBound - moved)
      gap = start..<(gap.upperBound - moved)
    } else if target > countBeforeGap {
      let end = offset(of: target)
      move(gap.upperBound..<end, to: gap.lowerBound)
      gap = (gap.lowerBound + end - gap.upperBound)..<end
    }
    countBeforeGap = target
  }

  private mutating func move(_ source: Range<Int>, to destination: Int) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
      let moved = unsafe UnsafeRawBufferPointer(rebasing: unsafe buffer[source])
      let place = unsafe UnsafeMutableRawBufferPointer(rebasing: unsafe buffer[destination...])
      unsafe place.copyMemory(from: moved)
    }
  }

  private static func skip(_ count: Int, in bytes: ArraySlice<UInt8>) -> Int {
    var remaining = count
    var offset = bytes.startIndex
    // Counting a whole block needs no branch per byte, so the compiler vectorises it.
    while offset + blockSize <= bytes.endIndex {
      let starts = WTF8.count(bytes[offset..<(offset + blockSize)])
      guard starts <= remaining else { break }
      remaining -= starts
      offset += blockSize
    }
    while offset < bytes.endIndex, remaining > 0 || bytes[offset] & 0xC0 == 0x80 {
      if bytes[offset] & 0xC0 != 0x80 { remaining -= 1 }
      offset += 1
    }
    return offset
  }

  private static let blockSize = 256
}
