package import FluxJSON

/// The places whose values are secret, seen from one value in a tree.
///
/// A value is secret if a pointer leads to it. With an allow-list, a value is also secret unless
/// a pointer of the list leads to it, through it, or to a value around it. In a pointer, `*` matches any member or
/// element, and `**` matches any number of them, including none. A pointer to the present value of
/// a `History` also leads to its past and future values. A name that only looks like that of a
/// pointer, as one in which é is two scalars, is secret if that is, and not allowed if that is.
///
/// See docs/log-format.md, "Redacted values".
package struct RedactedPlaces: Sendable {
  /// The rest of a pointer, from the value here.
  private struct Pattern: Sendable, Hashable {
    /// The index of the pointer among all of them.
    let number: Int
    let rest: ArraySlice<String>

    /// Returns the pattern that matches one level further down.
    func after(_ token: String) -> Pattern { Pattern(number: number, rest: [token] + rest) }

    func descending(intoCases cases: ArraySlice<String>) -> [Pattern] {
      guard let name = cases.first, let member = rest.first, member != "**" else { return [self] }
      let inside = rest.dropFirst()
      // The pointer ends before the nested case, so all that the case has is meant.
      guard let inner = inside.first else {
        return [Pattern(number: number, rest: member.hasPrefix("_") ? [] : [member])]
      }
      guard inner == name || inner == "*" || inner == "**" else { return [] }
      let rest = inner == "**" ? inside : inside.dropFirst()
      let deeper = Pattern(number: number, rest: rest).descending(intoCases: cases.dropFirst())
      return deeper + deeper.map { $0.after(member) }
    }
  }

  private var redacted: [Pattern] = []
  /// The allow-list; nil if there is none, or if the value here is inside an allowed one.
  private var allowed: [Pattern]?

  /// Nothing is secret.
  package init() {}

  /// Reads pointers.
  ///
  /// - Parameters:
  ///   - redacted: The pointers to secrets.
  ///   - only: The allow-list; nil if there is none.
  ///   - first: The number of the first pointer. The others follow, the allow-list last.
  /// - Throws: `PointerError` if a pointer is malformed.
  package init(
    _ redacted: [String], only: [String]? = nil, first: Int = 0
  ) throws(PointerError) {
    self.redacted = try Self.patterns(redacted, first: first)
    if let only { allowed = try Self.patterns(only, first: first + redacted.count) }
  }

  private static func patterns(_ pointers: [String], first: Int) throws(PointerError) -> [Pattern] {
    var patterns: [Pattern] = []
    for (index, text) in pointers.enumerated() {
      var tokens: [String] = []
      for token in try Pointer(text).tokens where token != "**" || tokens.last != "**" {
        tokens.append(token)
      }
      add(Pattern(number: first + index, rest: tokens[...]), to: &patterns)
    }
    return patterns
  }

  /// Adds a pattern; `**` also matches nothing.
  private static func add(_ pattern: Pattern, to patterns: inout [Pattern]) {
    if !patterns.contains(pattern) { patterns.append(pattern) }
    guard pattern.rest.first == "**" else { return }
    add(Pattern(number: pattern.number, rest: pattern.rest.dropFirst()), to: &patterns)
  }

  // MARK: The value here

  /// `true` if neither the value nor anything inside it is secret.
  package var isEmpty: Bool { redacted.isEmpty && allowed == nil }

  /// The numbers of the pointers that lead to the value.
  package var matches: [Int] {
    (redacted + (allowed ?? [])).filter(\.rest.isEmpty).map(\.number)
  }

  /// `true` if a pointer leads to the value, rather than that the allow-list leaves it out.
  package var isListed: Bool { redacted.contains { $0.rest.isEmpty } }

  /// Returns `true` if the value is secret; null never is.
  package func isSecret(_ kind: JSON.Kind) -> Bool {
    guard kind != .null else { return false }
    if isListed { return true }
    guard let allowed, !allowed.contains(where: \.rest.isEmpty) else { return false }
    return allowed.isEmpty || kind != .object && kind != .array
  }

  /// Returns the places seen from a member or element.
  ///
  /// Everything inside a secret is secret, such as all stores if a pointer leads to the whole model.
  package func descending(into name: String) -> RedactedPlaces {
    var places = RedactedPlaces()
    places.redacted = Self.descend(redacted, into: name)
    for pattern in redacted where pattern.rest.isEmpty { Self.add(pattern, to: &places.redacted) }
    if let allowed, !allowed.contains(where: \.rest.isEmpty) {
      places.allowed = Self.descend(allowed, into: name) { $0.hasSameBytes(as: $1) }
    }
    return places
  }

  /// Returns the places seen from a member or element of this value.
  package func descending(into name: String, of value: JSON) -> RedactedPlaces {
    let places = descending(into: name)
    guard name == "past" || name == "future", value.isHistory else { return places }
    // The values of the list have the places of the present one.
    var element = RedactedPlaces()
    let present = descending(into: "present")
    element.redacted = present.redacted.map { $0.after("*") }
    element.allowed = present.allowed?.map { $0.after("*") }
    return places.union(element)
  }

  private static func descend(
    _ patterns: [Pattern], into name: String, by isSame: (String, String) -> Bool = { $0 == $1 }
  ) -> [Pattern] {
    var inside: [Pattern] = []
    for pattern in patterns {
      guard let first = pattern.rest.first else { continue }
      if first == "**" {
        add(pattern, to: &inside)
      } else if first == "*" || isSame(first, name) {
        add(Pattern(number: pattern.number, rest: pattern.rest.dropFirst()), to: &inside)
      }
    }
    return inside
  }

  /// Returns the places in the payload of the innermost case of nested enums.
  ///
  /// Seen from the payload of `app/home`, `/_0/login/password` leads through the case `login`. The
  /// payload of `app/home/login` has the place `/password`. It does not say if the nested value
  /// has its own member there, so `/_0/password` is a place, too.
  package func descending(intoCases cases: ArraySlice<String>) -> RedactedPlaces {
    var places = RedactedPlaces()
    places.redacted = redacted.flatMap { $0.descending(intoCases: cases) }
    places.allowed = allowed?.flatMap { $0.descending(intoCases: cases) }
    return places
  }

  /// Returns the places of both; a value is allowed if either allows it.
  package func union(_ other: RedactedPlaces) -> RedactedPlaces {
    var places = self
    for pattern in other.redacted where !places.redacted.contains(pattern) {
      places.redacted.append(pattern)
    }
    places.allowed = allowed.flatMap { mine in other.allowed.map { mine + $0 } }
    return places
  }

  /// Returns `true` if the value at a path from here is secret.
  package func isSecret(at path: some Sequence<String>, _ kind: JSON.Kind) -> Bool {
    var places = self
    for name in path {
      // Everything inside a secret is secret.
      if places.isSecret(.object) { return true }
      places = places.descending(into: name)
    }
    return places.isSecret(kind)
  }
}

extension JSON {
  /// `true` for the encoding of a `History` of FluxCore.
  package var isHistory: Bool {
    kind == .object && count == 4 && self["past"]?.kind == .array
      && self["future"]?.kind == .array && self["limit"]?.kind == .number
      && self["present"] != nil
  }
}
