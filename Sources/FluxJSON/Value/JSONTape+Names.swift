extension JSONTape {
  /// Determines whether an object's names are sorted and whether one of them is repeated.
  @inline(never)
  func nameFlags(_ object: Int) -> UInt32 {
    let end = Int(self[object].next)
    var last = object &+ 1
    var name = Int(self[last &+ 1].next)
    var escapes = self[last].info & JSONNode.escaped
    var isSorted = true
    while name < end {
      escapes |= self[name].info & JSONNode.escaped
      isSorted = isSorted && contentOrder(last, self, name) < 0
      (last, name) = (name, Int(self[name &+ 1].next))
    }
    if isSorted { return escapes == 0 ? JSONNode.sorted : 0 }
    return repeatsName(object) ? JSONNode.repeatsName | JSONNode.holdsRepeat : 0
  }

  private func repeatsName(_ object: Int) -> Bool {
    if self[object].storedCount <= JSONDocument.walkedWidth { return repeatsNameAmongFew(object) }
    let names = sortedNames(object)
    return names.indices.dropFirst().contains { place in
      contentOrder(names[place - 1], self, names[place]) == 0
    }
  }

  /// Compares each name with those before it, which needs no memory and beats sorting a few names.
  private func repeatsNameAmongFew(_ object: Int) -> Bool {
    let end = Int(self[object].next)
    var name = object &+ 1
    while name < end {
      var other = object &+ 1
      while other < name {
        if contentOrder(other, self, name) == 0 { return true }
        other = Int(self[other &+ 1].next)
      }
      name = Int(self[name &+ 1].next)
    }
    return false
  }

  /// The places of an object's names, sorted by code points; equal names stay in written order.
  func sortedNames(_ object: Int) -> [Int] {
    var names = places(of: object)
    guard !self[object].has(JSONNode.sorted) else { return names }
    names.sort { left, right in
      let order = contentOrder(left, self, right)
      return order != 0 ? order < 0 : left < right
    }
    return names
  }

  /// Compares a member's name with a name in WTF-8 by code points.
  @inline(__always)
  func nameOrder(_ place: Int, _ name: UnsafeRawBufferPointer) -> Int {
    guard self[place].has(JSONNode.escaped) else { return unsafe content(place).order(name) }
    return unsafe escapedOrder(place, name)
  }

  @inline(never)
  private func escapedOrder(_ place: Int, _ name: UnsafeRawBufferPointer) -> Int {
    unsafe wtf8(place).withUnsafeBytes { unsafe $0.order(name) }
  }

  /// Returns the place of the last value of `name` by a linear search; nil if there is none.
  package func findByWalking(_ object: Int, _ name: UnsafeRawBufferPointer) -> Int? {
    let end = Int(self[object].next)
    let repeats = self[object].has(JSONNode.repeatsName)
    var place = object &+ 1
    var found: Int?
    while place < end {
      if unsafe nameEquals(place, name) {
        found = place &+ 1
        if !repeats { return found }
      }
      place = Int(self[place &+ 1].next)
    }
    return found
  }

  @inline(__always)
  private func nameEquals(_ place: Int, _ name: UnsafeRawBufferPointer) -> Bool {
    guard self[place].has(JSONNode.escaped) else { return unsafe content(place).equals(name) }
    return unsafe escapedOrder(place, name) == 0
  }

  /// Returns the place of the last value of `name` by a binary search; nil if there is none.
  func find(_ name: UnsafeRawBufferPointer, in names: [Int]) -> Int? {
    // The last place that does not sort after the name is the last of repeated names.
    let end = names.partitioningIndex { unsafe nameOrder($0, name) > 0 }
    guard end > 0, unsafe nameEquals(names[end - 1], name) else { return nil }
    return names[end - 1] + 1
  }
}
