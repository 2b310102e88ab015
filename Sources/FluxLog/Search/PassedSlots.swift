import FluxJSON

/// Values at fixed places in a store's state, kept current from step to step.
///
/// A patch of one operation that replaces a value is most of what small steps write. If its pointer is that of a slot, the slot
/// takes the value from the text of the line. The state itself is put together only when somebody reads it: until then
/// the last value that replaced another one is kept.
struct PassedSlots {
  private struct Slot {
    let place: SinglePlace
    let path: [UInt8]
    var value = QueryValue.absent
    var isCurrent = false

    /// `true` if the containers of the place are known to be there; replacements do not change them.
    var hasItsContainers: Bool { place.containers.isEmpty || isCurrent && value != .absent }
  }

  /// A value that replaces another one, and is not in the state yet.
  private struct Replacement {
    let path: [UInt8]
    var value: [UInt8]
    /// The slot of the same pointer.
    let slot: Int?
    /// The slots inside the value, or that contain it.
    let related: [Int]
  }

  private var slots: [Slot] = []
  private var replacements: [Replacement] = []

  /// The number of replacements that are kept.
  private static let limit = 16

  /// Adds a slot, and returns its index.
  mutating func add(_ place: SinglePlace) -> Int {
    if let known = slots.firstIndex(where: { $0.place == place }) { return known }
    slots.append(Slot(place: place, path: Array(place.pointer.description.utf8)))
    return slots.count - 1
  }

  /// `true` if the state lacks replacements.
  var hasReplacements: Bool { !replacements.isEmpty }

  /// Returns the value of a slot; `nil` if it has to be read from the state.
  func value(_ slot: Int) -> QueryValue? {
    slots[slot].isCurrent ? slots[slot].value : nil
  }

  func place(_ slot: Int) -> SinglePlace { slots[slot].place }

  mutating func set(_ slot: Int, _ value: QueryValue) {
    slots[slot].value = value
    slots[slot].isCurrent = true
  }

  /// Forgets all values: the state has changed.
  mutating func forget() {
    for index in slots.indices { slots[index].isCurrent = false }
  }

  /// Takes a replacement of a value that was replaced before; returns `false` if it is another one.
  mutating func replace(_ path: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
    guard
      let index = replacements.firstIndex(where: { unsafe $0.path.elementsEqual(path) })
    else { return false }
    unsafe keep(value, in: index)
    return true
  }

  private mutating func keep(_ value: UnsafeRawBufferPointer, in index: Int) {
    replacements[index].value.removeAll(keepingCapacity: true)
    unsafe replacements[index].value.append(contentsOf: value)
    for slot in replacements[index].related { slots[slot].isCurrent = false }
    guard let slot = replacements[index].slot else { return }
    if let integer = unsafe Int64(shortDecimal: value) {
      set(slot, .integer(integer))
    } else if let json = unsafe JSON(ifValid: [UInt8](value)) {
      set(slot, QueryValue(json))
    } else {
      // The state will show that the patch is damaged.
      slots[slot].isCurrent = false
    }
  }

  /// Begins to keep replacements of a value, which has to be in the state; returns `false` if there are too many, or if
  /// the order of two replacements would matter.
  mutating func begin(_ path: [UInt8], _ value: UnsafeRawBufferPointer) -> Bool {
    guard replacements.count < Self.limit,
      !replacements.contains(where: { Self.areRelated($0.path, path) })
    else { return false }
    let slot = slots.firstIndex { $0.path == path && $0.hasItsContainers }
    let related = slots.indices.filter { $0 != slot && Self.areRelated(slots[$0].path, path) }
    replacements.append(Replacement(path: path, value: [], slot: slot, related: related))
    unsafe keep(value, in: replacements.count - 1)
    return true
  }

  /// `true` if one pointer is the other one, or points inside its value.
  private static func areRelated(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    let (short, long) = one.count < other.count ? (one, other) : (other, one)
    return long.starts(with: short)
      && (long.count == short.count || long[short.count] == UInt8(ascii: "/"))
  }

  /// Returns the replacements as patches, and forgets them.
  mutating func takePatches() -> [[UInt8]] {
    defer { replacements.removeAll() }
    return replacements.map { replacement in
      Array(#"[{"op":"replace","path":""#.utf8) + replacement.path + Array(#"","value":"#.utf8)
        + replacement.value + Array("}]".utf8)
    }
  }

  /// Forgets the replacements: the state was written whole.
  mutating func dropReplacements() { replacements.removeAll(keepingCapacity: true) }
}
