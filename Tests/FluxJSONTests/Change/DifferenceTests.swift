import TestFixtures
import Testing

@testable import FluxJSON

@Suite("Difference")
struct DifferenceTests {
  // MARK: Small cases, whole patches

  /// A text that stays, so that no patch replaces everything.
  private static let rest = String(repeating: "unchanged ", count: 10)

  struct Case: CustomTestStringConvertible {
    let old: String
    let new: String
    let patch: String
    var testDescription: String { "\(old) to \(new)" }
  }

  @Test(
    "The patch is the shortest that the rules give",
    arguments: [
      Case(old: "1", new: "1.0", patch: "[]"),
      Case(old: "\"A\"", new: "\"\\u0041\"", patch: "[]"),
      Case(
        old: "9007199254740992", new: "9007199254740993",
        patch: #"[{"op":"replace","path":"","value":9007199254740993}]"#),
      Case(old: "null", new: "false", patch: #"[{"op":"replace","path":"","value":false}]"#),
      Case(old: #"{"a":1,"b":2}"#, new: #"{"b":2,"a":1}"#, patch: "[]"),
      Case(old: #"{"a":1,"a":2}"#, new: #"{"a":2}"#, patch: "[]"),
      Case(old: #"{"a":null}"#, new: "{}", patch: #"[{"op":"remove","path":"/a"}]"#),
      Case(
        old: #"{"todos":[{"id":1,"done":false},{"id":2,"done":false}]}"#,
        new: #"{"todos":[{"id":1,"done":false},{"id":2,"done":true}]}"#,
        patch: #"[{"op":"replace","path":"/todos/1/done","value":true}]"#),
      Case(
        old: #"{"a/b~c":[10000000000,20000000000,30000000000,40000000000]}"#,
        new: #"{"a/b~c":[10000000000,30000000000,40000000000]}"#,
        patch: #"[{"op":"remove","path":"/a~1b~0c/1"}]"#),
      Case(
        old: #"["aaaaaaaaaaaaaaaaaaaaaaa","bbbbbbbbbbbbbbbbbbbbbbbbb"]"#,
        new: #"["xxx","aaaaaaaaaaaaaaaaaaaaaaa","bbbbbbbbbbbbbbbbbbbbbbbbb"]"#,
        patch: #"[{"op":"add","path":"/0","value":"xxx"}]"#),
      Case(
        old: #""The quick brown fox jumps over the lazy dog, and then it sleeps for hours""#,
        new: #""The quick brown fox jumps over the lazy cat, and then it sleeps for hours""#,
        patch: #"[{"op":"splice","path":"","at":40,"del":3,"ins":"cat"}]"#),
      Case(
        old: #""😀😀😀😀😀😀😀😀😀😀😀😀😀 é and a text that is long enough""#,
        new: #""😀😀😀😀😀😀😀😀😀😀😀😀😁 é and a text that is long enough""#,
        patch: #"[{"op":"splice","path":"","at":12,"del":1,"ins":"😁"}]"#),
      // A value that becomes a past one is copied before it changes.
      Case(
        old: #"{"past":[],"present":"longer than a pointer"}"#,
        new: #"{"past":["longer than a pointer"],"present":"b"}"#,
        patch: #"[{"op":"replace","path":"","value":"#
          + #"{"past":["longer than a pointer"],"present":"b"}}]"#),
      Case(
        old: #"{"past":[],"present":"longer than two pointers to the past and the present"}"#,
        new: #"{"past":["longer than two pointers to the past and the present"],"present":"b"}"#,
        patch: #"[{"op":"copy","from":"/present","path":"/past/0"},"#
          + #"{"op":"replace","path":"/present","value":"b"}]"#),
      // Not from a member that has changed already, and not if a copy is longer.
      Case(
        old: #"{"a":"longer than a pointer","past":[],"rest":"\#(rest)"}"#,
        new: #"{"a":"b","past":["longer than a pointer"],"rest":"\#(rest)"}"#,
        patch: #"[{"op":"replace","path":"/a","value":"b"},"#
          + #"{"op":"add","path":"/past/0","value":"longer than a pointer"}]"#),
      Case(
        old: #"{"past":[],"present":"a","rest":"\#(rest)"}"#,
        new: #"{"past":["a"],"present":"b","rest":"\#(rest)"}"#,
        patch: #"[{"op":"add","path":"/past/0","value":"a"},"#
          + #"{"op":"replace","path":"/present","value":"b"}]"#),
      // Versions of one value have the same id.
      Case(
        old: #"[{"id":1,"text":"first"},{"id":1,"text":"second"},{"id":1,"text":"third"}]"#,
        new: #"[{"id":1,"text":"second"},{"id":1,"text":"third"},{"id":1,"text":"4"}]"#,
        patch: #"[{"op":"remove","path":"/0"},"#
          + #"{"op":"add","path":"/2","value":{"id":1,"text":"4"}}]"#),
      // Seen from the end both have `","r"]`, which means something else in each.
      Case(
        old: #"["q","r"]"#, new: #"["z\",\"r"]"#,
        patch: #"[{"op":"replace","path":"","value":["z\",\"r"]}]"#),
    ])
  func smallPatches(test: Case) throws {
    let (old, new) = (try JSON.parse(test.old), try JSON.parse(test.new))
    let patch = old.patch(to: new)
    #expect(patch.json().text == test.patch)
    #expect(try patch.applied(to: old) == new)
  }

  // MARK: Arrays

  private func rows(_ ids: [Int]) throws -> JSON {
    let rows = ids.map { #"{"id":\#($0),"title":"Row number \#($0)","done":false}"# }
    return try JSON.parse(#"{"rows":[\#(rows.joined(separator: ","))]}"#)
  }

  @Test("An element at the head of 10,000 is one operation")
  func headInsert() throws {
    let (old, new) = (try rows(Array(1...10_000)), try rows(Array(0...10_000)))
    let patch = old.patch(to: new)
    #expect(
      patch.json().text
        == #"[{"op":"add","path":"/rows/0","value":{"id":0,"title":"Row number 0","done":false}}]"#)
    #expect(try patch.applied(to: old) == new)
  }

  @Test("An element removed from the middle of 1,000 is one operation")
  func middleRemove() throws {
    let (old, new) = (try rows(Array(1...1_000)), try rows(Array(1...500) + Array(502...1_000)))
    #expect(old.patch(to: new).json().text == #"[{"op":"remove","path":"/rows/500"}]"#)
  }

  @Test("Two elements that change places are two operations")
  func swap() throws {
    var ids = Array(1...1_000)
    let old = try rows(ids)
    ids.swapAt(10, 900)
    let new = try rows(ids)
    let patch = old.patch(to: new)
    #expect(patch.operations.count == 2)
    #expect(try patch.applied(to: old) == new)
  }

  @Test("Without ids, what is the same is found by the longest common subsequence")
  func withoutIDs() throws {
    let words = (0..<200).map { "word number \($0 % 150)" }
    var edited = words
    edited.remove(at: 20)
    edited.insert("another word that is new", at: 77)
    edited[150] = "something else that is new"
    let (old, new) = (list(words), list(edited))
    let patch = old.patch(to: new)
    #expect(patch.operations.count == 3)
    #expect(try patch.applied(to: old) == new)
  }

  @Test("More differences than the search allows still align what is unique")
  func manyDifferences() throws {
    let words = (0..<2_000).map { "a rather long word with the number \($0)" }
    let edited = words.enumerated().filter { $0.offset % 5 != 0 }.map(\.element)
    let patch = list(words).patch(to: list(edited))
    #expect(patch.operations.count == 400)
    #expect(try patch.applied(to: list(words)) == list(edited))
  }

  @Test("Where the work that a comparison may cost is spent, what is left is replaced whole")
  func budget() throws {
    let numbers = (0..<2_000).map { "\($0)" }
    let few = Array(numbers.prefix(400))
    let old: JSON = ["a": list(few), "b": list(few), "c": 1, "d": list(numbers)]
    let new: JSON = [
      "a": list(few.reversed()), "b": list(few.dropLast() + ["x"]), "c": 2, "d": list(numbers),
    ]
    func changes(_ budget: Int) throws -> [String] {
      let patch = Patch(
        JSONDifference.operations(from: old, to: new, budget: budget))
      #expect(try patch.applied(to: old) == new, "budget \(budget)")
      return patch.json().elements.map { $0["path"]?.string ?? "" }
    }
    #expect(try changes(0) == [""])
    // Enough to look into the object, and spent by the list in another order.
    #expect(try changes(3_000) == ["/a", "/b", "/c"])
    #expect(try changes(.max) == ["/a", "/b/399", "/c"])
  }

  private func list(_ words: [String]) -> JSON {
    JSON(writing: { writer in
      writer.beginArray()
      for word in words { writer.string(word) }
      writer.endArray()
    })
  }

  @Test("A patch keeps the sign of a zero; values with either zero are equal")
  func zeroSigns() throws {
    // Long enough that replacing the whole value would be longer.
    let note = String(repeating: "note ", count: 20)
    let old = try JSON.parse(#"{"a":0,"b":[1,0,{"c":-0.0}],"d":1,"e":"\#(note)"}"#)
    let new = try JSON.parse(#"{"a":-0,"b":[1,-0e1,{"c":0}],"d":1.0,"e":"\#(note)"}"#)
    let patch = old.patch(to: new)
    #expect(
      patch.json().text
        == #"[{"op":"replace","path":"/a","value":-0},{"op":"replace","path":"/b","value":[1,-0e1,{"c":0}]}]"#
    )
    #expect(
      try patch.applied(to: old).text == #"{"a":-0,"b":[1,-0e1,{"c":0}],"d":1,"e":"\#(note)"}"#)
    #expect(old == new)
    #expect(!old.equalsWithZeroSigns(new))
    #expect(old.changes(to: new) == [])
    #expect(
      old.patch(to: try JSON.parse(#"{"a":0e5,"b":[1.0,0.0,{"c":-0}],"d":1,"e":"\#(note)"}"#))
        .isEmpty)
  }

  // MARK: Properties

  /// What has to hold for any two values.
  private func check(_ old: JSON, _ new: JSON, _ run: Int) throws {
    let note: Comment = "seed \(SeededGenerator.seed), run \(run): \(old.text) to \(new.text)"
    let patch = old.patch(to: new)
    #expect(patch.isEmpty == old.equalsWithZeroSigns(new), note)
    #expect(patch.byteCount == patch.json().byteCount, note)
    let whole = Patch([.replace(.root, new)])
    #expect(patch.byteCount <= whole.byteCount, note)
    #expect(try patch.applied(to: old) == new, note)
    #expect(try patch.applied(to: old).equalsWithZeroSigns(new), note)
    // Read back from its text, and the result from its own.
    let result = try old.applying([JSON.parse(patch.json().text)])
    #expect(result == new, note)
    #expect(try JSON.parse(result.text) == new, note)
    #expect(result.hasDuplicateNames == (try JSON.parse(result.text).hasDuplicateNames), note)
    try checkChanges(old, new, note)
  }

  private func checkChanges(_ old: JSON, _ new: JSON, _ note: Comment) throws {
    let changes = old.changes(to: new)
    #expect(changes.isEmpty == (old == new), note)
    var draft = Draft(old)
    for change in changes {
      if let former = change.old { #expect(try draft.value(at: change.path) == former, note) }
      let operation: Patch.Operation? =
        switch (change.kind, change.new) {
        case (.add, let value?): .add(change.path, value)
        case (.replace, let value?): .replace(change.path, value)
        case (.remove, nil): .remove(change.path)
        default: nil
        }
      try draft.apply(operations: Patch([#require(operation, note)]).json())
    }
    #expect(draft.json() == new, note)
  }

  @Test("Any two values: the patch leads from one to the other, back, and is never too long")
  func unrelatedValues() throws {
    for run in 0..<300 {
      var random = RandomJSON(run)
      try check(
        JSON.parse(random.value(depth: 4)), JSON.parse(random.value(depth: 4)), run)
    }
  }

  @Test("A value and an edit of it: the patch leads from one to the other, back, and is short")
  func edits() throws {
    for run in 1_000..<1_600 {
      var random = RandomJSON(run)
      let old = try JSON.parse(random.value(depth: 5, width: 8))
      var new = old
      for _ in 0...random.below(3) { new = try JSON.parse(random.edited(new)) }
      try check(old, new, run)
    }
  }

  @Test("Values 512 levels deep")
  func deep() throws {
    func nested(_ inner: String, _ open: String, _ close: String, _ levels: Int) throws -> JSON {
      try JSON.parse(
        String(repeating: open, count: levels) + inner + String(repeating: close, count: levels))
    }
    for (run, levels) in [511, 512, 99, 100, 101].enumerated() {
      for (open, close) in [("[", "]"), (#"{"a":"#, "}"), (#"[1,{"long enough a name":"#, "}]")] {
        let levels = open.hasPrefix("[1") ? levels / 2 : levels
        try check(
          nested("1", open, close, levels), nested("\"x\"", open, close, levels), run)
      }
    }
  }

  @Test("Wide objects, sorted and not")
  func wide() throws {
    var random = RandomJSON(7)
    var names = (0..<3_000).map { "name\($0)" }.sorted()
    for isSorted in [true, false] {
      if !isSorted { names.shuffle(using: &random) }
      func object(_ skip: Int, _ change: Int) throws -> JSON {
        let members = names.enumerated().filter { $0.offset != skip }.map { index, name in
          #""\#(name)":\#(index == change ? "true" : "[\(index)]")"#
        }
        return try JSON.parse("{\(members.joined(separator: ","))}")
      }
      let (old, new) = (try object(100, 2_000), try object(2_500, 10))
      let patch = old.patch(to: new)
      #expect(patch.operations.count == 4)
      #expect(try patch.applied(to: old) == new)
    }
  }

  @Test("The jd pairs", .enabled(if: Corpora.isPresent), arguments: ["core", "errors", "options"])
  func pairs(file: String) throws {
    var count = 0
    for (run, pair) in try Corpora.json("jd/\(file).json").elements.enumerated() {
      // Some of the texts are no JSON, on purpose, and some are empty.
      guard let left = pair["content_a"]?.string, let right = pair["content_b"]?.string,
        let old = try? JSON.parse(left), let new = try? JSON.parse(right)
      else { continue }
      try check(old, new, run)
      try check(new, old, run)
      count += 1
    }
    #expect(count >= (file == "core" ? 40 : 3))
  }
}
