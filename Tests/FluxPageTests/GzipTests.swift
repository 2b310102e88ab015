import Foundation
import TestFixtures
import Testing

@testable import FluxPage

@Suite struct GzipTests {
  @Test("what was compressed is there again", arguments: 0..<40)
  func roundTrip(_ purpose: Int) throws {
    var random = RandomJSON(purpose)
    var bytes: [UInt8] = []
    let size = [0, 1, 2, 3, 100, 5_000, 70_000, 200_000][purpose % 8]
    let letters = 1 + random.below(255)
    while bytes.count < size {
      if !bytes.isEmpty, random.chance(2) {
        let start = random.below(bytes.count)
        let length = min(random.below(600), bytes.count - start)
        bytes += bytes[start..<start + length]
      } else {
        bytes += (0..<random.below(50)).map { _ in UInt8(random.below(letters)) }
      }
    }
    let file = GzipFile(bytes).bytes
    #expect(try Inflater.gunzip(file) == bytes)
    #expect(GzipFile(bytes).bytes == file)
  }

  @Test("a text that repeats gets small")
  func small() {
    let bytes = Array(String(repeating: "{\"n\":1,\"type\":\"todo/add\"}\n", count: 10_000).utf8)
    #expect(GzipFile(bytes).bytes.count < 2_000)
  }

  @Test("codes stay within their limit, and leave no word out", arguments: [7, 15])
  func codes(_ limit: Int) {
    // The frequencies of a Huffman tree that is as deep as possible.
    var frequencies = [1, 1]
    while frequencies.count < 19 { frequencies.append(frequencies.suffix(2).reduce(0, +)) }
    for count in 1...19 {
      let lengths = HuffmanCode(Array(frequencies.prefix(count)) + [0], longest: limit).lengths
      let used = lengths.filter { $0 > 0 }
      #expect(used.allSatisfy { $0 <= limit })
      // The codes divide the room of all words of that length among themselves.
      let rooms: [Int] = used.map { 1 << (limit - Int($0)) }
      let room: Int = 1 << limit
      #expect(rooms.reduce(0, +) == room, "\(count)")
    }
  }

  @Test(
    "sums are those of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func sums(_ text: String, _ sum: String) {
    let digits = SHA256.sum(Array(text.utf8)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    #expect(digits.joined() == sum)
  }
}

/// Reads gzip, slowly: what the tests hold the compressor against.
struct Inflater {
  struct Failure: Error {}

  private let input: [UInt8]
  private var place: Int
  private var bit = 0
  private var output: [UInt8] = []

  static func gunzip(_ bytes: [UInt8]) throws -> [UInt8] {
    guard bytes.starts(with: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]) else { throw Failure() }
    var inflater = Inflater(input: bytes, place: 10)
    try inflater.run()
    let size = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard inflater.output.count == size else { throw Failure() }
    return inflater.output
  }

  private mutating func bits(_ count: Int) throws -> Int {
    var value = 0
    for index in 0..<count {
      guard place < input.count else { throw Failure() }
      value |= Int(input[place] >> UInt8(bit) & 1) << index
      bit += 1
      if bit == 8 { (bit, place) = (0, place + 1) }
    }
    return value
  }

  private mutating func symbol(_ code: [[Int]: Int]) throws -> Int {
    var word: [Int] = []
    while word.count < 16 {
      word.append(try bits(1))
      if let symbol = code[word] { return symbol }
    }
    throw Failure()
  }

  private func code(_ lengths: [Int]) -> [[Int]: Int] {
    var code: [[Int]: Int] = [:]
    var next = 0
    for length in 1..<16 {
      for (symbol, own) in lengths.enumerated() where own == length {
        code[(0..<length).map { next >> (length - 1 - $0) & 1 }] = symbol
        next += 1
      }
      next <<= 1
    }
    return code
  }

  private mutating func run() throws {
    var isLast = false
    while !isLast {
      isLast = try bits(1) == 1
      guard try bits(2) == 2 else { throw Failure() }
      let (literalCount, distanceCount, count) = (
        try bits(5) + 257, try bits(5) + 1, try bits(4) + 4
      )
      var meta = [Int](repeating: 0, count: 19)
      let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
      for symbol in order.prefix(count) { meta[symbol] = try bits(3) }
      let metaCode = code(meta)
      var lengths: [Int] = []
      while lengths.count < literalCount + distanceCount {
        switch try symbol(metaCode) {
        case 16: lengths += Array(repeating: lengths.last ?? 0, count: try bits(2) + 3)
        case 17: lengths += Array(repeating: 0, count: try bits(3) + 3)
        case 18: lengths += Array(repeating: 0, count: try bits(7) + 11)
        case let length: lengths.append(length)
        }
      }
      try block(
        code(Array(lengths.prefix(literalCount))), code(Array(lengths.dropFirst(literalCount))))
    }
  }

  private mutating func block(_ literals: [[Int]: Int], _ distances: [[Int]: Int]) throws {
    while true {
      let literal = try symbol(literals)
      if literal < 256 {
        output.append(UInt8(literal))
        continue
      }
      if literal == 256 { return }
      let length = try number(literal - 257, step: 4, first: 3, last: 28)
      let distance = try number(try symbol(distances), step: 2, first: 1, last: 30)
      guard distance <= output.count else { throw Failure() }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  /// A length or a distance: each code stands for as many as its extra bits tell.
  private mutating func number(_ code: Int, step: Int, first: Int, last: Int) throws -> Int {
    if code == last { return 258 }
    guard code >= 2 * step else { return first + code }
    let extra = code / step - 1
    return first + (step + code % step) << extra + (try bits(extra))
  }
}
