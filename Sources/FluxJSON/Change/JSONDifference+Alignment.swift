extension JSONDifference {
  /// The pairing of the elements of two arrays.
  struct Alignment {
    var matches: [(old: Int, new: Int)] = []
    /// `true` if unpaired elements at the same place between matches are compared.
    var comparesPairs = true
  }

  /// The members that identify the elements of an array in a patch for storage.
  private static let identities = ["id", "uuid", "key"].map { Array($0.utf8) }

  /// Returns `true` if a member may identify an element.
  package static func isIdentity(_ name: UnsafeRawBufferPointer) -> Bool {
    identities.contains { unsafe $0.withUnsafeBytes { unsafe name.equals($0) } }
  }

  mutating func align(_ old: [Int], _ new: [Int]) -> Alignment {
    guard !old.isEmpty, !new.isEmpty else { return Alignment() }
    for name in JSONDifference.identities {
      guard let oldKeys = keys(self.old, old, name), let newKeys = keys(self.new, new, name)
      else { continue }
      // Versions of one value have the same identity.
      guard Set(oldKeys).count == oldKeys.count, Set(newKeys).count == newKeys.count else {
        continue
      }
      if oldKeys == newKeys { return Alignment(matches: oldKeys.indices.map { ($0, $0) }) }
      // An element with a different identity is another element, not a variant of the old one.
      return Alignment(
        matches: UniqueMatches.ascending(oldKeys, newKeys), comparesPairs: false)
    }
    guard old.count + new.count > 2 else { return Alignment() }
    let oldPrints = prints(self.old, old)
    let newPrints = prints(self.new, new)
    var sequence = CommonSubsequence(old: oldPrints, new: newPrints)
    let matches = sequence.matches()
    budget -= sequence.steps
    return Alignment(matches: matches ?? UniqueMatches.ascending(oldPrints, newPrints))
  }

  /// Returns `true` if two elements at the same place may be versions of one element.
  func areVariants(_ old: Int, _ new: Int) -> Bool {
    for name in JSONDifference.identities {
      guard let oldKey = self.old.scalarMember(name, of: old),
        let newKey = self.new.scalarMember(name, of: new)
      else { continue }
      return unsafe self.old.span(oldKey).equals(self.new.span(newKey))
    }
    return true
  }

  /// Returns the fingerprints of the elements' identities; nil if an element has none.
  private func keys(_ tape: JSONTape, _ elements: [Int], _ name: [UInt8]) -> [UInt64]? {
    tape.identities(of: elements, name)?.map { unsafe tape.span($0).fingerprint }
  }

  private mutating func prints(_ tape: JSONTape, _ elements: [Int]) -> [UInt64] {
    elements.map { element in
      let text = unsafe tape.span(element)
      budget -= text.count / 8
      return unsafe text.fingerprint
    }
  }
}

extension JSONTape {
  /// Returns the places of the strings and numbers that identify the elements of an array; nil if an element has none.
  package func identities(of elements: [Int], _ name: [UInt8]) -> [Int]? {
    var places: [Int] = []
    places.reserveCapacity(elements.count)
    for element in elements {
      guard let place = scalarMember(name, of: element) else { return nil }
      places.append(place)
    }
    return places
  }

  /// Returns the place of a member's value if it is a string or a number; otherwise nil.
  fileprivate func scalarMember(_ name: [UInt8], of object: Int) -> Int? {
    guard self[object].kind == .object, !self[object].has(JSONNode.repeatsName) else { return nil }
    let found = unsafe name.withUnsafeBytes { unsafe findByWalking(object, $0) }
    guard let found, self[found].kind == .string || self[found].kind == .number else { return nil }
    return found
  }
}

extension UnsafeRawBufferPointer {
  /// A hash of the bytes.
  ///
  /// Different bytes rarely have the same one. Equality of values never depends on it alone. It
  /// only decides which values are compared, and therefore how short a patch is.
  var fingerprint: UInt64 {
    var hash = UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while offset + 8 <= count {
      let word = unsafe loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      hash = (hash ^ word).mixed
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < count {
      rest = unsafe rest << 8 | UInt64(self[offset])
      offset += 1
    }
    return (hash ^ rest).mixed
  }
}

extension UInt64 {
  /// The SplitMix64 finaliser: a change of one input bit changes about half of the output bits.
  fileprivate var mixed: UInt64 {
    let a = (self ^ self >> 30) &* 0xBF58_476D_1CE4_E5B9
    let b = (a ^ a >> 27) &* 0x94D0_49BB_1331_11EB
    return b ^ b >> 31
  }
}
