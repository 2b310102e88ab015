/// A cache of freed tape memory.
///
/// The C library returns freed blocks of a tape's size to the system. The next tape then gets fresh
/// pages, and each page costs a page fault. These took a third of the time to parse and compare two
/// states of 142 KB.
enum SpareTapes {
  /// `@unchecked Sendable`: nothing else points to the memory of a block that is kept.
  @safe
  private struct Block: @unchecked Sendable {
    let nodes: UnsafeMutablePointer<JSONNode>
    let capacity: Int
  }

  /// The sizes worth keeping: the C library caches smaller blocks, and larger ones take too much
  /// memory.
  private static let capacities = (1 << 11)...(1 << 18)
  private static let limit = 4
  private static let blocks = Locked<[Block]>([])

  /// Takes a block with room for `capacity` nodes and at most four times as many.
  ///
  /// Returns nil if the cache has no such block.
  static func take(_ capacity: Int) -> (nodes: UnsafeMutablePointer<JSONNode>, capacity: Int)? {
    guard capacities.contains(capacity) else { return nil }
    let block = blocks.withLock { blocks -> Block? in
      let fit = blocks.firstIndex { (capacity...(capacity * 4)).contains($0.capacity) }
      return fit.map { blocks.remove(at: $0) }
    }
    return unsafe block.map { unsafe ($0.nodes, $0.capacity) }
  }

  /// Caches a block, and frees the oldest one if the cache is full.
  ///
  /// A block whose size is not worth keeping is freed.
  static func give(_ nodes: UnsafeMutablePointer<JSONNode>, _ capacity: Int) {
    var surplus: Block? = unsafe Block(nodes: nodes, capacity: capacity)
    if capacities.contains(capacity) {
      blocks.withLock { blocks in
        if let block = surplus { blocks.append(block) }
        surplus = blocks.count > limit ? blocks.removeFirst() : nil
      }
    }
    unsafe surplus?.nodes.deallocate()
  }
}
