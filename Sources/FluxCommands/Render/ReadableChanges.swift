package import FluxInspector
import FluxJSON

// Differences as people read them: one line for each value, and for each element of an array that came, left or moved.
extension TextOutput {
  /// The number of moved elements of one array from which on a line counts them.
  private static let countedMoves = 8

  package mutating func entries(_ entries: [ReadableDifference.Entry]) throws {
    var arrays: [Pointer: [ReadableDifference.Element]] = [:]
    for case .element(let element) in entries { arrays[element.array, default: []].append(element) }
    var summarised: Set<Pointer> = []
    for entry in entries {
      switch entry {
      case .value(let value): try change(StateChange(value))
      case .element(let element):
        let siblings = arrays[element.array] ?? []
        let moved = siblings.filter { $0.kind == .moved }
        let isCounted = moved.count >= Self.countedMoves
        if isCounted || element.swap != nil, summarised.insert(element.array).inserted {
          if let swap = element.swap {
            try self.swap(swap, of: element)
          } else {
            try moves(moved, in: element.array)
          }
        }
        // If all elements stay where they are, their indexes say enough.
        try self.element(
          element, isCounted: isCounted || element.swap != nil,
          showsKey: siblings.contains { $0.kind != .changed })
      }
    }
  }

  /// Writes one line for many moved elements: `> /todos/items: 57 elements moved`.
  private mutating func moves(_ moved: [ReadableDifference.Element], in array: Pointer) throws {
    write("> ", .number)
    write(array.description, .path)
    // All but one element lie outside of the longest sequence of a reversed array.
    let isReversed = zip(moved, moved.dropFirst()).allSatisfy { ($0.from ?? 0) > ($1.from ?? 0) }
    let count = moved.count + (isReversed ? 1 : 0)
    try line(isReversed ? ": \(count) elements in reverse order" : ": \(count) elements moved")
  }

  /// Writes one line for two elements that changed places: `> /todos/items/0 (id 2): swapped with 1 (id 1)`.
  private mutating func swap(
    _ swap: ReadableDifference.Swap, of element: ReadableDifference.Element
  ) throws {
    write("> ", .number)
    write("\(element.array)/\(swap.first.place)", .path)
    write(" (\(element.member) \(swap.first.key))", .dim)
    write(": swapped with \(swap.second.place)")
    try line(" (\(element.member) \(swap.second.key))", .dim)
  }

  private mutating func element(
    _ element: ReadableDifference.Element, isCounted: Bool, showsKey: Bool
  ) throws {
    let place = element.to ?? element.from ?? 0
    let path = "\(element.array)/\(place)"
    switch element.kind {
    case .added:
      write("+ ", .added)
      self.place(of: element, at: path)
      write(": ", .added)
      try line(fitted(element.whole?.description ?? ""), .added)
    case .removed:
      write("- ", .removed)
      self.place(of: element, at: path)
      write(": ", .removed)
      try line(fitted(element.whole?.description ?? ""), .removed)
    case .moved where !isCounted:
      write("> ", .number)
      self.place(of: element, at: path)
      try line(": moved from \(element.from ?? 0)")
    case .moved, .changed: break
    }
    for change in element.changes {
      try self.change(
        StateChange(change), identity: showsKey ? "\(element.member) \(element.key)" : nil)
    }
  }

  private mutating func place(of element: ReadableDifference.Element, at path: String) {
    write(path, .path)
    write(" (\(element.member) \(element.key))", .dim)
  }
}
