import TestFixtures
import Testing

@testable import FluxJSON

@Suite struct JSONPropertyTests {
  @Test("A random tree that is written, in any layout, parses to what was written")
  func roundTrip() throws {
    var random = SeededGenerator()
    for round in 0..<400 {
      let tree = Tree.random(depth: 5, using: &random)
      let value = try JSON.parse(tree.text(using: &random))
      #expect(tree.matches(value), "seed \(SeededGenerator.seed), round \(round)")
      let again = try JSON.parse(tree.text(using: &random))
      #expect(value == again, "seed \(SeededGenerator.seed), round \(round)")
      #expect(try JSON.parse(value.pretty()) == value)
      #expect(try JSON.parse(value.description) == value)
      #expect(value.canonical() == value)
      #expect(value.canonical().text == value.canonical().canonical().text)
    }
  }

  @Test("Objects in a row are read as each of them alone, whatever their names")
  func objectsInARow() throws {
    var random = SeededGenerator()
    let names = [
      "a", "b", "id", "", "title12", "title123", "\\u0061", "averylongnamehere", "sixteenbytes16",
      "fourteenbytes1", "fifteenbytes123", "é",
    ]
    for round in 0..<500 {
      var shape = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        names[Int.random(in: 0..<names.count, using: &random)]
      }
      let texts = (0..<Int.random(in: 1...6, using: &random)).map { _ -> String in
        if Int.random(in: 0..<3, using: &random) == 0, !shape.isEmpty {
          shape[Int.random(in: 0..<shape.count, using: &random)] =
            names[Int.random(in: 0..<names.count, using: &random)]
        }
        if Int.random(in: 0..<5, using: &random) == 0 { shape = shape.dropLast() }
        let values = ["1", "[]", "{}", #"{"x":1,"a":2}"#, #"[{"a":1},{"a":1}]"#, #""a""#]
        let members = shape.map {
          "\"\($0)\":" + values[Int.random(in: 0..<values.count, using: &random)]
        }
        return "{" + members.joined(separator: ",") + "}"
      }
      let row = try JSON.parse("[" + texts.joined(separator: ",") + "]")
      for (text, element) in zip(texts, row.elements) {
        let alone = try JSON.parse(text)
        let claim = "seed \(SeededGenerator.seed), round \(round): \(text)"
        #expect(element.text == text, "\(claim)")
        // Not to know that names are sorted is allowed, to believe it wrongly is not.
        let (known, truth) = (element.node.info, alone.node.info)
        #expect(known | JSONNode.sorted == truth | JSONNode.sorted, "\(claim)")
        #expect(known & ~truth == 0, "\(claim)")
        #expect(element.members.map(\.name) == alone.members.map(\.name), "\(claim)")
        #expect(element == alone, "\(claim)")
      }
      #expect(row.count == texts.count)
    }
  }

  @Test("A text with a byte changed or cut off is a value or an error")
  func damage() throws {
    let text = Array(
      #"{"a":[1,-2.5e+10,"x\u00e9\ud83d\ude00é😀",true,false,null,{"b":{},"b":[]}],"a":0}"#.utf8)
    var random = SeededGenerator()
    for place in text.indices {
      check(Array(text[..<place]))
      check(Array(text[place...]))
      for _ in 0..<20 {
        var damaged = text
        damaged[place] = UInt8.random(in: 0...255, using: &random)
        check(damaged)
      }
    }
  }

  /// Touches all of a value; an error has to point into the text or at its end.
  private func check(_ bytes: [UInt8]) {
    do throws(JSONError) {
      let value = try JSON.parse(bytes)
      #expect(value == value.canonical())
      #expect(!value.pretty().isEmpty)
      #expect(value["a"] == nil || value.kind == .object)
    } catch {
      #expect((0...bytes.count).contains(error.byte))
      #expect(!error.message.isEmpty)
    }
  }
}

/// A JSON value that is not ours, to compare ours with.
private indirect enum Tree {
  case null
  case bool(Bool)
  case integer(Int64)
  case string([Unicode.Scalar])
  case array([Tree])
  case object([(name: String, value: Tree)])

  static func random(depth: Int, using random: inout SeededGenerator) -> Tree {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2:
      let bits = Int64.random(in: 0..<64, using: &random)
      return .integer(Int64(truncatingIfNeeded: random.next()) >> bits)
    case 3: return .string(scalars(using: &random))
    case 4, 5:
      return .array(
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
          .random(depth: depth - 1, using: &random)
        })
    default:
      let count = Int.random(in: 0...20, using: &random)
      return .object(
        (0..<count).map { place in
          let name = String(String.UnicodeScalarView(scalars(using: &random))) + "\(place)"
          return (name, .random(depth: depth - 2, using: &random))
        })
    }
  }

  private static func scalars(using random: inout SeededGenerator) -> [Unicode.Scalar] {
    (0..<Int.random(in: 0...24, using: &random)).map { _ in
      let pool: [ClosedRange<UInt32>] = [
        0...0x1F, 0x20...0x7E, 0x20...0x7E, 0x61...0x7A, 0x7F...0x7FF, 0x800...0xD7FF,
        0xE000...0xFFFF, 0x10000...0x10FFFF,
      ]
      let range = pool[Int.random(in: 0..<pool.count, using: &random)]
      return Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "?"
    }
  }

  /// Writes the tree with random blanks, escapes and ways to write a number.
  func text(using random: inout SeededGenerator) -> String {
    let blank = ["", "", "", " ", "\n\t", "\r "][Int.random(in: 0..<6, using: &random)]
    switch self {
    case .null: return "null" + blank
    case .bool(let value): return blank + "\(value)"
    case .integer(let value):
      let tenfold = value == 0 ? "0" : "\(value)0"
      return ["\(value)", "\(value).0", "\(tenfold)E-1"][Int.random(in: 0..<3, using: &random)]
    case .string(let scalars): return Tree.quoted(scalars, using: &random)
    case .array(let elements):
      var parts: [String] = []
      for element in elements { parts.append(element.text(using: &random) + blank) }
      return blank + "[" + blank + parts.joined(separator: ",") + "]"
    case .object(let members):
      var parts: [String] = []
      for member in members {
        let name = Tree.quoted(Array(member.name.unicodeScalars), using: &random)
        parts.append(name + blank + ":" + blank + member.value.text(using: &random))
      }
      return "{" + blank + parts.joined(separator: "," + blank) + "}" + blank
    }
  }

  private static func quoted(
    _ scalars: [Unicode.Scalar], using random: inout SeededGenerator
  ) -> String {
    var text = "\""
    for scalar in scalars {
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      if mustEscape || Int.random(in: 0..<10, using: &random) == 0 {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: .random(using: &random))
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  func matches(_ value: JSON) -> Bool {
    switch self {
    case .null: return value.isNull
    case .bool(let expected): return value.bool == expected
    case .integer(let expected): return value.number?.int64 == expected
    case .string(let expected):
      return value.string.map { Array($0.unicodeScalars) } == expected
    case .array(let expected):
      return value.kind == .array && value.count == expected.count
        && zip(expected, value.elements).allSatisfy { $0.matches($1) }
    case .object(let expected):
      return value.kind == .object && value.count == expected.count
        && expected.allSatisfy { member in value[member.name].map(member.value.matches) ?? false }
    }
  }
}
