import Testing

@testable import FluxJSON

@Suite struct JSONHashTests {
  @Test(
    "Equal values have one hash, however they are written",
    arguments: [
      ["1", "1.0", "10e-1", "0.1e1"], ["0", "-0", "0e9"], [#""é""#, #""\u00e9""#],
      [#""a/b""#, #""a\/b""#], [#""\ud83d\ude00""#, #""😀""#], [#""\ud800""#, #""\uD800""#],
      [#"{"a":1,"b":[2,{"c":null}]}"#, #"{"b":[2.0,{ "c":null }],"a":1}"#],
      [#"{"a":1}"#, #"{"a":2,"a":1}"#],
    ])
  func equal(texts: [String]) throws {
    let values = try texts.map { try JSON.parse($0) }
    #expect(Set(values).count == 1)
    #expect(Set(values.map(\.hashValue)).count == 1)
  }

  @Test("Values that differ have hashes that differ")
  func different() throws {
    let texts = [
      "null", "true", "false", "0", "1", "[]", "{}", "[[]]", "[[],[]]", "[1]", "[1,1]", "[[1],1]",
      #""""#, #""1""#, #""é""#, #""e\u0301""#, #"{"a":1}"#, #"{"b":1}"#, #"{"a":"b"}"#,
      #"["a","b"]"#, #"["ab"]"#, #"{"a":{},"b":[]}"#, #"{"a":[],"b":{}}"#,
    ]
    let values = try texts.map { try JSON.parse($0) }
    #expect(Set(values.map(\.hashValue)).count == texts.count)
  }
}
