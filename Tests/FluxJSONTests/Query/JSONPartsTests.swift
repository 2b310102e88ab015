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
    "an excerpt is the beginning of the text, and ends between two scalars",
    arguments: [
      ("[1,2]", 5, "[1,2]"), ("[1,2]", 4, "[1,2…"), (#""äöü""#, 3, "\"äö…"),
      (#""👩‍👩‍👧""#, 2, "\"👩…"), ("null", 0, "…"),
    ])
  func excerpt(_ text: String, _ limit: Int, _ excerpt: String) throws {
    #expect(try JSON.parse(text).excerpt(limit) == excerpt)
  }
}
