import FluxSystem

/// Memory of tapes that are gone, kept for the next ones.
///
/// The C library hands freed blocks of the size of a state's tape back to the system; the next one
/// is made of fresh pages, each of which costs a fault: a third of the time of parsing two states
/// of 142 KB and comparing them.
enum SpareTapes {
  @safe
  private struct Block {
    let nodes: UnsafeMutablePointer<JSONNode>
    let capacity: Int
  }

  /// Smaller blocks the C library keeps itself; larger ones are too much to sit on.
  private static let capacities = (1 << 11)...(1 << 18)
  private static let limit = 4
  private static let blocks = Monitor<[Block]>([])

  /// Takes a block with room for that many nodes, and at most four times as many.
  static func take(_ capacity: Int) -> (nodes: UnsafeMutablePointer<JSONNode>, capacity: Int)? {
    guard capacities.contains(capacity) else { return nil }
    let block = blocks.withLock { blocks -> Block? in
      let fit = blocks.firstIndex { (capacity...(capacity * 4)).contains($0.capacity) }
      return fit.map { blocks.remove(at: $0) }
    }
    return unsafe block.map { unsafe ($0.nodes, $0.capacity) }
  }

  /// Keeps a block, or lets the oldest one go in its place.
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
