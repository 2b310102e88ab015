/// Where a node stands in the query argument: the names and indices that lead to it.
public struct Location: Sendable, Hashable {
  /// One step on the way from the root.
  public enum Element: Sendable, Hashable {
    /// The member of that name.
    case name(String)
    /// The element at that index, counted from 0.
    case index(Int)
  }

  /// The steps from the root; none for the root itself.
  public let elements: [Element]

  /// Makes a location from the steps that lead to it.
  public init(_ elements: [Element]) {
    self.elements = elements
  }

  /// The location as a normalized path (RFC 9535, section 2.7): `$['state']['todos'][0]`.
  public var normalizedPath: String {
    elements.reduce(into: "$") { path, element in
      switch element {
      case .index(let index): path += "[\(index)]"
      case .name(let name): path += "['\(Location.quoted(name))']"
      }
    }
  }

  /// The location as a JSON Pointer (RFC 6901) from the root.
  public var pointer: Pointer {
    Pointer(tokens: elements.map(\.token))
  }

  /// The location as a JSON Pointer from the model `{store: state}`; nil outside the states.
  public var modelPointer: Pointer? {
    guard elements.first == .name("state") else { return nil }
    return Pointer(tokens: elements.dropFirst().map(\.token))
  }

  /// The location as people write it in the inspector: `todos.items[0].done`.
  ///
  /// Outside the states it is the normalized path.
  public var shorthand: String {
    guard elements.first == .name("state"), elements.count > 1,
      case .name(let store) = elements[1], Location.isPlain(store)
    else { return normalizedPath }
    return elements.dropFirst(2).reduce(into: store) { path, element in
      switch element {
      case .index(let index): path += "[\(index)]"
      case .name(let name) where Location.isPlain(name): path += ".\(name)"
      case .name(let name): path += "['\(Location.quoted(name))']"
      }
    }
  }

  /// Whether a name can stand in a path without quotes.
  private static func isPlain(_ name: String) -> Bool {
    name.unicodeScalars.first.map(\.startsQueryName) ?? false
      && name.unicodeScalars.allSatisfy(\.continuesQueryName)
  }

  private static func quoted(_ name: String) -> String {
    var quoted = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "'": quoted += "\\'"
      case "\\": quoted += "\\\\"
      case "\u{8}": quoted += "\\b"
      case "\u{C}": quoted += "\\f"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{0}"..<"\u{20}":
        quoted += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted
  }
}

extension Location.Element {
  /// The step as a reference token, not yet escaped.
  fileprivate var token: String {
    switch self {
    case .name(let name): name
    case .index(let index): String(index)
    }
  }
}

/// A location while it is being found: each node shares the way to its parent.
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
