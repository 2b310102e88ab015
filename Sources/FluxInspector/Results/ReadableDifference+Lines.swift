package import FluxJSON

// The terminal and the page show the same lines; each words and colors them in its own way.
extension ReadableDifference {
  /// A line of a difference as people read it.
  package enum Line: Sendable, Equatable {
    /// A value that differs, with the identity of its element if elements of the array came, left or moved.
    case value(ValueChange, identity: String?)
    /// An element that is in one of the two arrays only, or that moved.
    case element(Element)
    /// Two elements that have changed places, told once for both.
    case swap(Swap, of: Element)
    /// So many moved elements of one array that a line counts them.
    case moves(array: Pointer, count: Int, isReversed: Bool)
  }

  /// The number of moved elements of one array from which on a line counts them.
  private static let countedMoves = 8

  /// The moves in an array, and the way in which its lines name elements.
  private struct Siblings {
    var moved: [Element] = []
    /// `true` if an element came, left or moved; otherwise their indexes say enough.
    var showsIdentity = false
  }

  /// Returns one line for each value, and for each element of an array that came, left or moved.
  package static func lines(of entries: [Entry]) -> [Line] {
    var arrays: [Pointer: Siblings] = [:]
    for case .element(let element) in entries where element.kind != .changed {
      arrays[element.array, default: Siblings()].showsIdentity = true
      guard element.kind == .moved else { continue }
      arrays[element.array, default: Siblings()].moved.append(element)
    }
    var summarized: Set<Pointer> = []
    var lines: [Line] = []
    for entry in entries {
      guard case .element(let element) = entry else {
        if case .value(let value) = entry { lines.append(.value(value, identity: nil)) }
        continue
      }
      let siblings = arrays[element.array] ?? Siblings()
      let isSummarized = siblings.moved.count >= countedMoves || element.swap != nil
      if isSummarized, summarized.insert(element.array).inserted {
        lines.append(
          element.swap.map { .swap($0, of: element) } ?? moves(siblings.moved, in: element.array))
      }
      let hasLine = element.kind == .moved ? !isSummarized : element.kind != .changed
      if hasLine { lines.append(.element(element)) }
      lines += element.changes.map {
        .value($0, identity: siblings.showsIdentity ? element.identity : nil)
      }
    }
    return lines
  }

  private static func moves(_ moved: [Element], in array: Pointer) -> Line {
    // All but one element lie outside of the longest sequence of a reversed array.
    let isReversed = zip(moved, moved.dropFirst()).allSatisfy { ($0.from ?? 0) > ($1.from ?? 0) }
    return .moves(array: array, count: moved.count + (isReversed ? 1 : 0), isReversed: isReversed)
  }
}

extension ReadableDifference.Line {
  /// The place that the line is about: in the old value if it was removed, otherwise in the new one.
  package var path: Pointer {
    switch self {
    case .value(let change, _): change.path
    case .element(let element): element.place
    case .swap(let swap, let element):
      Pointer(tokens: element.array.tokens + [String(swap.first.place)])
    case .moves(let array, _, _): array
    }
  }
}

extension ReadableDifference.Element {
  /// The identity with the name of its member: `id 3`.
  package var identity: String { "\(member) \(key)" }

  /// The place in the new array, or in the old one if the element was removed.
  package var place: Pointer { Pointer(tokens: array.tokens + [String(to ?? from ?? 0)]) }
}
