/// Compresses bytes as gzip (RFC 1952 around RFC 1951), without a time and a name.
///
/// The same bytes always have the same result, whatever the machine and its zlib. That is why this is no call of
/// zlib, and apps that verify their recordings need no headers of it.
struct GzipFile {
  let bytes: [UInt8]

  init(_ content: [UInt8]) {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    var deflater = Deflater(content)
    bytes += deflater.run()
    var checksum: UInt32 = 0xFFFF_FFFF
    for byte in content {
      checksum = Self.table[Int((checksum ^ UInt32(byte)) & 0xFF)] ^ (checksum >> 8)
    }
    for number in [~checksum, UInt32(truncatingIfNeeded: content.count)] {
      for shift in stride(from: 0, to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
      }
    }
    self.bytes = bytes
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }
}

/// Finds repeated texts, and writes them in blocks with codes of their own.
private struct Deflater {
  private static let windowSize = 1 << 15
  private static let longestMatch = 258
  /// The numbers of zlib's default level.
  private static let (chainLength, lazyLength, niceLength) = (128, 16, 128)
  private static let blockSize = 1 << 15

  private let input: [UInt8]
  private var output = BitWriter()
  private var heads = [Int32](repeating: -1, count: 1 << 15)
  private var chain = [Int32](repeating: -1, count: windowSize)
  /// Literals, and matches as a length above a distance.
  private var symbols: [UInt32] = []

  init(_ input: [UInt8]) {
    self.input = input
    symbols.reserveCapacity(Self.blockSize)
  }

  mutating func run() -> [UInt8] {
    var place = 0
    var pending: (length: Int, distance: Int)?
    while place < input.count {
      let candidate = insert(place)
      var match = (length: 2, distance: 0)
      if (pending?.length ?? 0) < Self.lazyLength {
        match = longestMatch(at: place, candidate, longerThan: max(2, pending?.length ?? 2))
      }
      if let before = pending, before.length > 2, match.length <= before.length {
        append(UInt32(before.length) << 16 | UInt32(before.distance))
        let end = place - 1 + before.length
        place += 1
        while place < end {
          _ = insert(place)
          place += 1
        }
        pending = nil
      } else {
        if pending != nil { append(UInt32(input[place - 1])) }
        pending = match
        place += 1
      }
    }
    if pending != nil, let last = input.last { append(UInt32(last)) }
    writeBlock(isLast: true)
    return output.finish()
  }

  /// Enters a place; returns the last one with the same three bytes, or -1.
  @inline(__always)
  private mutating func insert(_ place: Int) -> Int {
    guard place + 3 <= input.count else { return -1 }
    let bytes =
      UInt32(input[place]) << 16 | UInt32(input[place + 1]) << 8 | UInt32(input[place + 2])
    let hash = Int((bytes &* 0x9E37_79B1) >> 17)
    let before = heads[hash]
    chain[place & (Self.windowSize - 1)] = before
    heads[hash] = Int32(truncatingIfNeeded: place)
    return Int(before)
  }

  private func longestMatch(
    at place: Int, _ first: Int, longerThan shortest: Int
  ) -> (length: Int, distance: Int) {
    var best = (length: shortest, distance: 0)
    let limit = min(Self.longestMatch, input.count - place)
    guard limit > shortest else { return best }
    var candidate = first
    var rest = Self.chainLength
    while candidate >= 0, place - candidate <= Self.windowSize, rest > 0 {
      rest -= 1
      if input[candidate + best.length] == input[place + best.length] {
        var length = 0
        while length < limit, input[candidate + length] == input[place + length] { length += 1 }
        if length > best.length {
          best = (length, place - candidate)
          if length >= Self.niceLength || length == limit { break }
        }
      }
      let next = Int(chain[candidate & (Self.windowSize - 1)])
      // An entry that was written over leads to a later place.
      guard next < candidate else { break }
      candidate = next
    }
    return best
  }

  // MARK: Blocks

  private mutating func append(_ symbol: UInt32) {
    symbols.append(symbol)
    if symbols.count == Self.blockSize { writeBlock(isLast: false) }
  }

  private mutating func writeBlock(isLast: Bool) {
    var literals = [Int](repeating: 0, count: 286)
    var distances = [Int](repeating: 0, count: 30)
    literals[256] = 1
    for symbol in symbols {
      guard symbol >= 1 << 16 else {
        literals[Int(symbol)] += 1
        continue
      }
      literals[257 + Self.lengths.code(of: Int(symbol >> 16))] += 1
      distances[Self.distances.code(of: Int(symbol & 0xFFFF))] += 1
    }
    let literalCode = HuffmanCode(literals, longest: 15)
    let distanceCode = HuffmanCode(distances, longest: 15)
    output.write(isLast ? 1 : 0, 1)
    output.write(2, 2)
    writeCodes(literalCode, distanceCode)
    for symbol in symbols {
      guard symbol >= 1 << 16 else {
        output.write(literalCode, Int(symbol))
        continue
      }
      let (length, distance) = (Int(symbol >> 16), Int(symbol & 0xFFFF))
      let lengthPlace = Self.lengths.code(of: length)
      output.write(literalCode, 257 + lengthPlace)
      output.write(
        UInt64(length - Self.lengths.bases[lengthPlace]), Self.lengths.extraBits[lengthPlace])
      let distancePlace = Self.distances.code(of: distance)
      output.write(distanceCode, distancePlace)
      output.write(
        UInt64(distance - Self.distances.bases[distancePlace]),
        Self.distances.extraBits[distancePlace])
    }
    output.write(literalCode, 256)
    symbols.removeAll(keepingCapacity: true)
  }

  /// Writes the lengths of the codes, run by run, in a code of their own.
  private mutating func writeCodes(_ literals: HuffmanCode, _ distances: HuffmanCode) {
    let lengths = literals.lengths[...] + distances.lengths
    var runs: [(symbol: Int, extra: UInt64, bits: Int)] = []
    var place = lengths.startIndex
    while place < lengths.endIndex {
      let length = lengths[place]
      var count = lengths[place...].prefix { $0 == length }.count
      place += count
      if length > 0 {
        runs.append((Int(length), 0, 0))
        count -= 1
      }
      while count >= 3 {
        if length > 0 {
          let part = min(count, 6)
          runs.append((16, UInt64(part - 3), 2))
          count -= part
        } else {
          let part = min(count, 138)
          runs.append(part < 11 ? (17, UInt64(part - 3), 3) : (18, UInt64(part - 11), 7))
          count -= part
        }
      }
      for _ in 0..<count { runs.append((Int(length), 0, 0)) }
    }
    var frequencies = [Int](repeating: 0, count: 19)
    for run in runs { frequencies[run.symbol] += 1 }
    let code = HuffmanCode(frequencies, longest: 7)
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    output.write(UInt64(literals.lengths.count - 257), 5)
    output.write(UInt64(distances.lengths.count - 1), 5)
    output.write(UInt64(order.count - 4), 4)
    for symbol in order { output.write(UInt64(code.lengths[symbol]), 3) }
    for run in runs {
      output.write(code, run.symbol)
      output.write(run.extra, run.bits)
    }
  }

  /// The codes that stand for ranges of lengths or distances.
  private struct Ranges {
    let bases: [Int]
    let extraBits: [Int]

    /// Returns the range that a number is in.
    func code(of number: Int) -> Int {
      var (low, high) = (0, bases.count - 1)
      while low < high {
        let middle = (low + high + 1) / 2
        if bases[middle] <= number { low = middle } else { high = middle - 1 }
      }
      return low
    }
  }

  private static let lengths = Ranges(
    bases: [
      3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
      163, 195, 227, 258,
    ],
    extraBits: [
      0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ])

  private static let distances = Ranges(
    bases: [
      1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
      2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
    ],
    extraBits: [
      0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
      13,
    ])
}
