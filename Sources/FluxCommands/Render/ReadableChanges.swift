package import FluxInspector
import FluxJSON

// Differences as people read them: one line for each value, and for each element of an array that came, left or moved.
extension TextOutput {
  package mutating func entries(_ entries: [ReadableDifference.Entry]) throws {
    for line in ReadableDifference.lines(of: entries) {
      switch line {
      case .value(let value, let identity): try change(StateChange(value), identity: identity)
      case .element(let element): try self.element(element)
      case .swap(let swap, let element): try self.swap(swap, of: element)
      case .moves(let array, let count, let isReversed):
        write("> ", .number)
        write(array.description, .path)
        try self.line(": \(count) elements \(isReversed ? "in reverse order" : "moved")")
      }
    }
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

  /// Writes the line of an element that came, left or moved.
  private mutating func element(_ element: ReadableDifference.Element) throws {
    let (sign, style): (String, TextRole) =
      switch element.kind {
      case .added: ("+ ", .added)
      case .removed: ("- ", .removed)
      case .moved, .changed: ("> ", .number)
      }
    write(sign, style)
    write(element.place.description, .path)
    write(" (\(element.identity))", .dim)
    guard let whole = element.whole else {
      return try line(": moved from \(element.from ?? 0)")
    }
    write(": ", style)
    try line(fitted(whole.description), style)
  }
}
