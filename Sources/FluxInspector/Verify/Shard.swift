/// A part of a corpus: the second of eight is `2/8`.
///
/// The logs are sorted by the bytes of their paths, each named once, and dealt out in turn: a corpus
/// falls into the same parts on every machine that names it in the same way, in whatever order, and
/// the parts differ by one log at most.
public struct Shard: Sendable, Equatable {
  /// Which part, counted from 1.
  public let index: Int
  /// How many parts there are.
  public let count: Int

  /// Reads a shard such as `2/8`; nil where the text is none.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
      (1...max(1, count)).contains(index), count >= 1
    else { return nil }
    self.index = index
    self.count = count
  }

  /// The paths of this part, sorted.
  public func select(from paths: [String]) -> [String] {
    let sorted = Set(paths).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return stride(from: index - 1, to: sorted.count, by: count).map { sorted[$0] }
  }
}
