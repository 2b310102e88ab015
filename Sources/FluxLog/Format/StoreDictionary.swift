package import FluxJSON

/// The name of a store or the type of an action, compared byte by byte.
///
/// Swift strings are equal if they are canonically equivalent: é can be one scalar or two. JSON,
/// and so a log, has two different names there. Use this type as the key of everything that is
/// looked up by name.
package struct BytewiseName: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: BytewiseName, right: BytewiseName) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package static func < (left: BytewiseName, right: BytewiseName) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(text.utf8.count)
  }
}

extension String {
  /// `true` if both strings have the same UTF-8 bytes.
  ///
  /// `elementsEqual` compares byte by byte, which took 4 % of the instructions of `verify`.
  package func hasSameBytes(as other: String) -> Bool {
    // Short names contain their bytes, and longer ones usually share them.
    let hasSameBits = unsafe withUnsafeBytes(of: self) { bits in
      unsafe withUnsafeBytes(of: other) { unsafe bits.equals($0) }
    }
    if hasSameBits { return true }
    let isEqual = unsafe utf8.withContiguousStorageIfAvailable { left in
      unsafe other.utf8.withContiguousStorageIfAvailable { right in
        unsafe UnsafeRawBufferPointer(left).equals(UnsafeRawBufferPointer(right))
      }
    }
    return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

extension Sequence<String> {
  /// Returns `true` if one of the names has the same UTF-8 bytes.
  package func contains(exactly name: String) -> Bool {
    contains { $0.hasSameBytes(as: name) }
  }
}

/// A dictionary keyed by store names, which are compared byte by byte.
///
/// Swift strings are equal if they are canonically equivalent: é can be one scalar or two. A log
/// can have a store of either name; a `[String: Value]` would keep only one of them:
///
/// ```swift
/// let states: StoreDictionary<JSON> = ["caf\u{E9}": 1, "cafe\u{301}": 2]
/// states.count  // 2
/// ```
public struct StoreDictionary<Value> {
  private var values: [BytewiseName: Value]

  /// Makes a dictionary of pairs.
  ///
  /// - Parameters:
  ///   - pairs: Names and values.
  ///   - combine: Returns the value to keep for a name that occurs twice.
  /// - Throws: Any error of `combine`.
  public init(
    _ pairs: some Sequence<(String, Value)>,
    uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    values = try Dictionary(
      pairs.lazy.map { (BytewiseName($0.0), $0.1) }, uniquingKeysWith: combine)
  }

  private init(values: [BytewiseName: Value]) {
    self.values = values
  }

  /// The value of a store; set it to `nil` to remove it.
  public subscript(_ store: String) -> Value? {
    get { values[BytewiseName(store)] }
    set { values[BytewiseName(store)] = newValue }
  }

  /// The number of stores.
  public var count: Int { values.count }

  /// `true` if the dictionary has no stores.
  public var isEmpty: Bool { values.isEmpty }

  /// The names and values, sorted by the bytes of the names.
  public var ordered: [(key: String, value: Value)] {
    values.sorted { $0.key < $1.key }.map { (key: $0.key.text, value: $0.value) }
  }

  /// Removes and returns the value of a store.
  @discardableResult
  public mutating func removeValue(forKey store: String) -> Value? {
    values.removeValue(forKey: BytewiseName(store))
  }

  /// Returns a dictionary of the non-`nil` results of `transform`.
  public func compactMapValues<Other>(_ transform: (Value) -> Other?) -> StoreDictionary<Other> {
    StoreDictionary<Other>(values: values.compactMapValues(transform))
  }

  /// Returns the pairs that satisfy a predicate.
  public func filter(_ holds: (_ store: String, _ value: Value) -> Bool) -> StoreDictionary {
    StoreDictionary(values: values.filter { holds($0.key.text, $0.value) })
  }
}

extension StoreDictionary: Sequence {
  /// Iterates over the pairs in no particular order.
  public func makeIterator() -> some IteratorProtocol<(key: String, value: Value)> {
    values.lazy.map { (key: $0.key.text, value: $0.value) }.makeIterator()
  }
}

extension StoreDictionary: ExpressibleByDictionaryLiteral {
  /// Makes a dictionary from a literal; for a repeated name, the last value is used.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements, uniquingKeysWith: { $1 })
  }
}

extension StoreDictionary: Equatable where Value: Equatable {}

extension StoreDictionary: Hashable where Value: Hashable {}

extension StoreDictionary: Sendable where Value: Sendable {}

extension StoreDictionary<JSON> {
  /// Takes the members of an object with a state for each store; of two with one name, the last.
  package init(_ states: JSON) {
    self.init(states.members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }
}
