import Foundation
import TestFixtures
import Testing

@testable import FluxJSON

@Suite struct LogDecoderTests {
  private func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try LogDecoder().decode(type, from: JSON.parse(text))
  }

  @Test("Integers are read however they are written, and never rounded")
  func integers() throws {
    #expect(
      try decode([Int].self, "[1, 1.0, 1e2, -0, 120e-1, 9223372036854775807]") == [
        1, 1, 100, 0, 12, .max,
      ])
    #expect(try decode(UInt64.self, "18446744073709551615") == .max)
    #expect(try decode(Int128.self, "\(Int128.min)") == .min)
    #expect(try decode(UInt8.self, "2.55e2") == 255)
    for text in ["256", "-1", "1.5", "1e400000000", "1e-1", "99999999999999999999"] {
      #expect(path { _ = try decode([UInt8].self, "[0,\(text)]") } == ["corrupted", "Index 1"])
    }
    #expect(path { _ = try decode(Int64.self, "9223372036854775808") } == ["corrupted"])
    #expect(path { _ = try decode(Int.self, "\"1\"") } == ["mismatch"])
    #expect(path { _ = try decode(Int.self, "null") } == ["value"])
  }

  @Test("Numbers are read to the nearest one, and beyond the range not at all")
  func doubles() throws {
    let texts = [
      "0.1", "5", "-0", "-0.0", "12.75", "999999999999999999", "99999999999999999999", "1e23",
      "123456789012345678901234567890", "4.35", "2.2250738585072011e-308",
      "0.500000000000000166533453693773481063544750213623046875", "9007199254740993", "1e-400",
    ]
    for text in texts {
      #expect(try decode(Double.self, text).bitPattern == Double(text)?.bitPattern, "\(text)")
      #expect(try decode(Float.self, text).bitPattern == Float(text)?.bitPattern, "\(text)")
    }
    #expect(try decode([Double].self, #"["Infinity","-Infinity"]"#) == [.infinity, -.infinity])
    #expect(try decode(Float.self, #""NaN""#).isNaN)
    #expect(path { _ = try decode(Double.self, "1e400") } == ["corrupted"])
    #expect(path { _ = try decode(Float.self, "1e39") } == ["corrupted"])
    #expect(path { _ = try decode(Double.self, #""1""#) } == ["mismatch"])
    var random = SeededGenerator()
    for _ in 0..<5_000 {
      let decimals = Int.random(in: 0...18, using: &random)
      let digits = "\(random.next() >> UInt64.random(in: 4..<60, using: &random))"
      let text = "-0." + String(repeating: "0", count: max(0, decimals - 12)) + digits
      #expect(try decode(Double.self, text).bitPattern == Double(text)?.bitPattern, "\(text)")
      #expect(try decode(Float.self, text).bitPattern == Float(text)?.bitPattern, "\(text)")
    }
  }

  @Test("Errors tell the way to the value")
  func paths() throws {
    struct Inner: Decodable { var x: Int }
    struct Outer: Decodable {
      var list: [Inner]
      var map: [String: [Bool]]
    }
    #expect(
      path { _ = try decode(Outer.self, #"{"list":[],"map":{"a":[true],"b":[true,1]}}"#) } == [
        "mismatch", "map", "b", "Index 1",
      ])
    #expect(
      path { _ = try decode(Outer.self, #"{"map":{},"list":[{"x":1},{"y":2}]}"#) } == [
        "key", "list", "Index 1",
      ])
    #expect(
      path { _ = try decode(Outer.self, #"{"map":{},"list":[{"x":1},{"x":null}]}"#) } == [
        "value", "list", "Index 1", "x",
      ])
    #expect(path { _ = try decode(Outer.self, "[]") } == ["mismatch"])
    #expect(path { _ = try decode(Date.self, #""yesterday""#) } == ["corrupted"])
    #expect(path { _ = try decode(Data.self, #""?""#) } == ["corrupted"])
    #expect(path { _ = try decode(Decimal.self, "1e400000000") } == ["corrupted"])
  }

  @Test("An error of the app has the way to the value that threw it, unless that is the whole one")
  func pathOfThrower() throws {
    struct Refusal: Error {}
    struct Even: Decodable {
      init(from decoder: any Decoder) throws {
        if try decoder.singleValueContainer().decode(Int.self) % 2 == 1 { throw Refusal() }
      }
    }
    struct Either: Decodable {
      let even: [Even]
      init(from decoder: any Decoder) throws {
        struct NeitherNor: Error {}
        let container = try decoder.singleValueContainer()
        do { even = try container.decode([Even].self) } catch { throw NeitherNor() }
      }
    }
    #expect(
      path { _ = try decode([String: [Even]].self, #"{"a":[2],"b":[4,1]}"#) } == [
        "corrupted", "b", "Index 1",
      ])
    #expect(
      path { _ = try decode([Either].self, "[[2],[1]]") } == ["corrupted", "Index 1"])
    #expect(throws: Refusal.self) { try decode(Even.self, "1") }
  }

  @Test("Optional members may be absent or null")
  func optionals() throws {
    struct Value: Decodable, Equatable {
      var int: Int?
      var string: String?
      var double: Double?
      var bool: Bool?
      var list: [Int]?
      var nested: [Int?]?
    }
    #expect(try decode(Value.self, "{}") == Value())
    #expect(
      try decode(Value.self, #"{"int":null,"string":null,"double":null,"bool":null,"list":null}"#)
        == Value())
    #expect(
      try decode(
        Value.self, #"{"int":1,"string":"s","double":2.5,"bool":true,"list":[3],"nested":[null,4]}"#
      )
        == Value(int: 1, string: "s", double: 2.5, bool: true, list: [3], nested: [nil, 4]))
    #expect(try decode(Int?.self, "null") == nil)
  }

  @Test("Of repeated names the last one counts, also where keys are listed")
  func repeatedNames() throws {
    #expect(try decode([String: Int].self, #"{"a":1,"b":2,"\u0061":3}"#) == ["a": 3, "b": 2])
  }

  @Test("Elements are read one by one, and can be read again where that failed")
  func unkeyed() throws {
    struct Value: Decodable, Equatable {
      var parts: [String] = []
      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        #expect(list.count == 6)
        #expect(throws: DecodingError.self) { try list.decode(Int.self) }
        parts.append(try list.decode(String.self))
        #expect(try list.decodeNil())
        #expect(try !list.decodeNil())
        var inner = try list.nestedUnkeyedContainer()
        parts.append("\(try inner.decode(Int.self))\(inner.isAtEnd)")
        let keyed = try list.nestedContainer(keyedBy: LogKey.self)
        parts.append("\(keyed.allKeys.map(\.stringValue))")
        parts.append("\(try list.superDecoder().singleValueContainer().decode(Bool.self))")
        parts.append("\(list.currentIndex)")
        _ = try list.decode(Double.self)
        #expect(list.isAtEnd)
        #expect(throws: DecodingError.self) { try list.decode(Int.self) }
      }
    }
    #expect(
      try decode(Value.self, #"["a",null,[1],{"z":1,"b":2},true,0.5]"#).parts
        == ["a", "1true", #"["z", "b"]"#, "true", "5"])
  }

  /// What kind of error it is, and the way to the value.
  private func path(_ body: () throws -> Void) -> [String]? {
    func path(_ kind: String, _ context: DecodingError.Context) -> [String] {
      [kind] + context.codingPath.map(\.stringValue)
    }
    do {
      try body()
      return nil
    } catch DecodingError.typeMismatch(_, let context) {
      return path("mismatch", context)
    } catch DecodingError.valueNotFound(_, let context) {
      return path("value", context)
    } catch DecodingError.keyNotFound(_, let context) {
      return path("key", context)
    } catch DecodingError.dataCorrupted(let context) {
      return path("corrupted", context)
    } catch { return ["\(error)"] }
  }
}
