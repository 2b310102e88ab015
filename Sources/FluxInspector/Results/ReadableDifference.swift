package import FluxJSON

/// The differences between two values as people read them, with the elements of arrays found by their identity.
///
/// A patch says how to turn one value into the other, so an index in it is that of the moment. Here each entry refers to
/// the two whole values: what was removed has the place that it had in the old one, and all else that in the new one.
///
/// The elements of an array have an identity if on both sides all of them are objects whose `id` is a string or a number
/// that no other one has; without `id`, `key`, `uuid` or `name` serve as well. Then an element is added, removed, moved or
/// changed. An element is moved if it lies outside of a longest sequence of elements that kept their order. Elements without
/// identity are aligned by equal values.
package struct ReadableDifference: Sendable {
  /// An element with an identity that differs.
  package struct Element: Sendable, Equatable {
    package enum Kind: String, Sendable { case added, removed, moved, changed }

    /// The place of the array in the new value.
    package let array: Pointer
    /// The name of the member that identifies the elements.
    package let member: String
    /// The identity.
    package let key: JSON
    package let kind: Kind
    /// The index in the old array; nil if it was added.
    package var from: Int?
    /// The index in the new array; nil if it was removed.
    package var to: Int?
    /// The element that was added or removed, as a whole.
    package var whole: JSON?
    /// The values in the element that differ.
    package var changes: [ValueChange] = []
    /// The other element, if two elements of the array have changed places and all others kept theirs.
    package var swap: Swap? = nil
  }

  /// Two elements of an array that have changed places.
  package struct Swap: Sendable, Equatable {
    /// The two places in the new array, and the identities there.
    package let first: (place: Int, key: JSON)
    package let second: (place: Int, key: JSON)

    package static func == (left: Self, right: Self) -> Bool {
      left.first == right.first && left.second == right.second
    }
  }

  package enum Entry: Sendable, Equatable {
    /// A value that differs: its place is in the old value if it was removed, otherwise in the new one.
    case value(ValueChange)
    case element(Element)
  }

  /// The entries, in the order of the values: what was removed stands before what comes next in the new array.
  package private(set) var entries: [Entry] = []
  private let keys: [Pointer: String]

  /// Compares two values at a place, with which all places begin.
  ///
  /// `keys` has the names of the members that identify elements, by the place of the array; `id` for all other arrays.
  package init(
    from old: JSON, to new: JSON, at path: Pointer = Pointer(tokens: []),
    keys: [Pointer: String] = [:]
  ) {
    self.keys = keys
    compare(old, new, path.tokens)
  }

  private mutating func compare(_ old: JSON, _ new: JSON, _ path: [String]) {
    guard old != new else { return }
    switch (old.kind, new.kind) {
    case (.object, .object): compareMembers(old, new, path)
    case (.array, .array):
      for name in keys[Pointer(tokens: path)].map({ [$0] }) ?? Self.usualKeys {
        guard let before = Identities(of: old, name), let after = Identities(of: new, name) else {
          continue
        }
        return compareElements(before, after, path)
      }
      compareByPlace(Array(old.elements), Array(new.elements), path)
    default: append(path, old, new)
    }
  }

  /// The members that identify elements, unless another one was named.
  private static let usualKeys = ["id", "key", "uuid", "name"]

  private mutating func append(_ path: [String], _ old: JSON?, _ new: JSON?) {
    entries.append(.value(ValueChange(Pointer(tokens: path), old: old, new: new)))
  }

  private mutating func compareMembers(_ old: JSON, _ new: JSON, _ path: [String]) {
    for member in old.members {
      if let value = new[member.name] {
        compare(member.value, value, path + [member.name])
      } else {
        append(path + [member.name], member.value, nil)
      }
    }
    for member in new.members where old[member.name] == nil {
      append(path + [member.name], nil, member.value)
    }
  }

  // MARK: Elements without identity

  private mutating func compareByPlace(_ old: [JSON], _ new: [JSON], _ path: [String]) {
    for stretch in SequenceAlignment(of: old, new).stretches {
      // What stands between two equal runs is paired up in order; the rest was added or removed.
      for (from, to) in zip(stretch.old, stretch.new) {
        compare(old[from], new[to], path + [String(to)])
      }
      for index in stretch.old.dropFirst(stretch.new.count) {
        append(path + [String(index)], old[index], nil)
      }
      for index in stretch.new.dropFirst(stretch.old.count) {
        append(path + [String(index)], nil, new[index])
      }
    }
  }

  // MARK: Elements with identity

  private mutating func compareElements(
    _ old: Identities, _ new: Identities, _ path: [String]
  ) {
    let array = Pointer(tokens: path)
    let places = new.keys.map { old.places[$0] }
    let known = places.compactMap { $0 }
    let kept = Set(known.longestAscending.map { known[$0] })
    let swap = Self.swap(old, new)
    var removed = old.keys.indices.filter { new.places[old.keys[$0]] == nil }[...]
    /// Adds the removed elements that were before an old index.
    func removeElements(before index: Int, _ entries: inout [Entry]) {
      while let next = removed.first, next < index {
        entries.append(
          .element(
            Element(
              array: array, member: new.member, key: old.keys[next], kind: .removed, from: next,
              whole: old.elements[next])))
        removed.removeFirst()
      }
    }
    for (index, key) in new.keys.enumerated() {
      guard let place = places[index] else {
        entries.append(
          .element(
            Element(
              array: array, member: new.member, key: key, kind: .added, to: index,
              whole: new.elements[index])))
        continue
      }
      let isMoved = !kept.contains(place)
      if !isMoved { removeElements(before: place, &entries) }
      // What changes inside has entries of its own; those of elements deeper down stay beside this one.
      let start = entries.count
      compare(old.elements[place], new.elements[index], path + [String(index)])
      var changes: [ValueChange] = []
      var deeper: [Entry] = []
      for entry in entries[start...] {
        if case .value(let value) = entry { changes.append(value) } else { deeper.append(entry) }
      }
      entries.removeSubrange(start...)
      if isMoved || !changes.isEmpty {
        entries.append(
          .element(
            Element(
              array: array, member: new.member, key: key, kind: isMoved ? .moved : .changed,
              from: place, to: index, changes: changes, swap: isMoved ? swap : nil)))
      }
      entries += deeper
    }
    removeElements(before: .max, &entries)
  }

  /// The two elements that have changed places; nil if there are others that came, left or moved.
  private static func swap(_ old: Identities, _ new: Identities) -> Swap? {
    guard old.keys.count == new.keys.count else { return nil }
    var places: [Int] = []
    for (place, (before, after)) in zip(old.keys, new.keys).enumerated() where before != after {
      guard places.count < 2 else { return nil }
      places.append(place)
    }
    guard places.count == 2, old.keys[places[0]] == new.keys[places[1]],
      old.keys[places[1]] == new.keys[places[0]]
    else { return nil }
    return Swap(
      first: (places[0], new.keys[places[0]]), second: (places[1], new.keys[places[1]]))
  }
}

/// The elements of an array, all of which have an identity.
private struct Identities {
  let member: String
  let elements: [JSON]
  let keys: [JSON]
  /// The index of each key.
  private(set) var places: [JSON: Int] = [:]

  /// Reads the identities; nil if an element has none, or shares it with another one.
  init?(of array: JSON, _ name: String) {
    let (document, elements) = (array.document, Array(array.elements))
    let found = document.withTape { $0.identities(of: elements.map(\.place), Array(name.utf8)) }
    guard let found else { return nil }
    (member, self.elements) = (name, elements)
    keys = found.map { JSON(document: document, place: $0) }
    for (index, key) in keys.enumerated() {
      guard places.updateValue(index, forKey: key) == nil else { return nil }
    }
  }
}
