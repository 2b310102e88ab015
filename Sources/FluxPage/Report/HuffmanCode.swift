/// A prefix code whose words have a limited length.
struct HuffmanCode {
  /// The length of each symbol's word; 0 for symbols that do not occur.
  let lengths: [UInt8]
  /// The words, with the first bit lowest.
  fileprivate let words: [UInt32]

  /// Makes the code of symbols with these frequencies.
  init(_ frequencies: [Int], longest limit: Int) {
    lengths = Self.lengths(frequencies, limit)
    words = Self.words(lengths)
  }

  private static func lengths(_ frequencies: [Int], _ limit: Int) -> [UInt8] {
    var frequencies = frequencies
    // A code of one word is incomplete, which not every reader takes.
    for symbol in frequencies.indices where frequencies.count(where: { $0 > 0 }) < 2 {
      frequencies[symbol] = max(1, frequencies[symbol])
    }
    // The rarest first; symbols of one frequency in their order, so that the result is always the same.
    let leaves = frequencies.indices.filter { frequencies[$0] > 0 }
      .sorted { (frequencies[$0], $0) < (frequencies[$1], $1) }
    var lengths = depths(leaves.map { frequencies[$0] }).map { min($0, limit) }
    // Words that were cut take the room of others, which get longer.
    let room = 1 << limit
    var used = lengths.reduce(0) { $0 + 1 << (limit - $1) }
    while used > room {
      let place = lengths.indices.filter { lengths[$0] < limit }.max { lengths[$0] < lengths[$1] }
      guard let place else { break }
      lengths[place] += 1
      used -= 1 << (limit - lengths[place])
    }
    // What is left over makes the most frequent ones shorter.
    while used < room {
      let place = lengths.indices.last {
        lengths[$0] > 1 && used + 1 << (limit - lengths[$0]) <= room
      }
      guard let place else { break }
      used += 1 << (limit - lengths[place])
      lengths[place] -= 1
    }
    var result = [UInt8](repeating: 0, count: frequencies.count)
    for (leaf, length) in zip(leaves, lengths) { result[leaf] = UInt8(length) }
    return result
  }

  /// Returns the depths of the leaves in a Huffman tree; their weights never decrease.
  private static func depths(_ weights: [Int]) -> [Int] {
    var weights = weights
    let leafCount = weights.count
    var parents = [Int](repeating: 0, count: 2 * leafCount - 1)
    var (leaf, node) = (0, leafCount)
    /// Takes the lighter of the next leaf and the next inner node.
    func next() -> Int {
      if leaf < leafCount, node >= weights.count || weights[leaf] <= weights[node] {
        leaf += 1
        return leaf - 1
      }
      node += 1
      return node - 1
    }
    for parent in leafCount..<2 * leafCount - 1 {
      let (left, right) = (next(), next())
      (parents[left], parents[right]) = (parent, parent)
      weights.append(weights[left] + weights[right])
    }
    var depths = [Int](repeating: 0, count: 2 * leafCount - 1)
    for place in (0..<2 * leafCount - 2).reversed() { depths[place] = depths[parents[place]] + 1 }
    return Array(depths.prefix(leafCount))
  }

  /// Returns the words in the order of RFC 1951, section 3.2.2.
  private static func words(_ lengths: [UInt8]) -> [UInt32] {
    var counts = [UInt32](repeating: 0, count: 17)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = [UInt32](repeating: 0, count: 17)
    for length in 1..<17 { next[length] = (next[length - 1] + counts[length - 1]) << 1 }
    return lengths.map { length in
      guard length > 0 else { return 0 }
      defer { next[Int(length)] += 1 }
      return (0..<UInt32(length)).reduce(0) { word, bit in
        word << 1 | (next[Int(length)] >> bit) & 1
      }
    }
  }
}

/// Collects bits, the lowest first.
struct BitWriter {
  private var bytes: [UInt8] = []
  private var bits: UInt64 = 0
  private var count = 0

  mutating func write(_ value: UInt64, _ bitCount: Int) {
    bits |= value << UInt64(count)
    count += bitCount
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      count -= 8
    }
  }

  mutating func write(_ code: HuffmanCode, _ symbol: Int) {
    write(UInt64(code.words[symbol]), Int(code.lengths[symbol]))
  }

  /// Fills the last byte; returns all bytes.
  mutating func finish() -> [UInt8] {
    if count > 0 { bytes.append(UInt8(truncatingIfNeeded: bits)) }
    (bits, count) = (0, 0)
    return bytes
  }
}
