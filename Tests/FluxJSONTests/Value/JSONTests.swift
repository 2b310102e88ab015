import Testing

@testable import FluxJSON

@Suite struct JSONTests {
  @Test("A value tells its kind and its content")
  func kinds() throws {
    let value = try JSON.parse(#" {"a":[null,true,false,-1.50e2,"x\n"],"b":{}} "#)
    #expect(value.kind == .object)
    #expect(value.count == 2)
    let list = try #require(value["a"])
    #expect(list.elements.map(\.kind) == [.null, .bool, .bool, .number, .string])
    #expect(list.elements.map(\.bool) == [nil, true, false, nil, nil])
    #expect(list[0]?.isNull == true)
    #expect(list[3]?.number?.text == "-1.50e2")
    #expect(list[4]?.string == "x\n")
    #expect(list[4]?.text == #""x\n""#)
    #expect(list[5] == nil)
    #expect(list[-1] == nil)
    #expect(value["b"]?.count == 0)
    #expect(value["c"] == nil)
    #expect(value.members.map(\.name) == ["a", "b"])
    #expect(value.text == #"{"a":[null,true,false,-1.50e2,"x\n"],"b":{}}"#)
  }

  @Test(
    "Values that mean the same are equal",
    arguments: [
      ("1", "1.0"), ("1", "10e-1"), ("0", "-0.0"), ("1e400", "10e399"), ("0e99", "0"),
      ("1e400000000", "10e399999999"), ("1e99999999999999999999", "10e99999999999999999998"),
      ("0.001e3", "1"), ("120", "1.2E+2"), ("-0.5", "-5e-1"), ("100.00", "1e2"),
      ("1e100000000000000000000", "0.1e100000000000000000001"),
      (#""\u0041""#, #""A""#), (#""\ud83d\ude00""#, #""😀""#), (#""\/""#, #""/""#),
      (#""\ud800""#, #""\uD800""#), ("[1, 2]", "[1.0,2e0]"), ("{ }", "{}"),
      (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#), (#"{"a":1,"a":2}"#, #"{"a":2}"#),
      (#"{"a":1,"\u0061":2,"b":3}"#, #"{"b":3,"a":2}"#),
    ])
  func equal(left: String, right: String) throws {
    let (a, b) = (try JSON.parse(left), try JSON.parse(right))
    #expect(a == b)
    #expect(b == a)
    if let a = a.number, let b = b.number { #expect(a.hashValue == b.hashValue) }
  }

  @Test(
    "Values that differ in meaning are not equal",
    arguments: [
      ("9007199254740993", "9007199254740992"), ("1", "-1"), ("1", "1.0000000000000000000001"),
      ("1e400", "1e401"), ("1e400000000", "1e400000001"), ("10", "1"), ("0.1", "0.01"),
      ("1e99999999999999999999", "1e99999999999999999998"), ("1e-400", "0"),
      (#""\ud800""#, #""\ufffd""#), (#""a""#, #""b""#), (#""é""#, #""e\u0301""#),
      ("1", #""1""#), ("null", "false"), ("true", "false"), ("[1,2]", "[2,1]"), ("[1]", "[1,1]"),
      (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":1,"b":1}"#),
      (#"{"a":1,"b":2}"#, #"{"b":1,"a":2}"#), ("{}", "[]"),
    ])
  func different(left: String, right: String) throws {
    #expect(try JSON.parse(left) != JSON.parse(right))
    #expect(try JSON.parse(right) != JSON.parse(left))
  }

  @Test("Of repeated names the last one counts")
  func repeatedNames() throws {
    let value = try JSON.parse(#"{"a":1,"b":2,"a":3,"\u0062":4,"c":5}"#)
    #expect(value.hasDuplicateNames)
    #expect(value.count == 3)
    #expect(value["a"] == 3)
    #expect(value["b"] == 4)
    #expect(value.members.map { "\($0.name)=\($0.value)" } == ["a=3", "b=4", "c=5"])
    #expect(try JSON.parse(#"[{"x":{"a":1,"a":1}}]"#).hasDuplicateNames)
    #expect(try !JSON.parse(#"[{"a":1},{"a":1}]"#).hasDuplicateNames)
  }

  @Test("A wide object is searched and compared without walking over it for each member")
  func wideObject() throws {
    let count = 20_000
    let forward = (0..<count).map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
    let backward = (0..<count).reversed().map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
    let (a, b) = (try JSON.parse("{\(forward)}"), try JSON.parse("{\(backward)}"))
    #expect(a == b)
    #expect((0..<count).allSatisfy { a["m\($0)"]?.number?.int64 == Int64($0) })
    #expect(a["m20000"] == nil)
    #expect(!a.hasDuplicateNames)
    #expect(try JSON.parse("{\(forward),\"m77\":0}")["m77"] == 0)
  }

  @Test("Literals make values, with members in their order")
  func literals() {
    let value: JSON = ["z": [1, -2.5, true, .null], "a": "x\"y"]
    #expect(value.text == #"{"z":[1,-2.5,true,null],"a":"x\"y"}"#)
  }

  @Test("A value can be laid out without blanks, with them, and in canonical form")
  func layouts() throws {
    let value = try JSON.parse(#" { "b" : [ 1.0 , { } ], "a" : [ ] , "b" : "\u0041" } "#)
    #expect(value.description == #"{"b":[1.0,{}],"a":[],"b":"\u0041"}"#)
    #expect(value.canonical().text == #"{"a":[],"b":"\u0041"}"#)
    #expect(
      try JSON.parse(#"{"b":[1,{"c":null}],"a":{}}"#).pretty() == """
        {
          "b": [
            1,
            {
              "c": null
            }
          ],
          "a": {}
        }
        """)
  }

  @Test("A repeated name is seen in an object that follows a sorted one of the same width")
  func repeatedNameInARow() throws {
    let value = try JSON.parse(#"[{"a":1,"b":2,"c":3},{"c":1,"a":2,"c":3}]"#)
    #expect(value.hasDuplicateNames)
    #expect(value[1]?.count == 2)
    #expect(try value == JSON.parse(#"[{"a":1,"b":2,"c":3},{"a":2,"c":3}]"#))
  }

  @Test("A lone surrogate is U+FFFD as a Swift string, and kept in the text")
  func loneSurrogate() throws {
    let value = try JSON.parse(#""a\ud800b""#)
    #expect(value.string == "a\u{FFFD}b")
    #expect(value.text == #""a\ud800b""#)
    #expect(try JSON.parse(#""\ud800\ud83d\ude00""#).string == "\u{FFFD}😀")
  }
}
