/// Decompresses DEFLATE data, as RFC 1951 describes it, in bounded memory.
///
/// Data that is not DEFLATE is a ``CompressionFault``.
struct Inflater {
  /// The distance that a copy may go back.
  private static let windowSize = 32_768
  private static let capacity = 4 * windowSize
  private static let longestCopy = 258

  private let write: (ArraySlice<UInt8>) throws -> Void
  /// The end of the output: what a copy may repeat, and what is not written yet.
  private var output = [UInt8](repeating: 0, count: capacity)
  private var written = 0
  private var end = 0

  /// - Parameter write: Receives the output, piece by piece.
  init(_ write: @escaping (ArraySlice<UInt8>) throws -> Void) { self.write = write }

  /// Decompresses up to the end of the last block.
  mutating func run(_ reader: inout BitReader) throws {
    (written, end) = (0, 0)
    var isLast = false
    while !isLast {
      isLast = try reader.take(1) == 1
      switch try reader.take(2) {
      case 0: try copyStored(&reader)
      case 1: try expand(&reader, .fixedLiterals, .fixedDistances)
      case 2:
        let (literals, distances) = try Self.codes(&reader)
        try expand(&reader, literals, distances)
      default: throw CompressionFault.damaged("a block has an unknown type")
      }
    }
    try flush()
  }

  private mutating func copyStored(_ reader: inout BitReader) throws {
    reader.skipToByte()
    let count = try reader.take(16)
    guard try reader.take(16) == count ^ 0xFFFF else {
      throw CompressionFault.damaged("the length of a block contradicts its check")
    }
    for _ in 0..<count {
      try makeRoom()
      output[end] = UInt8(try reader.take(8))
      end += 1
    }
  }

  private mutating func expand(
    _ reader: inout BitReader, _ literals: PrefixCode, _ distances: PrefixCode
  ) throws {
    while true {
      try makeRoom()
      let symbol = try literals.symbol(&reader)
      if symbol < 256 {
        output[end] = UInt8(symbol)
        end += 1
        continue
      }
      guard symbol > 256 else { return }
      guard symbol - 257 < Self.lengths.count else {
        throw CompressionFault.damaged("a copy has an unknown length")
      }
      let (length, lengthBits) = Self.lengths[symbol - 257]
      let count = length + (try reader.take(lengthBits))
      let place = try distances.symbol(&reader)
      guard place < Self.distances.count else {
        throw CompressionFault.damaged("a copy has an unknown distance")
      }
      let (start, bits) = Self.distances[place]
      try copy(count, from: start + (try reader.take(bits)))
    }
  }

  private mutating func copy(_ count: Int, from distance: Int) throws {
    guard distance <= end else {
      throw CompressionFault.damaged("a copy begins before the data")
    }
    for _ in 0..<count {
      output[end] = output[end - distance]
      end += 1
    }
  }

  /// Writes the output before there is no room for another copy, and keeps what a copy may repeat.
  private mutating func makeRoom() throws {
    guard end + Self.longestCopy > Self.capacity else { return }
    try flush()
    let kept = end - Self.windowSize..<end
    output.replaceSubrange(0..<Self.windowSize, with: Array(output[kept]))
    (written, end) = (Self.windowSize, Self.windowSize)
  }

  private mutating func flush() throws {
    try write(output[written..<end])
    written = end
  }

  // MARK: Codes

  /// The order in which a block gives the lengths of the code for lengths.
  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  /// The lengths of copies, each with the number of bits that add to it.
  private static let lengths: [(Int, Int)] =
    zip(
      [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115,
        131, 163, 195, 227, 258,
      ],
      [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
    ).map { ($0, $1) }

  /// The distances of copies, each with the number of bits that add to it.
  private static let distances: [(Int, Int)] = (0..<30).map { place in
    let bits = max(0, place / 2 - 1)
    return (place < 2 ? place + 1 : 1 + (2 + place % 2) << bits, bits)
  }

  /// Reads the two codes of a block (RFC 1951, 3.2.7).
  private static func codes(_ reader: inout BitReader) throws -> (PrefixCode, PrefixCode) {
    let literalCount = try reader.take(5) + 257
    let distanceCount = try reader.take(5) + 1
    let lengthCount = try reader.take(4) + 4
    var lengthLengths = [UInt8](repeating: 0, count: 19)
    for place in lengthOrder.prefix(lengthCount) {
      lengthLengths[place] = UInt8(try reader.take(3))
    }
    let lengthCode = try PrefixCode(lengthLengths[...])
    var lengths: [UInt8] = []
    while lengths.count < literalCount + distanceCount {
      let symbol = try lengthCode.symbol(&reader)
      switch symbol {
      case 16:
        guard let last = lengths.last else {
          throw CompressionFault.damaged("a code repeats a length before the first")
        }
        lengths += [UInt8](repeating: last, count: 3 + (try reader.take(2)))
      case 17: lengths += [UInt8](repeating: 0, count: 3 + (try reader.take(3)))
      case 18: lengths += [UInt8](repeating: 0, count: 11 + (try reader.take(7)))
      default: lengths.append(UInt8(symbol))
      }
    }
    guard lengths.count == literalCount + distanceCount else {
      throw CompressionFault.damaged("a code has too many lengths")
    }
    return (try PrefixCode(lengths[..<literalCount]), try PrefixCode(lengths[literalCount...]))
  }
}
