/// Reads bits and bytes from compressed data that arrives in pieces.
struct BitReader {
  /// Returns the next piece; an empty one at the end.
  private let nextPiece: () throws -> [UInt8]
  private var piece: [UInt8] = []
  private var next = 0
  /// The bits that were read and not taken, the next one lowest.
  private var bits: UInt64 = 0
  private(set) var bitCount = 0

  init(_ nextPiece: @escaping () throws -> [UInt8]) { self.nextPiece = nextPiece }

  /// Reads ahead until at least `count` bits are there, at most 56, or the data ends.
  mutating func fill(_ count: Int) throws {
    while bitCount < count {
      if next == piece.count {
        piece = try nextPiece()
        next = 0
        guard !piece.isEmpty else { return }
      }
      bits |= UInt64(piece[next]) << UInt64(bitCount)
      next += 1
      bitCount += 8
    }
  }

  /// The next bits, followed by zeros if there are not so many.
  func peek(_ count: Int) -> Int { Int(bits & ((1 << UInt64(count)) - 1)) }

  /// Drops bits that ``fill(_:)`` has read.
  ///
  /// - Throws: ``CompressionFault`` if there are fewer.
  mutating func drop(_ count: Int) throws {
    guard count <= bitCount else { throw CompressionFault.truncated }
    bits >>= UInt64(count)
    bitCount -= count
  }

  /// Takes the next bits, at most 32, the first one lowest.
  mutating func take(_ count: Int) throws -> Int {
    try fill(count)
    let value = peek(count)
    try drop(count)
    return value
  }

  /// Skips the rest of a byte that was begun.
  mutating func skipToByte() {
    bits >>= UInt64(bitCount % 8)
    bitCount -= bitCount % 8
  }

  /// `true` if there is no further byte.
  mutating func isAtEnd() throws -> Bool {
    try fill(8)
    return bitCount < 8
  }
}

/// The reason why compressed data cannot be read.
enum CompressionFault: Error, Equatable {
  case truncated
  case damaged(String)

  var message: String {
    switch self {
    case .truncated: "the compressed data is truncated"
    case .damaged(let problem): "the compressed data is damaged: \(problem)"
    }
  }
}
