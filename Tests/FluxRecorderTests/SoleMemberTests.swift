import FluxLog
import Testing

@testable import FluxRecorder

@Suite struct SoleMemberTests {
  @Test(
    "the only member of an object is found, whatever is inside of its name and value",
    arguments: [
      (#"{"a":1}"#, "a", "1"),
      (#"{"add":{"x":1,"y":[1,2]}}"#, "add", #"{"x":1,"y":[1,2]}"#),
      (#"{"a\"b":",}"}"#, #"a\"b"#, #"",}""#),
      (#"{"a\\":["\\",{}]}"#, #"a\\"#, #"["\\",{}]"#),
      (#"{"":{}}"#, "", "{}"),
      (#"{"é":null}"#, "é", "null"),
    ])
  func found(_ text: String, _ name: String, _ value: String) throws {
    let bytes = Array(text.utf8)
    let member = try #require(SoleMember(of: bytes))
    #expect(String(decoding: bytes[member.name], as: UTF8.self) == name)
    #expect(String(decoding: bytes[member.value], as: UTF8.self) == value)
  }

  @Test(
    "what has none or several has no only member",
    arguments: ["{}", "1", #""a""#, "[1]", #"{"a":1,"b":2}"#, #"{"a":[1],"b":{}}"#, ""])
  func notFound(_ text: String) { #expect(SoleMember(of: Array(text.utf8)) == nil) }
}
