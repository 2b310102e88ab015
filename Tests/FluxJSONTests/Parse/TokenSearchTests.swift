import CTokens
import TestFixtures
import Testing

/// The search for tokens is compiled for several sets of instructions, of which a program takes the
/// best that the processor has: here all that it has are run.
@Suite struct TokenSearchTests {
  private static let possible = (0..<UInt32(flux_token_instructions_count))
    .map { flux_token_instructions($0) }.filter { flux_has_token_instructions($0) }

  /// All that a search tells.
  private struct Found: Equatable {
    var places: [UInt32] = []
    var endsInString = false
    var hasEscapes = false
    var hasFault = false
  }

  private static func search(
    _ text: [UInt8], _ instructions: flux_token_instructions,
    room: Int = Int(flux_token_stride + flux_token_group)
  ) -> Found {
    var search = flux_token_search()
    var places: [UInt32] = []
    while search.position < text.count, !search.has_fault {
      places += unsafe [UInt32](unsafeUninitializedCapacity: room) { memory, count in
        count = unsafe flux_find_tokens_by(
          instructions, text, text.count, &search, memory.baseAddress, room)
      }
    }
    return Found(
      places: search.has_fault ? [] : places, endsInString: search.in_string != 0,
      hasEscapes: search.has_escapes, hasFault: search.has_fault)
  }

  private static let blanks = String(repeating: " ", count: 62)

  @Test(
    "Tokens are found where they stand",
    arguments: [
      ("", []), (" ", []), ("7", [0]), ("-1.5e+3", [0]), ("true", [0]), (#""""#, [0, 1]),
      (#"{"a":1,"b":[]}"#, [0, 1, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13]),
      ("[ 1,\n\ttrue ]\r\n", [0, 2, 3, 6, 11]), (#""{[,:]}""#, [0, 7]),
      (#""café, 日本, 👍""#, [0, 20]), (blanks + "12345", [62]), (blanks + "[]{}", [62, 63, 64, 65]),
      (blanks + #""ab""#, [62, 65]), (blanks + #""é日👍""#, [62, 72]),
    ] as [(String, [UInt32])])
  func table(text: String, places: [UInt32]) {
    for instructions in Self.possible {
      #expect(
        Self.search(Array(text.utf8), instructions) == Found(places: places), "\(instructions)")
    }
  }

  @Test(
    "A quote that is escaped ends no string",
    arguments: [
      (#""a\"b""#, [0, 5]), (#""\\""#, [0, 3]), (#""\\\\\"\\""#, [0, 9]),
      (blanks + #""\"""#, [62, 65]), (blanks + #" "\""#, [63]),
    ] as [(String, [UInt32])])
  func escapes(text: String, places: [UInt32]) {
    let endsInString = places.count == 1
    for instructions in Self.possible {
      #expect(
        Self.search(Array(text.utf8), instructions)
          == Found(places: places, endsInString: endsInString, hasEscapes: true), "\(instructions)")
    }
  }

  @Test(
    "Controls in strings and what is not UTF-8 are faults",
    arguments: [
      [0x22, 0x0A, 0x22], [0x01], [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE2, 0x28, 0xA1], [0xC3, 0xA9, 0xA9],
    ] as [[UInt8]])
  func faults(text: [UInt8]) {
    for start in 0...70 {
      let moved = Array(repeating: UInt8(ascii: " "), count: start) + text
      for instructions in Self.possible {
        #expect(Self.search(moved, instructions).hasFault, "\(instructions), after \(start) blanks")
      }
    }
  }

  @Test("Whatever the instructions and the room are, the same is found")
  func random() {
    var random = SeededGenerator()
    let parts = [
      "{", "}", "[", "]", ",", ":", "\"", "\"", "\\", " ", "a", "1", "é", "日", "👍",
    ]
    .map { Array($0.utf8) }
    let broken: [[UInt8]] = [
      [0x01], [0x0A], [0x80], [0xC1], [0xE0], [0xED], [0xF0], [0xF4], [0xFF],
    ]
    for round in 0..<4_000 {
      var text: [UInt8] = []
      for _ in 0..<Int.random(in: 0...400, using: &random) {
        text += parts.randomElement(using: &random) ?? []
      }
      if round % 4 == 0, let fault = broken.randomElement(using: &random) {
        text.insert(contentsOf: fault, at: Int.random(in: 0...text.count, using: &random))
      }
      let expected = Self.search(text, flux_token_portable, room: 1_000)
      let room = Int.random(in: 80...300, using: &random)
      for instructions in Self.possible {
        #expect(
          Self.search(text, instructions, room: room) == expected,
          "\(instructions), seed \(SeededGenerator.seed), round \(round)")
      }
    }
  }
}
