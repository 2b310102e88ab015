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
struct ObjectSearch {
  /// The types whose values never hold an object of this kind.
  private var plain: Set<ObjectIdentifier> = Self.leaves

  /// Values without parts, or with a storage that is never changed in place.
  private static let leaves: Set<ObjectIdentifier> = {
    let types: [Any.Type] = [
      String.self, Substring.self, Character.self, Date.self, Data.self, URL.self, UUID.self,
      Decimal.self, TimeZone.self, Locale.self, Calendar.self, DateComponents.self, IndexSet.self,
      IndexPath.self, CharacterSet.self, URLComponents.self, AttributedString.self, JSON.self,
      NumberText.self,
    ]
    return Set(types.map { ObjectIdentifier($0) })
  }()

  /// `true` if no value of the type holds an object that can encode itself, as far as is known by now.
  mutating func isPlain(_ type: Any.Type) -> Bool {
    if plain.contains(ObjectIdentifier(type)) { return true }
    let container = type as? any TransparentContainer.Type
    guard isTrivial(type) || container?.parts.allSatisfy({ isPlain($0) }) == true else {
      return false
    }
    plain.insert(ObjectIdentifier(type))
    return true
  }

  /// Returns `true` if a value holds an object that can encode itself, or hides what it holds.
  mutating func finds(in value: Any) -> Bool {
    var rest = [value]
    var structs: [ObjectIdentifier: (value: Any, parts: [Any])] = [:]
    while let value = rest.popLast() {
      let type = Swift.type(of: value)
      guard !isPlain(type) else { continue }
      if type is AnyObject.Type {
        guard value is any Encodable else { continue }
        return true
      }
      let mirror = Mirror(reflecting: value)
      let parts = mirror.children.map(\.value)
      switch mirror.displayStyle {
      case .collection, .set, .dictionary, .optional: break
      case _ where value is any CustomReflectable: return true
      case .struct, .tuple: structs[ObjectIdentifier(type)] = (value, parts)
      default: break
      }
      rest += parts
    }
    if !structs.isEmpty { learn(structs) }
    return false
  }

  /// Adds the struct types that are plain if those among them are that they consist of, as in a tree.
  private mutating func learn(_ structs: [ObjectIdentifier: (value: Any, parts: [Any])]) {
    let known = plain
    var candidates = structs
    while !candidates.isEmpty {
      plain = known.union(candidates.keys)
      let failed = candidates.filter { !hasOnlyPlainParts($0.value.value, $0.value.parts) }
      if failed.isEmpty { return }
      for type in failed.keys { candidates[type] = nil }
    }
    plain = known
  }

  /// Returns `true` if a struct's stored properties have types without objects, whatever their values are.
  ///
  /// Reflection shows the type of a property's value. That is the type of the property itself unless it is an existential
  /// type such as `any P`, whose next value may have another type.
  private mutating func hasOnlyPlainParts(_ value: Any, _ parts: [Any]) -> Bool {
    let whole = Swift.type(of: value)
    var offset = 0
    for part in parts {
      let type = Swift.type(of: part)
      guard isPlain(type), !(part is any Error) else { return false }
      let layout = self.layout(of: type)
      offset = (offset + layout.alignment - 1) & ~(layout.alignment - 1)
      let metadata = offset + 3 * MemoryLayout<UInt>.size
      let word = self.word(of: value, whole, at: metadata)
      if word == UInt(bitPattern: ObjectIdentifier(type)) { return false }
      offset += layout.size
    }
    return true
  }

  private func layout<Value>(of type: Value.Type) -> (size: Int, alignment: Int) {
    (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
  }

  /// Returns a word of a value's memory; `nil` if it is not so long.
  ///
  /// An existential type has three words for the value, and then the type of it.
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

extension ContiguousArray: TransparentContainer {
  fileprivate static var parts: [Any.Type] { [Element.self] }
}

extension Set: TransparentContainer {
  fileprivate static var parts: [Any.Type] { [Element.self] }
}

extension Dictionary: TransparentContainer {
  fileprivate static var parts: [Any.Type] { [Key.self, Value.self] }
}

extension Range: TransparentContainer {
  fileprivate static var parts: [Any.Type] { [Bound.self] }
}

extension ClosedRange: TransparentContainer {
  fileprivate static var parts: [Any.Type] { [Bound.self] }
}
