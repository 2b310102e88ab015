// Iterating over the standard collections, without a mirror for each.

protocol ReflectedOptional {
  var wrapped: Any? { get }
}

extension Optional: ReflectedOptional {
  // A generic value is cast, so that one of a type such as `any P` is not wrapped twice.
  var wrapped: Any? { map { $0 as Any } }
}

/// A collection whose elements are written one after the other.
protocol ReflectedElements {
  /// The number of elements that form one entry, for a collection without an order; else 0.
  static var entrySize: UInt8 { get }

  /// Calls `body` with the elements until it returns `false`.
  func forEachElement(_ body: (Any) throws -> Bool) rethrows
}

extension ReflectedElements {
  static var entrySize: UInt8 { 0 }
}

extension ReflectedElements where Self: Sequence {
  func forEachElement(_ body: (Any) throws -> Bool) rethrows {
    for element in self where try !body(element as Any) { return }
  }
}

extension Array: ReflectedElements {}
extension ArraySlice: ReflectedElements {}
extension ContiguousArray: ReflectedElements {}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension InlineArray: ReflectedElements {
  // It is no sequence, and its mirror shows none of its elements.
  func forEachElement(_ body: (Any) throws -> Bool) rethrows {
    for index in indices where try !body(self[index] as Any) { return }
  }
}

extension Set: ReflectedElements {
  static var entrySize: UInt8 { 1 }
}

protocol ReflectedEntries {
  /// `true` if all keys can be the names of an object's members, as in an encoded dictionary.
  var hasNames: Bool { get }

  /// Calls `body` with the name, the key and the value of each entry until it returns `false`.
  func forEachEntry(_ body: (_ name: String?, _ key: Any, _ value: Any) throws -> Bool) rethrows
}

extension Dictionary: ReflectedEntries {
  var hasNames: Bool {
    if Key.self == AnyHashable.self { return keys.allSatisfy { name(of: $0) != nil } }
    return Key.self == String.self || Key.self == Int.self
      || Key.self is any CodingKeyRepresentable.Type
  }

  func forEachEntry(_ body: (_ name: String?, _ key: Any, _ value: Any) throws -> Bool) rethrows {
    let hasNames = hasNames
    for (key, value) in self {
      guard try body(hasNames ? name(of: key) : nil, key as Any, value as Any) else { return }
    }
  }

  private func name(of key: Key) -> String? {
    switch key {
    case let name as String: name
    case let key as AnyHashable where Key.self == AnyHashable.self: key.base as? String
    case let number as Int: String(number)
    case let key as any CodingKeyRepresentable: key.codingKey.stringValue
    default: nil
    }
  }
}
