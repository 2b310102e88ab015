import FluxLog

extension Session {
  /// Of a path that selects several values, the names of so many of them are offered: elements of
  /// an array are mostly alike.
  private static let nodeLimit = 20
  /// So many elements of an array are offered one by one.
  private static let elementLimit = 20

  /// The paths that a fragment may be the beginning of, from the state here.
  func candidates(of fragment: PathFragment) throws -> [String] {
    switch fragment.base {
    case "" where fragment.separator == .bracket: return []
    case "":
      let prefix = fragment.separator == .slash ? "/" : ""
      return try presentStores().filter { $0.hasPrefix(fragment.partial) }.map { store in
        prefix.isEmpty ? Location.path(to: store) : Pointer(tokens: [store]).description
      }
    case "$":
      return members(["n", "t", "action", "cause", "rejected", "changed", "state", "before"])
    case "$.state", "$.before": return members(log.storeNames)
    case let base: return try candidates(below: base, fragment)
    }
    func members(_ names: [String]) -> [String] {
      guard fragment.separator != .slash else { return [] }
      return names.filter { $0.hasPrefix(fragment.partial) }.map {
        fragment.base + Location.suffix(of: $0)
      }
    }
  }

  private func candidates(below base: String, _ fragment: PathFragment) throws -> [String] {
    // A fragment that is no path yet, as one that begins with @, has no candidates.
    guard let path = Self.path(base) else { return [] }
    let document = timeline.document(at: position)
    let nodes = try path.nodes(in: document, check: check).prefix(Self.nodeLimit)
    var candidates: [String] = []
    for node in nodes {
      for candidate in Self.candidates(in: node.value, fragment)
      where !candidates.contains(candidate) {
        candidates.append(candidate)
      }
    }
    return candidates
  }

  private static func path(_ text: String) -> Path? {
    do throws(QueryError) {
      return try Path(text, dialect: .inspector)
    } catch {
      return nil
    }
  }

  private static func candidates(in value: JSON, _ fragment: PathFragment) -> [String] {
    switch (value.kind, fragment.separator) {
    case (.object, let separator):
      return value.members.map(\.name).filter { $0.hasPrefix(fragment.partial) }.map { name in
        separator == .slash
          ? fragment.base + Pointer(tokens: [name]).description
          : fragment.base + Location.suffix(of: name)
      }
    case (.array, .slash):
      return elements(of: value, fragment.partial).map { "\(fragment.base)/\($0)" }
    case (.array, .bracket):
      let all = fragment.partial.isEmpty ? ["*"] : []
      return (all + elements(of: value, fragment.partial)).map { "\(fragment.base)[\($0)]" }
    default: return []
    }
  }

  private static func elements(of array: JSON, _ partial: String) -> [String] {
    (0..<array.count).lazy.map(String.init).filter { $0.hasPrefix(partial) }
      .prefix(elementLimit).map { $0 }
  }

  private func presentStores() throws -> [String] {
    try log.storeNames.filter { try timeline.storeState($0, at: position) != .absent }
  }
}

extension Location {
  /// What leads from a value to its member: `.name`, or `['a name']`.
  fileprivate static func suffix(of name: String) -> String {
    let root = Location([.name("state"), .name("s"), .name(name)])
    return String(root.shorthand.dropFirst())
  }

  /// The path to a store.
  fileprivate static func path(to store: String) -> String {
    Location([.name("state"), .name(store)]).shorthand
  }
}
