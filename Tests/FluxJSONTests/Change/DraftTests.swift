import TestFixtures
import Testing

@testable import FluxJSON

@Suite("Draft")
struct DraftTests {
  @Test(
    "Members are found by their order, also in an object with an escaped name",
    arguments: [
      (#"{"a":1,"b":2,"c":3}"#, nil), (#"{"a":1,"b\"":2,"c":3}"#, [0, 1, 2]),
      (#"{"c":1,"a":2}"#, [1, 0]),
    ]
      as [(String, [UInt32]?)])
  func ranking(_ text: String, _ ranking: [UInt32]?) throws {
    var draft = Draft(try JSON.parse(text))
    try draft.apply(operations: try JSON.parse(#"[{"op":"replace","path":"/c","value":4}]"#))
    let object = try #require(draft.objects.first)
    #expect(object.ranking.map { draft.rankings[$0] } == ranking)
  }

  @Test(
    "A patch that cannot be applied says why, and leaves the value as it was",
    arguments: [
      (#"{}"#, "a patch is an array of operations"),
      (#"[1]"#, #"operation 0: an operation is an object with the members "op" and "path""#),
      (
        #"[{"op":"add","path":"/a"}]"#, #"operation 0: the member "value" is missing"#
      ),
      (#"[{"path":"/a"}]"#, #"operation 0: the member "op" is missing"#),
      (
        #"[{"op":"ad","path":"/a","value":1}]"#,
        #"operation 0: there is no operation "ad"; expected one of "#
          + "add, remove, replace, move, copy, test, splice"
      ),
      (#"[{"op":"remove","path":1}]"#, #"operation 0: the member "path" must be a string"#),
      (
        #"[{"op":"splice","path":"/text","at":-1,"del":0,"ins":""}]"#,
        #"operation 0: the member "at" must be an integer that is not negative"#
      ),
      (
        #"[{"op":"replace","path":"/list/0","value":9},{"op":"remove","path":"/x"}]"#,
        #"operation 1 (remove "/x"): the document has no member "x" (pointer "/x")"#
      ),
      (
        #"[{"op":"add","path":"/list/0","value":9},{"op":"add","path":"/list/4","value":9}]"#,
        #"operation 1 (add "/list/4"): "/list" has 3 elements, and none at "4" (pointer "/list/4")"#
      ),
      (
        #"[{"op":"remove","path":"/list/0"},{"op":"test","path":"/list","value":[1]}]"#,
        #"operation 1 (test "/list"): the value there differs: [2]"#
      ),
      (
        #"[{"op":"splice","path":"/text","at":3,"del":3,"ins":"x"}]"#,
        #"operation 0 (splice "/text"): deleting 3 at 3 reaches beyond the end of a string of 5"#
          + " Unicode scalars"
      ),
      (
        #"[{"op":"splice","path":"/text","at":9223372036854775807,"del":9223372036854775807,"#
          + #""ins":"x"}]"#,
        #"operation 0 (splice "/text"): deleting 9223372036854775807 at 9223372036854775807"#
          + " reaches beyond the end of a string of 5 Unicode scalars"
      ),
      (
        #"[{"op":"splice","path":"/text","at":0,"del":5,"ins":""},"#
          + #"{"op":"splice","path":"/list","at":0,"del":0,"ins":""}]"#,
        #"operation 1 (splice "/list"): a splice needs a string, and the value there is of kind array"#
      ),
      (
        #"[{"op":"move","from":"/object","path":"/object/a/b"}]"#,
        #"operation 0 (move "/object/a/b"): a value cannot be moved into itself"#
      ),
      (
        #"[{"op":"move","from":"/list/0","path":"/n"},{"op":"remove","path":""}]"#,
        #"operation 1 (remove ""): the whole document cannot be removed, only replaced"#
      ),
      (
        #"[{"op":"remove","path":"a"}]"#,
        #"operation 0 (remove "a"): the JSON Pointer "a" does not start with '/'"#
      ),
    ])
  func failures(operations: String, message: String) throws {
    let base = try JSON.parse(#"{"list":[1,2],"object":{"b":1,"a":{}},"text":"aé😀bc"}"#)
    for firstEdit in [
      "[]", #"[{"op":"splice","path":"/text","at":0,"del":1,"ins":"a"}]"#,
      #"[{"op":"replace","path":"/object/a","value":{}}]"#,
    ] {
      var draft = Draft(base)
      try draft.apply(operations: JSON.parse(firstEdit))
      let patch = try JSON.parse(operations)
      let error = #expect(throws: PatchError.self) { try draft.apply(operations: patch) }
      #expect(error?.message == message)
      #expect(draft.json() == base)
      #expect(throws: PatchError.self) { try base.applying([patch]) }
    }
  }

  @Test("A number that is an integer, however it is written, is a place in a string")
  func integers() throws {
    let base = try JSON.parse(#""abc""#)
    let patch = try JSON.parse(#"[{"op":"splice","path":"","at":1.0,"del":1e0,"ins":"x"}]"#)
    #expect(try base.applying([patch]).text == #""axc""#)
  }

  @Test("Sorted objects stay sorted, others keep the order in which they are written")
  func order() throws {
    let patch = try JSON.parse(#"[{"op":"add","path":"/b","value":0},{"op":"remove","path":"/c"}]"#)
    #expect(
      try JSON.parse(#"{"a":1,"c":2,"d":3}"#).applying([patch]).text == #"{"a":1,"b":0,"d":3}"#)
    #expect(
      try JSON.parse(#"{"d":1,"c":2,"a":3}"#).applying([patch]).text == #"{"d":1,"a":3,"b":0}"#)
  }

  @Test("What does not change is kept to the byte, escapes and digits included")
  func bytes() throws {
    let base = try JSON.parse(#"{"a":"\u0041\/","b":[1.0, 1e400 ,-0],"c":{"x" : 1}}"#)
    let patch = try JSON.parse(
      #"[{"op":"replace","path":"/b/1","value":2.50},{"op":"add","path":"/c/\u0022","value":[ ]}]"#)
    #expect(
      try base.applying([patch]).text
        == #"{"a":"\u0041\/","b":[1.0,2.50,-0],"c":{"\"":[ ],"x" : 1}}"#)
  }

  @Test("Halves of a surrogate pair that meet are one scalar, and part again when that is undone")
  func surrogates() throws {
    let base = try JSON.parse(#""a\udc00b""#)
    let join = try JSON.parse(
      #"[{"op":"splice","path":"","at":1,"del":0,"ins":"\ud83d"},"#
        + #"{"op":"splice","path":"","at":2,"del":1,"ins":"c"}]"#)
    #expect(try base.applying([join]).text == "\"a\u{1F400}c\"")
    // Refused at its end, the patch leaves no pair behind.
    var draft = Draft(base)
    let broken = try JSON.parse(
      #"[{"op":"splice","path":"","at":1,"del":0,"ins":"\ud83d"},{"op":"remove","path":"/x"}]"#)
    #expect(throws: PatchError.self) { try draft.apply(operations: broken) }
    #expect(draft.json() == base)
  }

  @Test("Copies of copies end in an error, not in the memory's end")
  func copyBomb() throws {
    let copies = (0..<60).map { _ in #"{"op":"copy","from":"","path":"/-"}"# }
    let patch = try JSON.parse("[\(copies.joined(separator: ","))]")
    let error = #expect(throws: PatchError.self) {
      try JSON.parse("[\"\(String(repeating: "x", count: 1_000))\"]").applying([patch])
    }
    #expect(
      error?.message == """
        operation 15 (copy "/-"): copies would make the document larger than 64 MB; set \
        FLUX_MEMORY_LIMIT to more megabytes to raise the limit
        """)
  }

  @Test("The tape of copies counts, also over several patches")
  func copiesOfSmallValues() throws {
    let copy = try JSON.parse(##"[{"op":"copy","from":"","path":"/-"}]"##)
    var draft = Draft(try JSON.parse("[[],[]]"), copyLimit: MemoryLimit(byteCount: 10_000))
    var count = 0
    let error = #expect(throws: PatchError.self) {
      while true {
        try draft.apply(operations: copy)
        count += 1
      }
    }
    #expect(error?.reason == .copiesTooMuch(limit: 10_000))
    // Three nodes double to 384, of 16 bytes each.
    #expect(count == 7)
  }

  @Test("A value can be moved again and again")
  func moves() throws {
    let there = try JSON.parse(##"[{"op":"move","from":"/a","path":"/b"}]"##)
    let back = try JSON.parse(##"[{"op":"move","from":"/b","path":"/a"}]"##)
    let text = "{\"a\":\"\(String(repeating: "x", count: 900))\"}"
    var draft = Draft(try JSON.parse(text), copyLimit: MemoryLimit(byteCount: 1_000))
    for _ in 0..<100 {
      try draft.apply(operations: there)
      try draft.apply(operations: back)
    }
    #expect(draft.json().text == text)
  }

  @Test("A value is not nested deeper than any text may be")
  func depth() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    let base = try JSON.parse(nested(500))
    let path = String(repeating: "/0", count: 499) + "/-"
    for (levels, fits) in [(12, true), (13, false), (400, false)] {
      let patch = Patch([.add(try Pointer(path), try JSON.parse(nested(levels)))])
      guard fits else {
        let error = #expect(throws: PatchError.self) { try patch.applied(to: base) }
        #expect(error?.reason == .tooDeep(limit: 512))
        continue
      }
      #expect(try patch.applied(to: base) == JSON.parse(nested(512)))
    }
  }

  @Test("A long run of patches gives what each of them by itself gives, tape and all")
  func runs() throws {
    for run in 0..<40 {
      var random = RandomJSON(5_000 + run)
      let base = try JSON.parse(random.value(depth: 4, width: 8))
      var draft = Draft(base)
      var expected = base
      for step in 0..<25 {
        let next = try JSON.parse(random.edited(expected))
        let patch = expected.patch(to: next)
        try draft.apply(operations: patch.json())
        expected = try JSON.parse(try patch.applied(to: expected).text)
        let note: Comment = "seed \(SeededGenerator.seed), run \(run), step \(step)"
        #expect(expected == next, note)
        let assembled = draft.json()
        #expect(assembled == next, note)
        expectSoundTape(assembled, note)
        if random.chance(10) { draft = Draft(assembled) }
      }
    }
  }

  @Test(
    "A value that is copied or moved out of a container next to what followed it there stays whole",
    arguments: [
      (
        #"[[1],2]"#,
        #"[{"op":"copy","from":"/0/0","path":"/1"},{"op":"copy","from":"/2","path":"/2"}]"#,
        #"[[1],1,2,2]"#
      ),
      (
        #"true"#,
        #"[{"op":"replace","path":"","value":[[1],2]},{"op":"copy","from":"/0/0","path":"/1"}]"#,
        #"[[1],1,2]"#
      ),
      (
        #"{}"#,
        #"[{"op":"add","path":"/a","value":[{"b":[1]},2]},{"op":"move","from":"/a/0/b/0","path":"/a/1"}]"#,
        #"{"a":[{"b":[]},1,2]}"#
      ),
    ])
  func copiesOutOfContainers(_ base: String, _ patch: String, _ expected: String) throws {
    var draft = Draft(try JSON.parse(base))
    try draft.apply(operations: try JSON.parse(patch))
    #expect(draft.json().text == expected)
    expectSoundTape(draft.json(), "\(patch)")
  }

  /// The tape that was put together has to be the one that parsing the text gives.
  private func expectSoundTape(_ value: JSON, _ note: Comment) {
    guard let parsed = try? JSON.parse(value.text) else {
      Issue.record("no JSON: \(value.text)")
      return
    }
    value.document.withTape { tape in
      parsed.document.withTape { expected in
        #expect(Int(tape[value.place].next) - value.place == expected.count, note)
        let textShift = tape[value.place].start
        for place in 0..<expected.count {
          let (found, wanted) = (tape[value.place + place], expected[place])
          #expect(found.start - textShift == wanted.start, note)
          #expect(found.end - textShift == wanted.end, note)
          #expect(Int(found.next) - value.place == Int(wanted.next), note)
          // Not to know that names are sorted is allowed, to believe it wrongly is not.
          #expect(found.info | JSONNode.sorted == wanted.info | JSONNode.sorted, note)
          #expect(found.info & ~wanted.info == 0, note)
        }
      }
    }
  }

  @Test("A draft that is kept for long does not grow with what it was given")
  func settling() throws {
    var draft = Draft(try JSON.parse(#"{"items":[1,2,3],"text":"abc"}"#))
    let long = String(repeating: "x", count: 10_000)
    for step in 0..<1_000 {
      let path = step % 2 == 0 ? "/items/1" : "/text"
      try draft.apply(
        operations: JSON.parse(
          #"[{"op":"replace","path":"\#(path)","value":"\#(long)\#(step)"}]"#))
      #expect(draft.sources.count < 200)
    }
    let expected = #"{"items":[1,"\#(long)998",3],"text":"\#(long)999"}"#
    #expect(draft.json().text == expected)
  }

  @Test("A copy of a draft is independent of it")
  func copies() throws {
    var draft = Draft(try JSON.parse(#"{"a":[1,2,3],"t":"text"}"#))
    try draft.apply(operations: JSON.parse(#"[{"op":"replace","path":"/a/0","value":9}]"#))
    let copy = draft
    try draft.apply(
      operations: JSON.parse(
        #"[{"op":"remove","path":"/a/1"},{"op":"splice","path":"/t","at":0,"del":1,"ins":"T"}]"#))
    #expect(copy.json().text == #"{"a":[9,2,3],"t":"text"}"#)
    #expect(draft.json().text == #"{"a":[9,3],"t":"Text"}"#)
  }
}
