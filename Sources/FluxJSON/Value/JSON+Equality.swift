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
    var pending = [(left, right)]
    while let (left, right) = pending.popLast() {
      guard contentsEqual(left, other, right, zeroSigns, &pending) else { return false }
    }
    return true
  }

  private func contentsEqual(
    _ left: Int, _ other: JSONTape, _ right: Int, _ zeroSigns: ZeroSigns,
    _ pending: inout [(Int, Int)]
  ) -> Bool {
    let kind = self[left].kind
    guard kind == other[right].kind else { return false }
    switch kind {
    case .null: return true
    case .bool: return self[left].end - self[left].start == other[right].end - other[right].start
    case .number:
      let (left, right) = unsafe (JSONDecimal(span(left)), JSONDecimal(other.span(right)))
      guard JSONDecimal.order(left, right) == 0 else { return false }
      return zeroSigns == .ignored || left.isNegative == right.isNegative
    case .string: return contentOrder(left, other, right) == 0
    case .array: return elementsEqual(left, other, right, zeroSigns, &pending)
    case .object: return membersEqual(left, other, right, zeroSigns, &pending)
    }
  }

  private func childrenEqual(
    _ left: Int, _ other: JSONTape, _ right: Int, _ zeroSigns: ZeroSigns,
    _ pending: inout [(Int, Int)]
  ) -> Bool {
    if unsafe span(left).equals(other.span(right)) { return true }
    let kinds = (self[left].kind, other[right].kind)
    guard kinds == (.array, .array) || kinds == (.object, .object) else {
      return contentsEqual(left, other, right, zeroSigns, &pending)
    }
    pending.append((left, right))
    return true
  }

  /// Compares two strings by code points.
  func contentOrder(_ left: Int, _ other: JSONTape, _ right: Int) -> Int {
    let escaped = (self[left].info | other[right].info) & JSONNode.escaped != 0
    return unsafe JSONString.order(content(left), other.content(right), escaped: escaped)
  }

  private func elementsEqual(
    _ left: Int, _ other: JSONTape, _ right: Int, _ zeroSigns: ZeroSigns,
    _ pending: inout [(Int, Int)]
  ) -> Bool {
    guard self[left].storedCount == other[right].storedCount else { return false }
    let (leftEnd, rightEnd) = (Int(self[left].next), Int(other[right].next))
    var (a, b) = (left + 1, right + 1)
    while a < leftEnd, b < rightEnd {
      guard childrenEqual(a, other, b, zeroSigns, &pending) else { return false }
      (a, b) = (Int(self[a].next), Int(other[b].next))
    }
    return a == leftEnd && b == rightEnd
  }

  private func membersEqual(
    _ left: Int, _ other: JSONTape, _ right: Int, _ zeroSigns: ZeroSigns,
    _ pending: inout [(Int, Int)]
  ) -> Bool {
    let repeats = (self[left].info | other[right].info) & JSONNode.repeatsName != 0
    guard !repeats else { return sortedMembersEqual(left, other, right, zeroSigns, &pending) }
    guard self[left].storedCount == other[right].storedCount else { return false }
    let (leftEnd, rightEnd) = (Int(self[left].next), Int(other[right].next))
    var (a, b) = (left + 1, right + 1)
    // No lookup is needed while both objects have their members in the same order.
    while a < leftEnd, b < rightEnd, contentOrder(a, other, b) == 0 {
      guard childrenEqual(a + 1, other, b + 1, zeroSigns, &pending) else { return false }
      (a, b) = (Int(self[a + 1].next), Int(other[b + 1].next))
    }
    if a == leftEnd, b == rightEnd { return true }
    return sortedMembersEqual(left, other, right, zeroSigns, &pending)
  }

  private func sortedMembersEqual(
    _ left: Int, _ other: JSONTape, _ right: Int, _ zeroSigns: ZeroSigns,
    _ pending: inout [(Int, Int)]
  ) -> Bool {
    let (leftNames, rightNames) = (distinctNames(left), other.distinctNames(right))
    guard leftNames.count == rightNames.count else { return false }
    for (a, b) in zip(leftNames, rightNames) {
      guard contentOrder(a, other, b) == 0, childrenEqual(a + 1, other, b + 1, zeroSigns, &pending)
      else {
        return false
      }
    }
    return true
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
