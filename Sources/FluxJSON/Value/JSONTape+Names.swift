extension JSONTape {
  /// Compares the names of two members by code points.
  func nameOrder(_ left: Int, _ right: Int) -> Int {
    let escaped = (self[left].info | self[right].info) & JSONNode.escaped != 0
    return unsafe JSONString.order(content(left), content(right), escaped: escaped)
  }

  /// Determines whether an object's names are sorted and whether one of them is repeated.
  ///
  /// This is not inlined into the parser, which needs all registers for its own state.
  @inline(never)
  func nameFlags(_ object: Int) -> UInt32 {
    let end = Int(self[object].next)
    var last = object &+ 1
    var name = Int(self[last &+ 1].next)
    var escapes = self[last].info & JSONNode.escaped
    var isSorted = true
    while name < end {
      escapes |= self[name].info & JSONNode.escaped
      isSorted = isSorted && nameOrder(last, name) < 0
      (last, name) = (name, Int(self[name &+ 1].next))
    }
    if isSorted { return escapes == 0 ? JSONNode.sorted : 0 }
    return repeatsName(object) ? JSONNode.repeatsName | JSONNode.holdsRepeat : 0
  }

  private func repeatsName(_ object: Int) -> Bool {
    if self[object].storedCount <= JSONDocument.walkedWidth { return repeatsNameAmongFew(object) }
    let names = sortedNames(object)
    return names.indices.dropFirst().contains { place in
      nameOrder(Int(names[place - 1]), Int(names[place])) == 0
    }
  }

  /// Compares each name with those before it, which needs no memory and beats sorting a few names.
  private func repeatsNameAmongFew(_ object: Int) -> Bool {
    let end = Int(self[object].next)
    var name = object &+ 1
    while name < end {
      var other = object &+ 1
      while other < name {
        if nameOrder(other, name) == 0 { return true }
        other = Int(self[other &+ 1].next)
      }
      name = Int(self[name &+ 1].next)
    }
    return false
  }

  /// The places of an object's names, sorted by code points; equal names stay in written order.
  func sortedNames(_ object: Int) -> [UInt32] {
    var names: [UInt32] = []
    names.reserveCapacity(Int(self[object].storedCount))
    let end = Int(self[object].next)
    var name = object + 1
    while name < end {
      names.append(UInt32(truncatingIfNeeded: name))
      name = Int(self[name + 1].next)
    }
    guard !self[object].has(JSONNode.sorted) else { return names }
    names.sort { left, right in
      let order = nameOrder(Int(left), Int(right))
      return order != 0 ? order < 0 : left < right
    }
    return names
  }

  /// Compares a member's name with a UTF-8 name.
  @inline(__always)
  private func nameOrder(_ place: Int, _ name: UnsafeRawBufferPointer) -> Int {
    guard self[place].has(JSONNode.escaped) else { return unsafe content(place).order(name) }
    return unsafe compareEscaped(place, name)
  }

  @inline(never)
  private func compareEscaped(_ place: Int, _ name: UnsafeRawBufferPointer) -> Int {
    var points = unsafe JSONString(content(place))
    var scalars = unsafe String(decoding: name, as: UTF8.self).unicodeScalars.makeIterator()
    while true {
      switch (points.next(), scalars.next()) {
      case (nil, nil): return 0
      case (nil, _): return -1
      case (_, nil): return 1
      case (let left?, let right?):
        if left != right.value { return left < right.value ? -1 : 1 }
      }
    }
  }

  /// Returns the place of the last value of `name` by a linear search; nil if there is none.
  func findByWalking(_ object: Int, _ name: UnsafeRawBufferPointer) -> Int? {
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
    return unsafe compareEscaped(place, name) == 0
  }

  /// Returns the place of the last value of `name` by a binary search; nil if there is none.
  ///
  /// `names` is a result of `sortedNames`.
  func find(_ name: UnsafeRawBufferPointer, in names: [UInt32]) -> Int? {
    var low = 0
    var high = names.count
    // Find the last place that does not sort after the name. This is the last of repeated names.
    while low < high {
      let middle = (low + high) / 2
      if unsafe nameOrder(Int(names[middle]), name) <= 0 { low = middle + 1 } else { high = middle }
    }
    guard low > 0, unsafe nameEquals(Int(names[low - 1]), name) else { return nil }
    return Int(names[low - 1]) + 1
  }
}
