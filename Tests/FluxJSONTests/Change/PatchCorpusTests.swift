import TestFixtures
import Testing

@testable import FluxJSON

/// The cases of `json-patch/json-patch-tests` and of RFC 6901.
@Suite("Change: the published cases", .enabled(if: Corpora.isPresent))
struct PatchCorpusTests {
  @Test(
    "Every enabled RFC 6902 case gives its result, or an error and the document as it was",
    arguments: ["spec_tests", "tests"])
  func patches(file: String) throws {
    var count = 0
    for test in try Corpora.json("json-patch/\(file).json").elements where test["disabled"] == nil {
      guard let document = test["doc"], let operations = test["patch"] else { continue }
      let name = Comment(rawValue: test["comment"]?.string ?? operations.text)
      var draft = Draft(document)
      if test["error"] != nil {
        #expect(throws: PatchError.self, name) { try draft.apply(operations: operations) }
        #expect(draft.json() == document, name)
        continue
      }
      try draft.apply(operations: operations)
      let expected = test["expected"] ?? document
      #expect(draft.json() == expected, name)
      #expect(try document.applying([operations]) == expected, name)
      #expect(try JSON.parse(draft.json().text) == expected, name)
      count += 1
    }
    #expect(count > 10)
  }

  @Test("Every RFC 6901 example leads to its value")
  func pointers() throws {
    let examples = try Corpora.json("json-pointer/rfc6901-examples.json")
    let document = try #require(examples["doc"])
    let strings = try #require(examples["string"])
    #expect(strings.count == 12)
    for example in strings.elements {
      let pointer = try Pointer(try #require(example["pointer"]?.string))
      #expect(try document.value(at: pointer) == example["expected"])
    }
  }
}
