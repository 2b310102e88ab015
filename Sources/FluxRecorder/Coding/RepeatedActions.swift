import FluxCore

/// A small value that refers to nothing, as the bits that it consists of.
///
/// Equal bits of one type are the same value; different bits prove nothing, as there may be unused ones.
struct ActionBits: Equatable, Sendable {
  private let type: ObjectIdentifier
  private let low: UInt64
  private let high: UInt64

  /// Nil where the value refers to objects, as strings and arrays do, or takes more than sixteen bytes.
  init?(_ value: some Any) {
    let type = Swift.type(of: value)
    guard _isPOD(type), MemoryLayout.size(ofValue: value) <= 16 else { return nil }
    self.type = ObjectIdentifier(type)
    var bits: (low: UInt64, high: UInt64) = (0, 0)
    unsafe withUnsafeBytes(of: value) { value in
      // At most sixteen bytes, as was made sure of.
      unsafe withUnsafeMutableBytes(of: &bits) { unsafe $0.copyMemory(from: value) }
    }
    (low, high) = bits
  }

  /// A number that similar values are unlikely to share.
  var hash: UInt64 {
    let mixed = low ^ high &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(UInt(bitPattern: type))
    return (mixed &* 0xBF58_476D_1CE4_E5B9) >> 32
  }
}

/// The texts of actions that are bits and nothing else, as they were written last.
///
/// Apps dispatch the same small actions again and again: steps of a timer, of a cursor, of a few switches. To
/// encode one by its `encode(to:)`, which can only depend on its value, takes twenty times as long as to look it
/// up here.
final class RepeatedActions: @unchecked Sendable {
  // Sendable: the variable is guarded by `lock`.
  static let shared = RepeatedActions()

  /// Actions that share a place take it from each other.
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
