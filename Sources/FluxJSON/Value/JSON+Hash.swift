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

extension JSONTape {
  /// Hashes a scalar, or the size of a container.
  ///
  /// The contents of a container go to `pending` in reverse order, so the first one is hashed next.
  fileprivate func hash(_ place: Int, into hasher: inout Hasher, leaving pending: inout [Int]) {
    let node = self[place]
    hasher.combine(node.kind)
    switch node.kind {
    case .null: break
    case .bool: hasher.combine(node.end - node.start)
    case .number: unsafe JSONDecimal(span(place)).hash(into: &hasher)
    case .string: hashContent(place, into: &hasher)
    case .array:
      let elements = elementPlaces(place)
      hasher.combine(elements.count)
      pending += elements.reversed()
    case .object:
      let names = distinctNames(place)
      hasher.combine(names.count)
      for name in names.reversed() { pending += [Int(name) + 1, Int(name)] }
    }
  }

  /// Hashes the code points of a string, regardless of how they are escaped.
  private func hashContent(_ place: Int, into hasher: inout Hasher) {
    guard self[place].has(JSONNode.escaped) else {
      return unsafe hasher.combine(bytes: content(place))
    }
    let bytes = unsafe WTF8.bytes(of: content(place), isEscaped: true)
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }

  private func elementPlaces(_ array: Int) -> [Int] {
    var places: [Int] = []
    var place = array + 1
    while place < Int(self[array].next) {
      places.append(place)
      place = Int(self[place].next)
    }
    return places
  }
}
