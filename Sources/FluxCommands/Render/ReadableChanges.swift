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
        write(fittedName(array.description), .path)
        try self.line(fitted(": \(count) elements \(isReversed ? "in reverse order" : "moved")"))
      }
    }
  }

  /// Writes one line for two elements that changed places: `> /todos/items/0 (id 2): swapped with 1 (id 1)`.
  private mutating func swap(
    _ swap: ReadableDifference.Swap, of element: ReadableDifference.Element
  ) throws {
    write("> ", .number)
    write(fittedName("\(element.array)/\(swap.first.place)"), .path)
    write(fitted(" (\(element.member) \(swap.first.key))"), .dim)
    write(fitted(": swapped with \(swap.second.place)"))
    try line(fitted(" (\(element.member) \(swap.second.key))"), .dim)
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
    write(fittedName(element.place.description), .path)
    write(fitted(" (\(element.identity))", before: ": …"), .dim)
    guard let whole = element.whole else {
      return try line(fitted(": moved from \(element.from ?? 0)"))
    }
    write(": ", style)
    try line(fitted(whole.description), style)
  }
}
