extension JSON {
  /// `true` for arrays and objects.
  package var isContainer: Bool { kind == .array || kind == .object }

  /// The number of elements or members; 0 for scalars.
  ///
  /// A repeated name counts once.
  public var count: Int {
    guard isContainer else { return 0 }
    return document.withTape { tape in
      tape[place].has(JSONNode.repeatsName)
        ? tape.distinctNames(place).count : tape.writtenCount(place)
    }
  }

  /// The element at `index`; nil if there is none or the value is not an array.
  ///
  /// This walks over the preceding elements. Use ``elements`` to visit all of them.
  public subscript(_ index: Int) -> JSON? {
    guard kind == .array, index >= 0 else { return nil }
    return elements.dropFirst(index).first
  }

  /// The value of the member `name`; nil if there is none or the value is not an object.
  ///
  /// Names are compared by code points. If a name is repeated, its last value counts. The first
  /// lookup in an object with many members sorts their names. Every lookup then takes logarithmic
  /// time.
  public subscript(_ name: String) -> JSON? {
    guard kind == .object, let found = document.find(name, in: place) else { return nil }
    return JSON(document: document, place: found)
  }

  /// The elements of an array; empty for other kinds.
  public var elements: Elements {
    let node = node
    let end = node.kind == .array ? Int(node.next) : place + 1
    return Elements(document: document, start: place + 1, end: end, array: place)
  }

  /// The members of an object in their written order; empty for other kinds.
  ///
  /// A repeated name appears once: at its first position, with its last value.
  public var members: Members {
    let node = node
    let end = node.kind == .object ? Int(node.next) : place + 1
    let last = node.has(JSONNode.repeatsName) ? document.withTape { $0.lastValues(place) } : nil
    return Members(document: document, place: place + 1, end: end, last: last)
  }

  /// The elements of an array, in order.
  public struct Elements: Collection, Sendable {
    /// A position in the array.
    public struct Index: Comparable, Sendable {
      let place: Int
      /// Returns `true` if the left index comes before the right one.
      public static func < (left: Index, right: Index) -> Bool { left.place < right.place }
    }

    let document: JSONDocument
    let start: Int
    let end: Int
    let array: Int

    /// The position of the first element.
    public var startIndex: Index { Index(place: start) }
    /// The position after the last element.
    public var endIndex: Index { Index(place: end) }
    /// The number of elements, usually without walking over them.
    ///
    /// Only an array with 2^24 - 1 or more elements is counted one by one.
    public var count: Int { start == end ? 0 : document.withTape { $0.writtenCount(array) } }

    /// Returns the position after the given one.
    public func index(after index: Index) -> Index {
      precondition(index.place >= start && index.place < end, "the index is not in the array")
      return Index(place: Int(document.withTape { $0[index.place].next }))
    }

    /// Returns the element at a position.
    public subscript(_ index: Index) -> JSON {
      precondition(index.place >= start && index.place < end, "the index is not in the array")
      return JSON(document: document, place: index.place)
    }
  }

  /// One member of an object.
  public struct Member: Sendable, Equatable {
    /// The name, decoded like ``JSON/string``.
    public let name: String
    /// The value.
    public let value: JSON
  }

  /// The members of an object in their written order.
  public struct Members: Sequence, IteratorProtocol, Sendable {
    let document: JSONDocument
    var place: Int
    let end: Int
    /// Maps the first place of each name to the place of its last value; nil if no name is
    /// repeated.
    let last: [Int: Int]?

    /// Returns the next member; nil after the last one.
    public mutating func next() -> Member? {
      document.withTape { tape in
        while place < end {
          let name = place
          place = Int(tape[name + 1].next)
          guard let value = last == nil ? name + 1 : last?[name] else { continue }
          return Member(name: tape.string(name), value: JSON(document: document, place: value))
        }
        return nil
      }
    }
  }
}

extension JSONTape {
  /// Maps the first place of each name to the place of its last value.
  func lastValues(_ object: Int) -> [Int: Int] {
    var values: [Int: Int] = [:]
    var first: Int?
    for name in sortedNames(object) {
      if let known = first, contentOrder(known, self, name) == 0 {
        values[known] = name + 1
      } else {
        values[name] = name + 1
        first = name
      }
    }
    return values
  }
}
