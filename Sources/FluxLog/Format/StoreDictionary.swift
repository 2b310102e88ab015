/// Values by the names of stores, to the byte.
///
/// Swift's strings are equal where they read alike: é is one scalar or two. A log can have a store of either name, and
/// a dictionary of strings would have one of them. This one has both:
///
/// ```swift
/// let states: StoreDictionary<JSON> = ["caf\u{E9}": 1, "cafe\u{301}": 2]
/// states.count  // 2
/// ```
public struct StoreDictionary<Value> {
  private var values: [ExactName: Value]

  /// Makes an empty dictionary.
  public init() {
    values = [:]
  }

  /// Makes a dictionary of pairs.
  ///
  /// - Parameters:
  ///   - pairs: Names and values.
  ///   - combine: Which value is kept of two with one name.
  /// - Throws: What `combine` throws.
  public init(
    _ pairs: some Sequence<(String, Value)>,
    uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    values = try Dictionary(
      pairs.lazy.map { (ExactName($0.0), $0.1) }, uniquingKeysWith: combine)
  }

  private init(values: [ExactName: Value]) {
    self.values = values
  }

  /// The value of a store; setting nil removes it.
  public subscript(_ store: String) -> Value? {
    get { values[ExactName(store)] }
    set { values[ExactName(store)] = newValue }
  }

  /// How many stores have a value.
  public var count: Int { values.count }

  /// Whether no store has one.
  public var isEmpty: Bool { values.isEmpty }

  /// The names and the values, sorted by the bytes of the names.
  public var ordered: [(key: String, value: Value)] {
    values.sorted { $0.key < $1.key }.map { (key: $0.key.text, value: $0.value) }
  }

  /// Removes the value of a store; returns it.
  @discardableResult
  public mutating func removeValue(forKey store: String) -> Value? {
    values.removeValue(forKey: ExactName(store))
  }

  /// The same names with other values.
  public func mapValues<Other, Failure: Error>(
    _ transform: (Value) throws(Failure) -> Other
  ) throws(Failure) -> StoreDictionary<Other> {
    var others: [ExactName: Other] = [:]
    for (store, value) in values { others[store] = try transform(value) }
    return StoreDictionary<Other>(values: others)
  }

  /// The names for whose values there are others.
  public func compactMapValues<Other>(_ transform: (Value) -> Other?) -> StoreDictionary<Other> {
    StoreDictionary<Other>(values: values.compactMapValues(transform))
  }

  /// The stores for which something holds.
  public func filter(_ holds: (_ store: String, _ value: Value) -> Bool) -> StoreDictionary {
    StoreDictionary(values: values.filter { holds($0.key.text, $0.value) })
  }
}

extension StoreDictionary: Sequence {
  /// Gives each name with its value, in no order.
  public func makeIterator() -> some IteratorProtocol<(key: String, value: Value)> {
    values.lazy.map { (key: $0.key.text, value: $0.value) }.makeIterator()
  }
}

extension StoreDictionary: ExpressibleByDictionaryLiteral {
  /// Makes a dictionary of names and values in the source; of two with one name the last one counts.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements, uniquingKeysWith: { $1 })
  }
}

extension StoreDictionary: Equatable where Value: Equatable {}

extension StoreDictionary: Sendable where Value: Sendable {}
