/// Why a singular path selects nothing: how far it leads, and what was probably meant.
public struct PathMiss: Sendable, Equatable {
  /// The last place on the way that there is.
  public let reached: Location
  /// The name, the index or the reference token that leads nowhere from there.
  public let missing: String
  /// The place that was probably meant, which there is.
  public let suggestion: Location?
}

extension Path {
  /// Returns where a path that can select one node at most leaves the document; nil where it
  /// selects that node, and where it could select several.
  ///
  /// - Throws: what a member of the document throws.
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
      // A store that is absent here is rightly spelt.
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
  /// What a selector of a singular path asks for.
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
