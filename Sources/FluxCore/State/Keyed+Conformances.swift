extension Keyed: RandomAccessCollection {
  /// 0.
  @inlinable public var startIndex: Int { 0 }
  /// The number of elements.
  @inlinable public var endIndex: Int { storage.count }

  /// The element at an index.
  @inlinable public subscript(position: Int) -> Element { storage[position] }
}

extension Keyed: ExpressibleByArrayLiteral {
  /// Creates a list from its elements, in order.
  @inlinable
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension Keyed: Equatable where Element: Equatable {
  /// Compares the elements in order.
  @inlinable
  public static func == (left: Keyed, right: Keyed) -> Bool { left.storage == right.storage }
}

extension Keyed: Hashable where Element: Hashable {
  /// Hashes the elements in order.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage)
  }
}

extension Keyed: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  @inlinable
  public func encode(to encoder: any Encoder) throws {
    // In a container, so that a recorder recognizes the array and skips elements that did not change.
    var container = encoder.singleValueContainer()
    try container.encode(storage)
  }
}

extension Keyed: Decodable where Element: Decodable {
  /// Decodes the elements from an array.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if two elements have the same identifier, and the errors of
  ///   decoding an element.
  @inlinable
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init()
    storage = try container.decode([Element].self)
    places.reserveCapacity(storage.count)
    for (place, element) in storage.enumerated() {
      guard let other = places.updateValue(place, forKey: element.id) else { continue }
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "elements \(other) and \(place) have the same id")
    }
  }
}

extension Keyed: CustomStringConvertible, CustomReflectable {
  /// The elements, as an array describes itself.
  public var description: String { storage.description }

  /// The elements, as an array reflects itself.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: storage, displayStyle: .collection)
  }
}
