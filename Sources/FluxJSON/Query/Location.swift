/// The location of a node: the names and indices that lead to it from the root.
public struct Location: Sendable, Hashable {
  /// One name or index of a location; names are compared byte by byte.
  public enum Element: Sendable {
    /// The member with this name.
    case name(String)
    /// The element at this zero-based index.
    case index(Int)
  }

  /// The elements from the root to the node; empty for the root.
  public let elements: [Element]

  /// Creates a location from its elements.
  public init(_ elements: [Element]) {
    self.elements = elements
  }

  /// The location as a normalized path (RFC 9535, section 2.7).
  ///
  /// For example, `$['state']['todos'][0]`.
  public var normalizedPath: String {
    Location.text(elements[...], from: "$", isPlain: { _ in false })
  }

  /// The location as a JSON Pointer (RFC 6901) from the root.
  public var pointer: Pointer {
    Pointer(tokens: elements.map(\.token))
  }

  /// The location as a JSON Pointer into `{store: state}`; nil if it is outside the states.
  public var modelPointer: Pointer? {
    guard elements.first == .name("state") else { return nil }
    return Pointer(tokens: elements.dropFirst().map(\.token))
  }

  /// The location in the short form of the inspector, such as `todos.items[0].done`.
  ///
  /// It begins with `$` if the location is outside a store's state, or if the store's name needs quotes or is that of a
  /// literal: `$.action.payload`, `$.state.true`.
  public var shorthand: String {
    guard elements.first == .name("state"), elements.count > 1,
      case .name(let store) = elements[1], Location.isPlain(store),
      !["true", "false", "null"].contains(store)
    else { return Location.text(elements[...], from: "$", isPlain: Location.isPlain) }
    return Location.text(elements.dropFirst(2), from: store, isPlain: Location.isPlain)
  }

  private static func text(
    _ elements: ArraySlice<Element>, from root: String, isPlain: (String) -> Bool
  ) -> String {
    elements.reduce(into: root) { path, element in
      switch element {
      case .index(let index): path += "[\(index)]"
      case .name(let name) where isPlain(name): path += ".\(name)"
      case .name(let name): path += "['\(Location.quoted(name))']"
      }
    }
  }

  /// Returns `true` if a name needs no quotes in a path.
  private static func isPlain(_ name: String) -> Bool {
    name.unicodeScalars.first.map(\.startsQueryName) ?? false
      && name.unicodeScalars.allSatisfy(\.continuesQueryName)
  }

  private static func quoted(_ name: String) -> String {
    var quoted = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "'": quoted += "\\'"
      case "\\", "\u{0}"..<"\u{20}":
        quoted += String(decoding: JSONString.escape(UInt8(scalar.value)), as: UTF8.self)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted
  }
}

extension Location.Element: Hashable {
  /// Compares names byte by byte, because é as one scalar and as two are two members of an object.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.name(let left), .name(let right)): left.utf8.elementsEqual(right.utf8)
    case (.index(let left), .index(let right)): left == right
    case (.name, .index), (.index, .name): false
    }
  }

  /// Hashes the token: equal names have equal hashes.
  public func hash(into hasher: inout Hasher) { hasher.combine(token) }
}

extension Location.Element {
  /// The name, or the index in digits.
  package var token: String {
    switch self {
    case .name(let name): name
    case .index(let index): String(index)
    }
  }
}

/// A location under construction, as a linked list from the node to the root.
indirect enum Trail: Sendable {
  case root
  case step(Trail, Location.Element)

  var location: Location {
    var elements: [Location.Element] = []
    var trail = self
    while case .step(let parent, let element) = trail {
      elements.append(element)
      trail = parent
    }
    return Location(elements.reversed())
  }
}
