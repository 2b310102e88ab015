import FluxJSON
import Testing

@Suite struct JSONPartsTests {
  @Test(
    "parts are members or elements in order, and a repeated name is one part",
    arguments: [
      (#"{"b":1,"a":[2]}"#, ["b=1", "a=[2]"]), (#"{"a":1,"b":2,"a":3}"#, ["a=3", "b=2"]),
      ("[true,[],null]", ["0=true", "1=[]", "2=null"]), ("[]", []), ("7", []), (#""text""#, []),
    ])
  func parts(_ text: String, _ parts: [String]) throws {
    let value = try JSON.parse(text)
    #expect(value.parts.map { "\($0.step.token)=\($0.value)" } == parts)
    #expect(value.count == parts.count)
  }

  @Test(
    "a value is rewritten with the same names, also those with lone surrogates",
    arguments: [
      (#"{"\ud800":1,"\udc00":[2],"a\uDFFF":{}}"#, #"{"\ud800":0,"\udc00":0,"a\uDFFF":0}"#),
      (#"{"\ud800":1,"a":2,"\uD800":3}"#, #"{"\uD800":0,"a":0}"#),
      (#"{"\u0061\ud83d\ude00":1,"�":2}"#, #"{"a😀":0,"�":0}"#), ("[1,[2]]", "[0,0]"), ("7", "7"),
    ])
  func rewriting(_ text: String, _ expected: String) throws {
    var writer = JSONWriter()
    writer.rewrite(try JSON.parse(text)) { _, writer in writer.int(0) }
    #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
  }

  @Test(
    "an excerpt is the beginning of the text, and ends between two scalars",
    arguments: [
      ("[1,2]", 5, "[1,2]"), ("[1,2]", 4, "[1,2…"), (#""äöü""#, 3, "\"äö…"),
      (#""👩‍👩‍👧""#, 2, "\"👩…"), ("null", 0, "…"),
    ])
  func excerpt(_ text: String, _ limit: Int, _ excerpt: String) throws {
    #expect(try JSON.parse(text).excerpt(limit) == excerpt)
  }
}
