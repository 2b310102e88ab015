package import FluxJSON

/// Makes random values and random edits of them, the same ones for the same seed and purpose.
package struct RandomJSON: RandomNumberGenerator {
  private var generator: SeededGenerator

  package init(_ purpose: Int) {
    generator = SeededGenerator(
      seed: SeededGenerator.seed &+ UInt64(truncatingIfNeeded: purpose) &* 0x9E37_79B9_7F4A_7C15)
  }

  package mutating func next() -> UInt64 { generator.next() }

  package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  package mutating func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }

  // MARK: Text

  private static let pieces = [
    "a", "b", "z", "0", "é", "e\u{301}", "日", "😀", "/", "~", "~1", "-", " ", "\\n", "\\\"",
    "\\\\", "\\u0041", "\\ud800", "\\udc00", "\\ud83d\\ude00", "\u{7F}", "\\u0000", "\u{2028}",
  ]

  /// The inside of a string, as JSON writes it.
  package mutating func text(_ most: Int) -> String {
    // Mostly plain, as most strings are.
    let choices = chance(3) ? RandomJSON.pieces.count : 3
    return (0..<below(most + 1)).map { _ in RandomJSON.pieces[below(choices)] }.joined()
  }

  private mutating func number() -> String {
    let numbers = [
      "0", "-0", "1", "1.0", "10e-1", "1e400", "1e-400", "9007199254740993", "9007199254740992",
      "-12.5", "18446744073709551616", "0.1", "100", "1E2",
    ]
    return chance(3) ? numbers[below(numbers.count)] : String(below(5))
  }

  private mutating func blank() -> String { chance(8) ? [" ", "\n", "\t "][below(3)] : "" }

  // MARK: Values

  package mutating func value(depth: Int, width: Int = 5) -> String {
    switch below(depth > 0 ? 10 : 4) {
    case 0: ["null", "true", "false"][below(3)]
    case 1: number()
    case 2, 3: "\"\(text(6))\""
    case 4...6: array(depth: depth, width: width)
    default: object(depth: depth, width: width)
    }
  }

  private mutating func array(depth: Int, width: Int) -> String {
    let kind = below(3)
    let elements = (0..<below(width + 1)).map { index in
      switch kind {
      case 0: value(depth: depth - 1)
      case 1: number()
      // Ids are unique, or now and then not.
      default: "{\"id\":\(chance(12) ? 0 : index),\"v\":\(value(depth: depth - 1))}"
      }
    }
    return "[" + blank() + elements.joined(separator: "," + blank()) + "]"
  }

  private mutating func object(depth: Int, width: Int) -> String {
    var names = (0..<below(width + 1)).map { _ in text(2) }
    if chance(2) { names = Array(Set(names)).sorted() }
    let members = names.map { "\"\($0)\":\(blank())\(value(depth: depth - 1))" }
    return "{" + members.joined(separator: "," + blank()) + blank() + "}"
  }

  // MARK: Edits

  /// The text of a value with a few changes somewhere in it.
  package mutating func edited(_ value: JSON, depth: Int = 3) -> String {
    guard !chance(12) else { return self.value(depth: min(depth, 2)) }
    switch value.kind {
    case .array:
      guard value.count > 0 else { return array(depth: 1, width: 3) }
      return "[" + edited(value.elements.map(\.text), depth: depth).joined(separator: ",") + "]"
    case .object:
      var members = value.members.map { ("\(JSON(stringLiteral: $0.name).text)", $0.value) }
      if !members.isEmpty, chance(3) { members.remove(at: below(members.count)) }
      var texts = members.map { "\($0.0):\($0.1.text)" }
      if !members.isEmpty {
        let place = below(members.count)
        texts[place] = "\(members[place].0):\(edited(members[place].1, depth: depth - 1))"
      }
      if chance(3) { texts.append("\"\(text(3))\":\(self.value(depth: 1))") }
      if chance(6) { texts.shuffle(using: &self) }
      return "{" + texts.joined(separator: ",") + "}"
    case .string: return "\"" + editedText(value) + "\""
    case .null, .bool, .number: return self.value(depth: 0)
    }
  }

  private mutating func edited(_ elements: [String], depth: Int) -> [String] {
    var elements = elements
    for _ in 0...below(3) where !elements.isEmpty {
      let place = below(elements.count)
      switch below(5) {
      case 0: elements.remove(at: place)
      case 1: elements.insert(value(depth: 1), at: place)
      case 2: elements.swapAt(place, below(elements.count))
      case 3: elements.append(elements[place])
      default:
        guard let element = try? JSON.parse(elements[place]) else { continue }
        elements[place] = edited(element, depth: depth - 1)
      }
    }
    return elements
  }

  private mutating func editedText(_ string: JSON) -> String {
    // Between code points as they are written: a backslash and what follows stay together.
    var units: [String] = []
    for character in string.text.dropFirst().dropLast().unicodeScalars {
      units.append(String(character))
    }
    guard !units.contains("\\") else { return text(8) }
    let start = below(units.count + 1)
    let end = start + below(units.count - start + 1)
    units.replaceSubrange(start..<end, with: [text(4)])
    return units.joined()
  }
}
