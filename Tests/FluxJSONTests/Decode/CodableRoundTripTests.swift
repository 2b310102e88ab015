import Foundation
import TestFixtures
import Testing

@testable import FluxJSON

@Suite struct CodableRoundTripTests {
  @Test("Random values read back equal, and are written the same each time")
  func random() throws {
    var random = SeededGenerator()
    for round in 0..<300 {
      let value = Sample.random(depth: 3, using: &random)
      let json = try LogEncoder().encode(value)
      let claim = "seed \(SeededGenerator.seed), round \(round)"
      let back = try LogDecoder().decode(Sample.self, from: json)
      #expect(back == value, "\(claim)")
      #expect(json.canonical().text == json.text, "\(claim)")
      #expect(try LogEncoder().encode(back).text == json.text, "\(claim)")
      #expect(!json.hasDuplicateNames, "\(claim)")
    }
  }

  @Test("What Foundation's encoder writes is read as well, and the other way round")
  func foundation() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    var random = SeededGenerator()
    for round in 0..<100 {
      let value = Plain.random(using: &random)
      let theirs = [UInt8](try encoder.encode(value))
      let ours = try LogEncoder().bytes(of: value)
      let claim = "seed \(SeededGenerator.seed), round \(round)"
      #expect(try JSON.parse(theirs) == JSON.parse(ours), "\(claim)")
      #expect(try LogDecoder().decode(Plain.self, from: JSON.parse(theirs)) == value, "\(claim)")
      #expect(try decoder.decode(Plain.self, from: Data(ours)) == value, "\(claim)")
    }
  }

  @Test("Values of the library's own types read back equal")
  func libraryTypes() throws {
    try check(1..<5)
    try check(1...5)
    try check(Float16(1.5))
    try check(Float16.infinity)
    try check(Float.pi)
    try check(Int128.min)
    try check(UInt128.max)
    try check(Decimal(string: "12345678901234567890.123456789012345678"))
    try check(Decimal.greatestFiniteMagnitude)
    try check(Decimal.leastNonzeroMagnitude)
    try check(-Decimal.greatestFiniteMagnitude)
    try check(URL(string: "file:///tmp/a%20b"))
    try check(UUID())
    try check(Locale(identifier: "pt_BR"))
    try check(TimeZone(identifier: "Europe/Lisbon"))
    try check(DateInterval(start: .distantPast, end: .distantFuture))
    try check(IndexSet([1, 2, 3, 7]))
    try check(CharacterSet(charactersIn: "abc"))
    try check(URLComponents(string: "https://example.org/a?b=c"))
    try check(PersonNameComponents(givenName: "Ada"))
    try check(DateComponents(year: 2026, month: 11))
    try check([1: "a", 2: "b"])
    try check([UUID(): [1], UUID(): [2]])
    try check([Date.distantPast: "past"])
    try check(Set(["a", "b"]))
    try check(ContiguousArray([1, 2]))
    try check([String: Int?](uniqueKeysWithValues: [("a", nil), ("b", 1)]))
    try check([[[nil as Int?], []], []])
    #expect(try roundTrip(Decimal.nan).isNaN)
    #expect(try roundTrip([Float16.nan])[0].isNaN)
  }

  @Test("A class hierarchy reads back what each class wrote")
  func classes() throws {
    let dog = Dog()
    dog.legs = 3
    dog.name = "Rex"
    let back = try roundTrip(dog)
    #expect(back.legs == 3)
    #expect(back.name == "Rex")
    #expect(try LogEncoder().encode(dog).text == #"{"name":"Rex","super":{"legs":3}}"#)
    let flat = try roundTrip(Cat())
    #expect(flat.legs == 4)
    #expect(flat.lives == 9)
    #expect(try LogEncoder().encode(Cat()).text == #"{"legs":4,"lives":9}"#)
  }

  private func roundTrip<T: Codable>(_ value: T) throws -> T {
    try LogDecoder().decode(T.self, from: LogEncoder().encode(value))
  }

  private func check<T: Codable & Equatable>(_ value: T) throws {
    #expect(try roundTrip(value) == value)
    #expect(try roundTrip([value]) == [value])
    #expect(try roundTrip(["x": value]) == ["x": value])
  }
}

/// What both pairs of coders write alike.
private struct Plain: Codable, Equatable {
  var integers: [Int64]
  var doubles: [Double]
  var texts: [String?]
  var map: [String: [Bool]]
  var shape: Shape
  var letters: Letters?

  enum Letters: String, Codable { case alpha, beta }

  indirect enum Shape: Codable, Equatable {
    case point
    case circle(radius: Double)
    case pair(Shape, Shape)
  }

  static func random(using random: inout SeededGenerator) -> Plain {
    func list<T>(_ make: (inout SeededGenerator) -> T) -> [T] {
      (0..<Int.random(in: 0..<6, using: &random)).map { _ in make(&random) }
    }
    return Plain(
      integers: list { Int64(truncatingIfNeeded: $0.next() >> 11) },
      doubles: list { Double(Int64(truncatingIfNeeded: $0.next()) >> 20) / 64 },
      texts: list { .random(in: 0..<3, using: &$0) == 0 ? nil : "\u{1}\"é😀/\($0.next())" },
      map: Dictionary(
        list { ("k\($0.next() % 100)", [.random(using: &$0)]) }, uniquingKeysWith: { $1 }),
      shape: .pair(.circle(radius: 2.5), .pair(.point, .point)),
      letters: .random(using: &random) ? .beta : nil)
  }
}

/// What only this pair of coders reads back to the last bit.
private struct Sample: Codable, Equatable {
  var unsigned: UInt64
  var double: Double
  var float: Float
  var date: Date
  var data: Data
  var decimal: Decimal
  var url: URL
  var set: Set<UInt16>
  var keyed: [Int: String]
  var listed: [Plain.Shape.Key: Int8]
  var children: [Sample]
  var maybe: Date?

  static func random(depth: Int, using random: inout SeededGenerator) -> Sample {
    var double = Double(bitPattern: random.next())
    if double.isNaN { double = -.infinity }
    var float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    if float.isNaN { float = .infinity }
    let seconds = Double(bitPattern: random.next())
    let digits = String(random.next()) + "." + String(random.next() % 1_000_000_000)
    return Sample(
      unsigned: random.next(), double: double, float: float,
      date: Date(timeIntervalSinceReferenceDate: seconds.isNaN ? -0.0 : seconds),
      data: Data(
        (0..<Int.random(in: 0..<9, using: &random)).map { _ in .random(in: 0...255, using: &random)
        }),
      decimal: Decimal(string: digits) ?? 0,
      url: URL(filePath: "/tmp/\(random.next())"),
      set: Set((0..<5).map { _ in .random(in: 0...9, using: &random) }),
      keyed: [Int(truncatingIfNeeded: random.next()): "\(random.next())"],
      listed: [.init(x: .random(in: 0...9, using: &random)): -1, .init(x: 10): 2],
      children: depth == 0
        ? []
        : (0..<Int.random(in: 0..<3, using: &random)).map { _ in
          .random(depth: depth - 1, using: &random)
        },
      maybe: .random(using: &random)
        ? Date(timeIntervalSinceReferenceDate: .random(in: -1e9...1e9, using: &random)) : nil)
  }
}

extension Plain.Shape {
  struct Key: Codable, Hashable { var x: Int }
}

private class Animal: Codable {
  var legs = 4
  init() {}
}

private final class Dog: Animal {
  var name = ""
  enum Key: CodingKey { case name }
  override init() { super.init() }
  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    name = try container.decode(String.self, forKey: .name)
    try super.init(from: container.superDecoder())
  }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    try super.encode(to: container.superEncoder())
  }
}

/// Shares one object with its superclass.
private final class Cat: Animal {
  var lives = 9
  enum Key: CodingKey { case lives }
  override init() { super.init() }
  required init(from decoder: any Decoder) throws {
    lives = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .lives)
    try super.init(from: decoder)
  }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(lives, forKey: .lives)
    try super.encode(to: encoder)
  }
}
