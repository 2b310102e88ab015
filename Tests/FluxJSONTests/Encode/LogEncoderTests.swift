import Foundation
import TestFixtures
import Testing

@testable import FluxJSON

@Suite struct LogEncoderTests {
  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try LogEncoder().bytes(of: value), as: UTF8.self)
  }

  @Test("A value with the text of a known one is that one, and any other is parsed")
  func likely() throws {
    let known = try JSON.parse(#"[{"a":1,"b":[true]}]"#)[0]
    struct Value: Encodable {
      var b = [true]
      var a = 1
    }
    let same = try LogEncoder().encode(Value(), likely: known)
    #expect(same.document === known?.document)
    #expect(same.text == #"{"a":1,"b":[true]}"#)
    let other = try LogEncoder().encode(Value(b: [false]), likely: known)
    #expect(other.text == #"{"a":1,"b":[false]}"#)
    let memory = StateMemory()
    for _ in 0..<2 {
      #expect(
        try LogEncoder().encode(Value(), likely: known, remembering: memory).document
          === known?.document)
    }
    #expect(
      try LogEncoder().encode(Value(a: 2), likely: known, remembering: memory, after: known).text
        == #"{"a":2,"b":[true]}"#)
  }

  @Test("Members stand in the order of the code points of their names, at every level")
  func sortedMembers() throws {
    struct Inner: Encodable {
      var z = 1
      var a = [2]
    }
    struct Outer: Encodable {
      var zebra = Inner()
      var apple: String? = "x"
      var none: Int?
      var längst = true
      var aLongNameNumberTwo = 2
      var aLongNameNumberOne = 1
    }
    #expect(
      try text(Outer())
        == #"{"aLongNameNumberOne":1,"aLongNameNumberTwo":2,"apple":"x","längst":true,"#
        + #""zebra":{"a":[2],"z":1}}"#)
    #expect(
      try text(["\u{FFFF}": 1, "😀": 2, "\"": 3, "a\nb": 4, "": 5, "é": 6])
        == "{\"\":5,\"\\\"\":3,\"a\\nb\":4,\"é\":6,\"\u{FFFF}\":1,\"😀\":2}")
  }

  @Test("Scalars alone are values")
  func fragments() throws {
    #expect(try text(1) == "1")
    #expect(try text("a") == #""a""#)
    #expect(try text(true) == "true")
    #expect(try text(nil as Int?) == "null")
    #expect(try text([1, nil, 3]) == "[1,null,3]")
    #expect(try text([[Int]]()) == "[]")
    #expect(try text([String: Int]()) == "{}")
    #expect(try text(URL(string: "https://example.org/a?b=c")) == #""https://example.org/a?b=c""#)
    #expect(try text(Data([1, 2, 255])) == #""AQL/""#)
    #expect(
      try text(Decimal(string: "-0.10000000000000000000000000000000001"))
        == "-0.10000000000000000000000000000000001")
    #expect(
      try text(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        == #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#)
  }

  @Test("Integers of all widths are written with all digits")
  func integers() throws {
    #expect(
      try text([Int64.min, -1, 0, 9, 10, 99_999_999, 100_000_000, Int64.max])
        == "[-9223372036854775808,-1,0,9,10,99999999,100000000,9223372036854775807]")
    #expect(
      try text([UInt64.max, 12_345_678_901_234_567]) == "[18446744073709551615,12345678901234567]")
    #expect(try text([Int128.min, Int128.max]) == "[\(Int128.min),\(Int128.max)]")
    #expect(try text([UInt128.max]) == "[\(UInt128.max)]")
    var random = SeededGenerator()
    for _ in 0..<5_000 {
      let value = random.next() >> UInt64.random(in: 0..<64, using: &random)
      #expect(try text(value) == "\(value)")
    }
  }

  @Test(
    "Numbers are written as short as they can be, and read back the same",
    arguments: [
      (0.0, "0"), (-0.0, "-0"), (1, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (1e15, "1000000000000000"),
      (1e16, "1e+16"),
      (123456.789, "123456.789"), (-0.001, "-0.001"), (.leastNonzeroMagnitude, "5e-324"),
      (0.05, "0.05"),
      (999_999_999_999.999, "999999999999.999"),
      (1.7976931348623157e308, "1.7976931348623157e+308"),
      (9_007_199_254_740_992, "9007199254740992"), (.infinity, #""Infinity""#),
      (-.infinity, #""-Infinity""#),
      (.nan, #""NaN""#), (100, "100"), (0.30000000000000004, "0.30000000000000004"),
    ])
  func doubles(value: Double, expected: String) throws {
    let written = try text(value)
    #expect(written == expected)
    let back = try LogDecoder().decode(Double.self, from: JSON.parse(written))
    #expect(back.bitPattern == value.bitPattern || value.isNaN && back.isNaN)
  }

  @Test("Random numbers are written in their shortest digits")
  func randomDoubles() throws {
    var random = SeededGenerator()
    for round in 0..<20_000 {
      let raw = Double(bitPattern: random.next())
      let decimals = Double(
        Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random))
      let value = [raw, decimals / 1000, decimals / 100, decimals / 7, decimals][round % 5]
      guard value.isFinite else { continue }
      let written = try text(value)
      #expect(
        Double(written)?.bitPattern == value.bitPattern, "seed \(SeededGenerator.seed): \(value)")
      let digits = written.filter(\.isNumber).count
      #expect(
        digits <= value.description.filter(\.isNumber).count,
        "seed \(SeededGenerator.seed): \(value)")
    }
  }

  @Test("Strings of every length are written with the escapes that they need, and no others")
  func strings() throws {
    #expect(
      try text("\u{0}\u{8}\t\n\u{C}\r\u{1F}\"\\/\u{7F}é\u{2028}😀")
        == "\"\\u0000\\b\\t\\n\\f\\r\\u001f\\\"\\\\/\u{7F}é\u{2028}😀\"")
    for length in 0..<70 {
      let plain = String(repeating: "x", count: length)
      #expect(try text(plain) == "\"\(plain)\"")
      for place in 0...length {
        let (before, after) = (plain.prefix(place), plain.suffix(length - place))
        #expect(try text(before + "\n" + after) == "\"\(before)\\n\(after)\"")
        #expect(try text(before + "!" + after) == "\"\(before)!\(after)\"")
        #expect(try text(before + "é" + after) == "\"\(before)é\(after)\"")
      }
    }
  }

  @Test("Nested containers may be written to in any order, and left empty")
  func nestedContainers() throws {
    struct Value: Encodable {
      func encode(to encoder: any Encoder) throws {
        var top = encoder.container(keyedBy: LogKey.self)
        var second = top.nestedUnkeyedContainer(forKey: LogKey(stringValue: "second"))
        try top.encode(1, forKey: LogKey(stringValue: "last"))
        var first = top.nestedContainer(
          keyedBy: LogKey.self, forKey: LogKey(stringValue: "first"))
        try second.encode("a")
        try first.encode(["x": [1]], forKey: LogKey(stringValue: "deep"))
        var third = second.nestedContainer(keyedBy: LogKey.self)
        try top.encode([2], forKey: LogKey(stringValue: "also"))
        try second.encode("c")
        try third.encode(true, forKey: LogKey(stringValue: "b"))
        try first.encode(nil as Int?, forKey: LogKey(stringValue: "again"))
        _ = top.nestedUnkeyedContainer(forKey: LogKey(stringValue: "empty"))
        _ = second.nestedContainer(keyedBy: LogKey.self)
        #expect(second.count == 4)
        var again = encoder.container(keyedBy: LogKey.self)
        try again.encode("same object", forKey: LogKey(stringValue: "z"))
      }
    }
    #expect(
      try text(["v": Value()])
        == #"{"v":{"also":[2],"empty":[],"first":{"again":null,"deep":{"x":[1]}},"last":1,"#
        + #""second":["a",{"b":true},"c",{}],"z":"same object"}}"#)
  }

  @Test("A member that is encoded twice has its last value")
  func encodedTwice() throws {
    struct Value: Encodable {
      func encode(to encoder: any Encoder) throws {
        var top = encoder.container(keyedBy: LogKey.self)
        try top.encode(1, forKey: LogKey(stringValue: "a"))
        try top.encode([2], forKey: LogKey(stringValue: "b"))
        try top.encode("3", forKey: LogKey(stringValue: "a"))
      }
    }
    #expect(try text(Value()) == #"{"a":"3","b":[2]}"#)
  }

  @Test("Sets, and dictionaries written as arrays, have the order of their texts")
  func unordered() throws {
    #expect(try text(Set([3, 20, 1])) == "[1,20,3]")
    #expect(try text(["s": Set(["b", "a", "c"])]) == #"{"s":["a","b","c"]}"#)
    #expect(try text([[2]: "b", [1]: "a", [10]: "c"]) == #"[[10],"c",[1],"a",[2],"b"]"#)
    #expect(try text([3: "c", 20: "b"]) == #"{"20":"b","3":"c"}"#)
    #expect(try text(Optional(Set([2, 1]))) == "[1,2]")
    #expect(try text([3, 1, 2]) == "[3,1,2]")
  }

  @Test("Super-encoders write the member super, or one of their own")
  func superclasses() throws {
    class Animal: Encodable {
      var legs = 4
      init() {}
    }
    class Dog: Animal {
      var name = "Rex"
      enum Key: CodingKey { case name, tail }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try super.encode(to: container.superEncoder())
        try container.encode(name, forKey: .name)
        try super.encode(to: container.superEncoder(forKey: .tail))
        _ = container.superEncoder(forKey: .tail)
      }
    }
    #expect(try text(Dog()) == #"{"name":"Rex","super":{"legs":4},"tail":{}}"#)
  }

  @Test(
    "What encodes nothing is an empty object inside a value, as JSONEncoder writes it, and else an error"
  )
  func nothing() throws {
    struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }
    #expect(path { _ = try text(Nothing()) } == [])
    let list = ["a": [Nothing()]]
    #expect(try text(list) == #"{"a":[{}]}"#)
    #expect(String(decoding: try JSONEncoder().encode(list), as: UTF8.self) == #"{"a":[{}]}"#)
    struct Keyed: Encodable {
      var list = [["x": Nothing()]]
      var none = Nothing()
    }
    #expect(try text(Keyed()) == #"{"list":[{"x":{}}],"none":{}}"#)
  }

  @Test("A member that fails and is given up leaves no trace")
  func givenUp() throws {
    struct Failure: Error {}
    struct Failing: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: LogKey.self)
        try container.encode([1, 2], forKey: LogKey(stringValue: "x"))
        throw Failure()
      }
    }
    struct Value: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: LogKey.self)
        #expect(throws: Failure.self) {
          try container.encode(Failing(), forKey: LogKey(stringValue: "a"))
        }
        try container.encode(1, forKey: LogKey(stringValue: "b"))
        #expect(throws: Failure.self) {
          try container.encode([Failing()], forKey: LogKey(stringValue: "c"))
        }
      }
    }
    #expect(try text(Value()) == #"{"b":1}"#)
    #expect(throws: Failure.self) { try text(Failing()) }
  }

  @Test("Misuse of an encoder is an error, not a crash and not a wrong text")
  func misuse() {
    struct TwoKinds: Encodable {
      func encode(to encoder: any Encoder) throws {
        var keyed = encoder.container(keyedBy: LogKey.self)
        try keyed.encode(1, forKey: LogKey(stringValue: "a"))
        var list = encoder.unkeyedContainer()
        try list.encode(2)
      }
    }
    struct TwoScalars: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(1)
        try container.encode(2)
      }
    }
    final class Kept: Encodable {
      var container: KeyedEncodingContainer<LogKey>?
      func encode(to encoder: any Encoder) throws {
        container = encoder.container(keyedBy: LogKey.self)
      }
    }
    #expect(throws: EncodingError.self) { try text(TwoKinds()) }
    #expect(throws: EncodingError.self) { try text(["a": TwoKinds()]) }
    #expect(throws: EncodingError.self) { try text(TwoScalars()) }
    let kept = Kept()
    #expect(throws: Never.self) { try text(kept) }
    #expect(throws: EncodingError.self) {
      try kept.container?.encode(1, forKey: LogKey(stringValue: "late"))
    }
  }

  @Test("An encoding leaves nothing behind, also one that failed")
  func released() throws {
    final class Token: Sendable {}
    enum Shape: Encodable { case nested(inner: [Int?: [Int]], [String: Double]) }
    struct Twice: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(1)
        try container.encode(2)
      }
    }
    struct Failing: Encodable {
      func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        var inner = list.nestedUnkeyedContainer()
        var innermost = inner.nestedUnkeyedContainer()
        try innermost.encode(Twice())
      }
    }
    let key = try #require(CodingUserInfoKey(rawValue: "token"))
    weak var token: Token?
    do {
      let strong = Token()
      token = strong
      let encoder = LogEncoder(userInfo: [key: strong])
      _ = try encoder.encode([Shape.nested(inner: [nil: [1]], ["a": 1])])
      #expect(throws: EncodingError.self) { try encoder.encode(Failing()) }
    }
    #expect(token == nil)
  }

  @Test("Nesting deeper than a parser accepts is an error")
  func depth() throws {
    final class Node: Encodable {
      let next: Node?
      init(_ next: Node?) { self.next = next }
    }
    func chain(_ length: Int) -> Node {
      (1..<length).reduce(Node(nil)) { node, _ in Node(node) }
    }
    #expect(try LogEncoder().encode(chain(512)).kind == .object)
    #expect(throws: EncodingError.self) { try LogEncoder().encode(chain(513)) }
    #expect(throws: EncodingError.self) { try LogEncoder().encode(chain(3_000)) }
  }

  @Test("Encoders know their way and what they are told")
  func context() throws {
    let key = try #require(CodingUserInfoKey(rawValue: "color"))
    struct Value: Encodable {
      let key: CodingUserInfoKey
      func encode(to encoder: any Encoder) throws {
        var top = encoder.container(keyedBy: LogKey.self)
        try top.encode(encoder.userInfo[key] as? String, forKey: LogKey(stringValue: "told"))
        try top.encode(encoder.codingPath.map(\.stringValue), forKey: LogKey(stringValue: "path"))
        var list = top.nestedUnkeyedContainer(forKey: LogKey(stringValue: "list"))
        let inner = list.nestedContainer(keyedBy: LogKey.self)
        try list.encode(inner.codingPath.map(\.stringValue))
        try list.encode(top.superEncoder().codingPath.map(\.stringValue))
      }
    }
    let encoder = LogEncoder(userInfo: [key: "red"])
    #expect(
      String(decoding: try encoder.bytes(of: ["v": [Value(key: key)]]), as: UTF8.self)
        == #"{"v":[{"list":[{},["v","Index 0","list","Index 0"],["v","Index 0","super"]],"#
        + #""path":["v","Index 0"],"super":{},"told":"red"}]}"#)
  }

  private func path(_ body: () throws -> Void) -> [String]? {
    do {
      try body()
      return nil
    } catch EncodingError.invalidValue(_, let context) {
      return context.codingPath.map(\.stringValue)
    } catch { return nil }
  }
}
