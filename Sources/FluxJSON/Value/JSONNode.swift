/// A node of the tape: a value's range in the text, and the index of the next value's node.
///
/// Nodes are in the order of the text. The node of an array is followed by its elements. The node
/// of an object is followed by its members, each a name (a string) and a value. A node has 16
/// bytes, so four of them fit in a cache line.
@usableFromInline package struct JSONNode {
  /// The offset of the value's first byte.
  @usableFromInline package var start: UInt32
  /// The offset after the value's last byte.
  @usableFromInline package var end: UInt32
  /// The index on the tape after this value and everything in it.
  ///
  /// While the parser is inside a container, this is the index of the enclosing container.
  @usableFromInline package var next: UInt32
  /// From bit 0: the kind (three bits), five flags and the count (24 bits).
  @usableFromInline var info: UInt32

  @inline(__always)
  init(_ kind: JSON.Kind, start: Int, end: Int, next: Int, flags: UInt32 = 0) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
    self.info = UInt32(truncatingIfNeeded: kind.rawValue) | flags
  }

  /// The four fields, in order.
  typealias Words = SIMD4<UInt32>

  @inline(__always)
  init(words: Words) {
    (start, end, next, info) = (words.x, words.y, words.z, words.w)
  }

  var words: Words {
    @inline(__always) get { Words(start, end, next, info) }
  }

  /// Set for a string that contains at least one escape.
  package static let escaped: UInt32 = 1 << 3
  /// Set for an object that repeats a name.
  static let repeatsName: UInt32 = 1 << 4
  /// Set for a container that is or contains an object that repeats a name.
  package static let holdsRepeat: UInt32 = 1 << 5
  /// Set for an object whose names have no escapes and are in strictly ascending order of their
  /// bytes.
  static let sorted: UInt32 = 1 << 6

  /// The largest count that fits; the actual count may be higher and must be determined by walking.
  static let countLimit: UInt32 = 1 << 24 - 1

  @inlinable @inline(__always)
  package var kind: JSON.Kind {
    switch info & 7 {
    case 0: .null
    case 1: .bool
    case 2: .number
    case 3: .string
    case 4: .array
    default: .object
    }
  }

  @inlinable @inline(__always)
  package func has(_ flag: UInt32) -> Bool { info & flag != 0 }

  /// The number of elements or members as written, at most `countLimit`.
  @inline(__always)
  var storedCount: UInt32 { info >> 8 }
}
