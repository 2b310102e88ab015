/// A prefix code of DEFLATE, as a table from the next bits to a symbol.
struct PrefixCode {
  /// The length of the longest word.
  private let longest: Int
  /// For each value of the next `longest` bits: the symbol and, in the lowest four bits, the length of its word; 0 if no
  /// word begins like this.
  private let table: [UInt16]

  /// Makes a code from the lengths of its words, 0 to 15, by symbol (RFC 1951, 3.2.2).
  init(_ lengths: ArraySlice<UInt8>) throws {
    let longest = Int(lengths.max() ?? 0)
    var counts = [Int](repeating: 0, count: 16)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = [Int](repeating: 0, count: 16)
    var word = 0
    for length in stride(from: 1, through: longest, by: 1) {
      word = (word + counts[length - 1]) << 1
      next[length] = word
      guard word + counts[length] <= 1 << length else {
        throw CompressionFault.damaged("a prefix code has too many words")
      }
    }
    var table = [UInt16](repeating: 0, count: 1 << longest)
    for (symbol, length) in zip(0..., lengths) where length > 0 {
      let length = Int(length)
      let start = Self.reversed(next[length], length)
      next[length] += 1
      for place in stride(from: start, to: table.count, by: 1 << length) {
        table[place] = UInt16(symbol << 4 | length)
      }
    }
    (self.longest, self.table) = (longest, table)
  }

  private static func reversed(_ word: Int, _ length: Int) -> Int {
    (0..<length).reduce(0) { $0 | (word >> $1 & 1) << (length - 1 - $1) }
  }

  /// Takes the next symbol.
  func symbol(_ reader: inout BitReader) throws -> Int {
    try reader.fill(longest)
    let entry = Int(table[reader.peek(longest)])
    guard entry != 0 else {
      throw reader.bitCount < longest
        ? CompressionFault.truncated : .damaged("a word is in no prefix code")
    }
    try reader.drop(entry & 15)
    return entry >> 4
  }
}

extension PrefixCode {
  /// The code of literals and lengths in blocks without one of their own (RFC 1951, 3.2.6).
  static let fixedLiterals = fixed(
    [(144, 8), (112, 9), (24, 7), (8, 8)])
  /// The code of distances in these blocks.
  static let fixedDistances = fixed([(30, 5)])

  private static func fixed(_ runs: [(count: Int, length: UInt8)]) -> PrefixCode {
    do {
      return try PrefixCode(runs.flatMap { [UInt8](repeating: $1, count: $0) }[...])
    } catch {
      preconditionFailure("the fixed codes are complete")
    }
  }
}
