/// A first-in, first-out queue, which appends and takes elements in amortised constant time.
///
/// It is made of two stacks: `popFirst` reverses the newer elements onto the older stack whenever that one
/// is empty.
struct Queue<Element> {
  private var incoming: [Element] = []
  /// The older elements, the oldest last.
  private var outgoing: [Element] = []

  var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }

  var first: Element? { outgoing.last ?? incoming.first }

  mutating func append(_ element: Element) {
    incoming.append(element)
  }

  mutating func popFirst() -> Element? {
    if outgoing.isEmpty {
      swap(&incoming, &outgoing)
      outgoing.reverse()
    }
    return outgoing.popLast()
  }

  /// Takes the oldest element that is wanted, in linear time.
  mutating func removeFirst(where isWanted: (Element) -> Bool) -> Element? {
    if let place = outgoing.lastIndex(where: isWanted) { return outgoing.remove(at: place) }
    return incoming.firstIndex(where: isWanted).map { incoming.remove(at: $0) }
  }
}
