import FluxCore

/// The bits of a small value that contains no references.
///
/// Two values of one type with equal bits are equal. Equal values can have different bits, because
/// some bits may be unused.
struct ActionBits: Equatable, Sendable {
  private let type: ObjectIdentifier
  private let low: UInt64
  private let high: UInt64

  /// Creates the bits of a value; nil if it contains references or takes more than 16 bytes.
  init?(_ value: some Any) {
    let type = Swift.type(of: value)
    guard _isPOD(type), MemoryLayout.size(ofValue: value) <= 16 else { return nil }
    self.type = ObjectIdentifier(type)
    var bits: (low: UInt64, high: UInt64) = (0, 0)
    unsafe withUnsafeBytes(of: value) { value in
      // The guard above ensures that the value takes at most 16 bytes.
      unsafe withUnsafeMutableBytes(of: &bits) { unsafe $0.copyMemory(from: value) }
    }
    (low, high) = bits
  }

  /// A hash that similar values are unlikely to share.
  var hash: UInt64 {
    let mixed = low ^ high &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(UInt(bitPattern: type))
    return (mixed &* 0xBF58_476D_1CE4_E5B9) >> 32
  }
}

/// Caches the encoded text of actions that contain no references.
///
/// Apps dispatch the same small actions again and again: timer ticks, cursor movements, switches.
/// Their `encode(to:)` can only depend on their value. Calling it takes twenty times as long as a
/// lookup here.
final class RepeatedActions: @unchecked Sendable {
  // Sendable: the variable is guarded by `lock`.
  static let shared = RepeatedActions()

  /// The number of places; a new action replaces the one in its place.
  private static let placeCount: UInt64 = 256

  private let lock = Lock()
  private var known = [(bits: ActionBits, text: [UInt8])?](
    repeating: nil, count: Int(placeCount))

  func text(of bits: ActionBits) -> [UInt8]? {
    let place = Int(bits.hash % Self.placeCount)
    lock.lock()
    defer { lock.unlock() }
    guard let entry = known[place], entry.bits == bits else { return nil }
    return entry.text
  }

  func remember(_ bits: ActionBits, _ text: [UInt8]) {
    let place = Int(bits.hash % Self.placeCount)
    lock.lock()
    defer { lock.unlock() }
    known[place] = (bits, text)
  }
}
