import Foundation

/// Finds the objects in a value that can encode themselves.
///
/// Such an object may change in place, while the bits of the value stay the same. The encoder sees an object that it gets
/// as a value, and cannot see one that gets the encoder, as in `try box.encode(to: encoder)`. So this looks at the
/// stored parts of a value by reflection. That takes microseconds for each part, so types whose values never hold
/// such an object are looked at once.
///
/// Objects that are not `Encodable` are no reason to give up, and are not looked into: they may be the storage of
/// a value, and other threads may be changing them.
package struct ObjectSearch {
  /// The types whose values never hold an object of this kind; at first, those without parts, or with a storage that is
  /// never changed in place.
  private var plain = Set(
    [
      String.self, Substring.self, Character.self, Date.self, Data.self, URL.self, UUID.self,
      Decimal.self, TimeZone.self, Locale.self, Calendar.self, DateComponents.self, IndexSet.self,
      IndexPath.self, CharacterSet.self, URLComponents.self, AttributedString.self, JSON.self,
    ].map { (type: Any.Type) in ObjectIdentifier(type) })

  /// The number of parts that the current search may still look into.
  private var rest = 0
  /// The maximum number of parts that a search looks into.
  private static let most = 10_000
  /// The maximum number of parts inside each other.
  private static let deepest = 64

  /// Creates a search that knows the types without parts.
  package init() {}

  /// `true` if no value of the type holds an object that can encode itself, as far as is known by now.
  package mutating func isPlain(_ type: Any.Type) -> Bool {
    if plain.contains(ObjectIdentifier(type)) { return true }
    let container = type as? any TransparentContainer.Type
    guard isTrivial(type) || container?.parts.allSatisfy({ isPlain($0) }) == true else {
      return false
    }
    plain.insert(ObjectIdentifier(type))
    return true
  }

  /// Returns `true` if a value holds an object that can encode itself, or hides what it holds.
  ///
  /// So does one with too many parts, or with parts too deep inside each other for the stack of the app's thread.
  package mutating func finds(in value: Any) -> Bool {
    rest = Self.most
    return finds(in: value, depth: 0)
  }

  private mutating func finds(in value: Any, depth: Int) -> Bool {
    let type = Swift.type(of: value)
    if isPlain(type) { return false }
    guard rest > 0, depth < Self.deepest else { return true }
    rest -= 1
    if type is AnyObject.Type { return value is any Encodable }
    let mirror = Mirror(reflecting: value)
    // The children of a mirror that the app makes may have no end.
    if value is any CustomReflectable, !Self.isStandardCollection(mirror, type) { return true }
    let parts = mirror.children.map(\.value)
    if parts.contains(where: { finds(in: $0, depth: depth + 1) }) { return true }
    if mirror.displayStyle == .struct, hasOnlyPlainParts(value, parts) {
      plain.insert(ObjectIdentifier(type))
    }
    return false
  }

  private static func isStandardCollection(_ mirror: Mirror, _ type: Any.Type) -> Bool {
    switch mirror.displayStyle {
    case .collection, .set, .dictionary, .optional: String(reflecting: type).hasPrefix("Swift.")
    default: false
    }
  }

  /// Returns `true` if a struct's stored properties have types without objects, whatever their values are.
  ///
  /// Reflection shows the type of a property's value. That is the type of the property itself unless it is an existential
  /// type such as `any P`, whose next value may have another type. An existential has three words for the value, and then
  /// the type of it.
  private mutating func hasOnlyPlainParts(_ value: Any, _ parts: [Any]) -> Bool {
    let whole = Swift.type(of: value)
    var offset = 0
    for part in parts {
      let type = Swift.type(of: part)
      guard isPlain(type), !(part is any Error) else { return false }
      let (size, alignment) = layout(of: type)
      offset = (offset + alignment - 1) & ~(alignment - 1)
      let word = word(of: value, whole, at: offset + 3 * MemoryLayout<UInt>.size)
      if word == UInt(bitPattern: ObjectIdentifier(type)) { return false }
      offset += size
    }
    return true
  }

  private func layout<Value>(of type: Value.Type) -> (size: Int, alignment: Int) {
    (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
  }

  /// Returns a word of a value's memory; `nil` if it is not so long.
  private func word<Value>(of value: Any, _ type: Value.Type, at offset: Int) -> UInt? {
    guard let value = value as? Value else { return nil }
    return unsafe withUnsafeBytes(of: value) { bytes in
      guard offset + MemoryLayout<UInt>.size <= bytes.count else { return nil }
      // The word is within the bytes of the value.
      return unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt.self)
    }
  }

  private func isTrivial<Value>(_ type: Value.Type) -> Bool { _isPOD(type) }
}

/// A type of the standard library whose values hold only values of some types.
private protocol TransparentContainer {
  static var parts: [Any.Type] { get }
}

extension Optional: TransparentContainer {
  fileprivate static var parts: [Any.Type] { [Wrapped.self] }
}

extension Array: TransparentContainer {
  fileprivate static var parts: [Any.Type] { [Element.self] }
}

extension Set: TransparentContainer {
  fileprivate static var parts: [Any.Type] { [Element.self] }
}

extension Dictionary: TransparentContainer {
  fileprivate static var parts: [Any.Type] { [Key.self, Value.self] }
}
