import FluxJSON
import Testing

@testable import FluxRecorder

@Suite struct MemberEditTests {
  @Test(
    "a member is renamed at its place only, and members stay sorted",
    arguments: [
      ("/notes/*/text", #"{"b":{"text":1,"x":0},"c":3}"#, #"{"b":{"body":1,"x":0},"c":3}"#),
      (
        "/notes/*/text", #"[{"text":1},{"body":2,"text":3},4]"#,
        #"[{"body":1},{"body":2,"text":3},4]"#
      ),
      ("/notes/text", #"{"a":1,"text":2}"#, #"{"a":1,"body":2}"#),
      ("/notes/text", #"{"cat":1,"text":2}"#, #"{"body":2,"cat":1}"#),
      ("/notes/1/text", #"[{"text":1},{"text":2}]"#, #"[{"text":1},{"body":2}]"#),
      ("/notes/**/text", #"{"text":{"text":[{"text":1}]}}"#, #"{"body":{"body":[{"body":1}]}}"#),
      ("/notes/text", #""<redacted 5f0c2a9e71b3d844>""#, #""<redacted 5f0c2a9e71b3d844>""#),
    ])
  func rename(place: String, old: String, new: String) throws {
    var evolution = Evolution()
    evolution.renameMember(place, to: "body")
    #expect(try evolution.state(JSON.parse(old), of: "notes").text == new)
    #expect(try evolution.state(JSON.parse(new), of: "notes").text == new)
    #expect(try evolution.state(JSON.parse(old), of: "others").text == old)
  }

  @Test("a default is added to objects that lack the member")
  func defaults() throws {
    var evolution = Evolution()
    evolution.default("/todos/filter", "all")
    evolution.default("/todos/items/*/done", false)
    let state = try evolution.state(
      JSON.parse(#"{"items":[{"id":1},{"done":true,"id":2}]}"#), of: "todos")
    #expect(
      state.text
        == #"{"filter":"all","items":[{"done":false,"id":1},{"done":true,"id":2}]}"#)
  }

  @Test("a removed member is gone at its place only")
  func remove() throws {
    var evolution = Evolution()
    evolution.removeMember("/todos/items/*/done")
    evolution.removeMember("/note", inPayloadOf: "todos/add")
    let state = try evolution.state(
      JSON.parse(#"{"done":true,"items":[{"done":true,"id":2},{"id":3}]}"#), of: "todos")
    #expect(state.text == #"{"done":true,"items":[{"id":2},{"id":3}]}"#)
    let add: JSON = ["type": "todos/add", "payload": ["note": "now", "text": "tea"]]
    #expect(
      try evolution.action(add) == ["type": "todos/add", "payload": ["text": "tea"]])
  }

  @Test("a member whose name only looks the same stays as it is")
  func lookAlike() throws {
    let (one, two) = ("\u{E9}", "e\u{301}")
    func edited(_ edit: (inout Evolution) -> Void) throws -> [UInt8] {
      var evolution = Evolution()
      edit(&evolution)
      let old = try JSON.parse("{\"\(two)\":{\"a\":1},\"\(one)\":{\"a\":2}}")
      return Array(try evolution.state(old, of: "notes").text.utf8)
    }
    #expect(
      try edited { $0.removeMember("/notes/\(one)") } == Array("{\"\(two)\":{\"a\":1}}".utf8))
    #expect(
      try edited { $0.renameMember("/notes/\(one)", to: "x") }
        == Array("{\"\(two)\":{\"a\":1},\"x\":{\"a\":2}}".utf8))
    #expect(
      try edited { $0.removeMember("/notes/\(one)/a") }
        == Array("{\"\(two)\":{\"a\":1},\"\(one)\":{}}".utf8))
  }

  @Test("changes apply in the order of the calls, before the upcaster")
  func order() throws {
    var evolution = Evolution()
    evolution.stateUpcasters["notes"] = { $0["body"] ?? .null }
    evolution.renameMember("/notes/text", to: "title")
    evolution.renameMember("/notes/title", to: "body")
    #expect(try evolution.state(["text": "tea"], of: "notes") == "tea")
    #expect(evolution.upcastStores == ["notes"])
  }

  @Test("payloads change before aliases and upcasters, in batches too")
  func payloads() throws {
    var evolution = Evolution()
    evolution.renameMember("/text", to: "body", inPayloadOf: "note/add")
    evolution.default("/pinned", false, inPayloadOf: "note/add")
    evolution.default("/count", 1, inPayloadOf: "note/tick")
    evolution.actionAliases = ["note": "memo"]
    let add: JSON = ["type": "note/add", "payload": ["text": "tea"]]
    let added: JSON = ["type": "memo/add", "payload": ["body": "tea", "pinned": false]]
    #expect(try evolution.action(add) == added)
    #expect(
      try evolution.action(["type": "note/tick"]) == [
        "type": "memo/tick", "payload": ["count": 1],
      ])
    #expect(
      try evolution.action(["type": "batch", "payload": ["actions": [add]]])
        == ["type": "batch", "payload": ["actions": [added]]])
    #expect(try evolution.action(["type": "other/add", "payload": ["text": "tea"]]) == nil)
  }

  @Test("a pointer that names no member ends the process with a message")
  func misuse() async {
    await #expect(processExitsWith: .failure) {
      var evolution = Evolution()
      evolution.renameMember("/notes/*", to: "body")
    }
    await #expect(processExitsWith: .failure) {
      var evolution = Evolution()
      evolution.default("notes", "all")
    }
  }
}
