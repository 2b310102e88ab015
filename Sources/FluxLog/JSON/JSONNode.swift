/// One entry of the tape: where a value stands in the text, and where the next one stands on the tape.
///
/// Values stand on the tape in the order of the text. An array is followed by its elements, an
/// object by its members, each a name (a string) and a value. Sixteen bytes, so that four share a
/// cache line.
struct JSONNode {
  /// The offset of the value's first byte.
  var start: UInt32
  /// The offset after the value's last byte.
  var end: UInt32
  /// The place on the tape after this value and all that it contains.
  ///
  /// While the parser is inside the container, the place of the container around it.
  var next: UInt32
  /// From bit 0: three bits of kind, five flags, and 24 bits of count.
  var info: UInt32

  @inline(__always)
  init(_ kind: JSON.Kind, start: Int, end: Int, next: Int, flags: UInt32 = 0) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
    self.info = UInt32(truncatingIfNeeded: kind.rawValue) | flags
  }

  /// The four members, in order.
  typealias Words = SIMD4<UInt32>

  @inline(__always)
  init(words: Words) {
    (start, end, next, info) = (words.x, words.y, words.z, words.w)
  }

  var words: Words {
    @inline(__always) get { Words(start, end, next, info) }
  }

  /// A string that holds at least one escape.
  static let escaped: UInt32 = 1 << 3
  /// An object that names a member twice.
  static let repeatsName: UInt32 = 1 << 4
  /// A container that is, or holds anywhere, an object that names a member twice.
  static let holdsRepeat: UInt32 = 1 << 5
  /// An object whose names are in strictly ascending order of their bytes, and have no escapes.
  static let sorted: UInt32 = 1 << 6

  /// The count that stands for "this many or more: walk to know".
  static let countLimit: UInt32 = 1 << 24 - 1

  @inline(__always)
  var kind: JSON.Kind {
    switch info & 7 {
    case 0: .null
    case 1: .bool
    case 2: .number
    case 3: .string
    case 4: .array
    default: .object
    }
  }

  @inline(__always)
  func has(_ flag: UInt32) -> Bool { info & flag != 0 }

  /// Elements or members as written, at most `countLimit`.
  @inline(__always)
  var storedCount: UInt32 { info >> 8 }
}
