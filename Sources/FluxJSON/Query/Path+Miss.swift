/// The point at which a singular path leaves the document.
public struct PathMiss: Sendable, Equatable {
  /// The last location on the path that exists.
  public let reached: Location
  /// The name, index or reference token that selects nothing at `reached`.
  public let missing: String
  /// The location of a member with a similar name; nil if no name is similar.
  public let suggestion: Location?
}

extension Path {
  /// Returns the point at which a singular path leaves the document.
  ///
  /// The result is nil if the path selects a node, or if the path is not singular.
  ///
  /// - Throws: Any error that a member of the document throws.
  public func miss(in document: QueryDocument) throws -> PathMiss? {
    guard isSingular else { return nil }
    var value = document
    var elements: [Location.Element] = []
    for segment in segments {
      let selector = segment.selectors[0]
      if let child = try value.child(selector) {
        elements.append(value.element(selector))
        value = child
        continue
      }
      let missing = selector.missing
      // The name is correct if the store exists but is absent at this step.
      let names = value.names
      let nearest = names.contains(missing) ? nil : Spelling.nearest(to: missing, among: names)
      return PathMiss(
        reached: Location(elements), missing: missing,
        suggestion: nearest.map { Location(elements + [.name($0)]) })
    }
    return nil
  }
}

extension Path.Selector {
  /// The name, index or token of a selector in a singular path.
  fileprivate var missing: String {
    switch self {
    case .name(let name), .token(let name): name
    case .index(let index): String(index)
    case .wildcard, .slice, .filter: ""
    }
  }
}

extension QueryDocument {
  /// The names of an object's members.
  fileprivate var names: [String] {
    switch content {
    case .json(let json): json.members.map(\.name)
    case .members(let members): members.map(\.name)
    }
  }
}
