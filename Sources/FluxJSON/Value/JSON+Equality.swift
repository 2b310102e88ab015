extension JSON: Equatable {
  /// Returns `true` if two values mean the same.
  ///
  /// Numbers are equal if their exact decimal values are. Strings are equal if their code points
  /// are, including lone surrogates. The order of an object's members does not matter, and the last
  /// value of a repeated name counts.
  ///
  /// The comparison is linear in the length of the texts. Objects whose members are in different
  /// orders are sorted first.
  public static func == (left: JSON, right: JSON) -> Bool {
    if left.document === right.document, left.place == right.place { return true }
    return left.document.withTape { leftTape in
      right.document.withTape { leftTape.equals(left.place, $0, right.place) }
    }
  }

  /// Returns `true` if two values are equal and their zeros have the same signs.
  ///
  /// A log keeps the sign of a zero: an app that divides by the number behaves differently.
  package func equalsWithZeroSigns(_ other: JSON) -> Bool {
    document.withTape { tape in
      other.document.withTape { tape.equals(place, $0, other.place, .significant) }
    }
  }
}

/// The meaning of the sign of a zero in a comparison.
package enum ZeroSigns {
  /// 0 equals -0.
  case ignored
  /// 0 differs from -0.
  case significant
}

extension JSONTape {
  /// Compares two values by meaning.
  package func equals(
    _ left: Int, _ other: JSONTape, _ right: Int, _ zeroSigns: ZeroSigns = .ignored
  ) -> Bool {
    // Usually one encoder wrote both texts, or the subtree did not change.
    if unsafe span(left).equals(other.span(right)) { return true }
    var comparison = ValueComparison(left: self, right: other, zeroSigns: zeroSigns)
    return comparison.equals(left, right)
  }

  /// Compares two strings by code points.
  func contentOrder(_ left: Int, _ other: JSONTape, _ right: Int) -> Int {
    let escaped = (self[left].info | other[right].info) & JSONNode.escaped != 0
    return unsafe JSONString.order(content(left), other.content(right), escaped: escaped)
  }

  /// The places of an object's names in sorted order, with only the last of each repeated name.
  func distinctNames(_ object: Int) -> [Int] {
    let names = sortedNames(object)
    guard self[object].has(JSONNode.repeatsName) else { return names }
    return names.indices.filter { place in
      place + 1 == names.count || contentOrder(names[place], self, names[place + 1]) != 0
    }.map { names[$0] }
  }

  /// Hashes a scalar, or the size of a container.
  fileprivate func hash(_ place: Int, into hasher: inout Hasher, leaving pending: inout [Int]) {
    let node = self[place]
    hasher.combine(node.kind)
    switch node.kind {
    case .null: break
    case .bool: hasher.combine(node.end - node.start)
    case .number: unsafe JSONDecimal(span(place)).hash(into: &hasher)
    case .string: hashContent(place, into: &hasher)
    case .array:
      let elements = places(of: place)
      hasher.combine(elements.count)
      pending += elements.reversed()
    case .object:
      let names = distinctNames(place)
      hasher.combine(names.count)
      for name in names.reversed() { pending += [name + 1, name] }
    }
  }

  private func hashContent(_ place: Int, into hasher: inout Hasher) {
    guard self[place].has(JSONNode.escaped) else {
      return unsafe hasher.combine(bytes: content(place))
    }
    unsafe wtf8(place).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}

/// One comparison of two values by meaning.
private struct ValueComparison {
  let left: JSONTape
  let right: JSONTape
  let zeroSigns: ZeroSigns
  /// Containers that are still to be compared, so nesting uses no stack.
  var pending: [(Int, Int)] = []

  mutating func equals(_ a: Int, _ b: Int) -> Bool {
    guard contentsEqual(a, b) else { return false }
    while let (a, b) = pending.popLast() {
      guard contentsEqual(a, b) else { return false }
    }
    return true
  }

  private mutating func contentsEqual(_ a: Int, _ b: Int) -> Bool {
    let kind = left[a].kind
    guard kind == right[b].kind else { return false }
    switch kind {
    case .null: return true
    case .bool: return left[a].end - left[a].start == right[b].end - right[b].start
    case .number:
      let (a, b) = unsafe (JSONDecimal(left.span(a)), JSONDecimal(right.span(b)))
      guard JSONDecimal.order(a, b) == 0 else { return false }
      return zeroSigns == .ignored || a.isNegative == b.isNegative
    case .string: return left.contentOrder(a, right, b) == 0
    case .array: return elementsEqual(a, b)
    case .object: return membersEqual(a, b)
    }
  }

  private mutating func childrenEqual(_ a: Int, _ b: Int) -> Bool {
    if unsafe left.span(a).equals(right.span(b)) { return true }
    let kinds = (left[a].kind, right[b].kind)
    guard kinds == (.array, .array) || kinds == (.object, .object) else {
      return contentsEqual(a, b)
    }
    pending.append((a, b))
    return true
  }

  private mutating func elementsEqual(_ array: Int, _ other: Int) -> Bool {
    guard left[array].storedCount == right[other].storedCount else { return false }
    let (end, otherEnd) = (Int(left[array].next), Int(right[other].next))
    var (a, b) = (array + 1, other + 1)
    while a < end, b < otherEnd {
      guard childrenEqual(a, b) else { return false }
      (a, b) = (Int(left[a].next), Int(right[b].next))
    }
    return a == end && b == otherEnd
  }

  private mutating func membersEqual(_ object: Int, _ other: Int) -> Bool {
    let repeats = (left[object].info | right[other].info) & JSONNode.repeatsName != 0
    guard !repeats else { return sortedMembersEqual(object, other) }
    guard left[object].storedCount == right[other].storedCount else { return false }
    let (end, otherEnd) = (Int(left[object].next), Int(right[other].next))
    var (a, b) = (object + 1, other + 1)
    // No lookup is needed while both objects have their members in the same order.
    while a < end, b < otherEnd, left.contentOrder(a, right, b) == 0 {
      guard childrenEqual(a + 1, b + 1) else { return false }
      (a, b) = (Int(left[a + 1].next), Int(right[b + 1].next))
    }
    return a == end && b == otherEnd || sortedMembersEqual(object, other)
  }

  private mutating func sortedMembersEqual(_ object: Int, _ other: Int) -> Bool {
    let (names, otherNames) = (left.distinctNames(object), right.distinctNames(other))
    guard names.count == otherNames.count else { return false }
    for (a, b) in zip(names, otherNames) {
      guard left.contentOrder(a, right, b) == 0, childrenEqual(a + 1, b + 1) else { return false }
    }
    return true
  }
}

extension JSON: Hashable {
  /// Hashes the value consistently with ``==(_:_:)``.
  ///
  /// Values that are not hashed yet wait in a list, so nesting uses no stack.
  public func hash(into hasher: inout Hasher) {
    document.withTape { tape in
      var pending = [place]
      while let place = pending.popLast() { tape.hash(place, into: &hasher, leaving: &pending) }
    }
  }
}
