import FluxInspector
import FluxJSON
import FluxLog

/// The beginning of a path at the end of a text, and the name that is being written.
struct PathFragment: Equatable {
  /// The character before a member or an element.
  enum Separator: Equatable {
    /// `.name`, or the name of a store at the beginning of the path.
    case dot
    /// `[0]`, `['name']`
    case bracket
    /// `/token` of a JSON Pointer.
    case slash
  }

  let text: String
  /// The path up to the last separator; empty if a store is being written.
  let base: String
  let separator: Separator
  /// The beginning of the name or the index, without the quote before it.
  let partial: String

  /// The functions that an operand of an expression can begin with.
  static let functions = [
    "changed(", "count(", "length(", "match(", "search(", "value(", "was(",
  ]

  /// Finds the fragment at the end of a text: everything behind the last character that no path contains.
  init(endOf text: String) {
    var scalars = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    // Inside open brackets, a path can begin after any operator of an expression.
    for scalar in text.unicodeScalars {
      if quote == nil, Self.ends.contains(scalar) {
        scalars.removeAll()
        continue
      }
      scalars.append(scalar)
      if scalar == quote {
        quote = nil
      } else if quote == nil, scalar == "'" || scalar == "\"" {
        quote = scalar
      }
    }
    let fragment = String(scalars)
    self.text = fragment
    if fragment.hasPrefix("/") {
      separator = .slash
      let slash = fragment.lastIndex(of: "/") ?? fragment.startIndex
      base = String(fragment[..<slash])
      partial = String(fragment[fragment.index(after: slash)...])
      return
    }
    guard let place = fragment.lastIndex(where: { $0 == "." || $0 == "[" }) else {
      (base, separator, partial) = ("", .dot, fragment)
      return
    }
    separator = fragment[place] == "." ? .dot : .bracket
    base = String(fragment[..<place])
    var rest = fragment[fragment.index(after: place)...]
    if separator == .bracket, rest.first == "'" || rest.first == "\"" { rest.removeFirst() }
    partial = String(rest)
  }

  /// The characters that a path contains only in quotes.
  private static let ends: Set<Unicode.Scalar> = [
    " ", "\t", "(", ",", "!", "=", "<", ">", "&", "|", "?",
  ]
}

extension Session {
  /// The number of selected values whose names are offered: elements of an array are mostly alike.
  private static let nodeLimit = 20
  /// The number of elements of an array that are offered one by one.
  private static let elementLimit = 20

  func candidates(of fragment: PathFragment) throws -> [String] {
    switch fragment.base {
    case "" where fragment.separator == .bracket: return []
    case "":
      let prefix = fragment.separator == .slash ? "/" : ""
      return try presentStores().filter { $0.hasPrefix(fragment.partial) }.map { store in
        prefix.isEmpty ? Location.path(to: store) : Pointer(tokens: [store]).description
      }
    case "$":
      return members([
        "n", "t", "action", "cause", "effects", "rejected", "changed", "state", "before",
      ])
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
    // A fragment that is no path yet, such as one that begins with @, has no candidates.
    guard let path = Path(ofCommand: base) else { return [] }
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
  /// The step from a value to its member: `.name`, or `['a name']`.
  fileprivate static func suffix(of name: String) -> String {
    let root = Location([.name("state"), .name("s"), .name(name)])
    return String(root.shorthand.dropFirst())
  }

  fileprivate static func path(to store: String) -> String {
    Location([.name("state"), .name(store)]).shorthand
  }
}

extension Path {
  /// Reads a path as the commands take it; nil if the text is none.
  init?(ofCommand text: String) {
    do throws(QueryError) {
      try self.init(text, dialect: .inspector)
    } catch {
      return nil
    }
  }

  /// The text of a path that jq, JavaScript or a shell writes in another way: `.cart.total`, `cart.items.0`.
  static func translated(_ text: String) -> String {
    var path = text.hasPrefix(".") && !text.hasPrefix("..") ? String(text.dropFirst()) : text
    path.replace(/\.([0-9]+)(?=[.\[]|$)/) { "[\($0.output.1)]" }
    return path
  }
}
