import TestFixtures
import Testing

@testable import FluxJSON

/// The compliance suite of RFC 9535.
@Suite("JSONPath: the compliance suite", .enabled(if: Corpora.isPresent))
struct JSONPathCorpusTests {
  @Test("All 703 cases: results, normalized paths, and selectors that are refused")
  func all() throws {
    let tests = try #require(try Corpora.json("jsonpath/cts.json")["tests"])
    #expect(tests.count == 703)
    for test in tests.elements {
      let name = try #require(test["name"]?.string)
      let selector = try #require(test["selector"]?.string)
      if test["invalid_selector"]?.bool == true {
        #expect(throws: QueryError.self, "\(name): \(selector)") { try Path(selector) }
        continue
      }
      let nodes = try Path(selector).nodes(in: try #require(test["document"]))
      let found = Answer(
        values: nodes.map(\.value), paths: nodes.map(\.location.normalizedPath))
      let expected = try answers(test)
      #expect(expected.contains(found), "\(name): \(selector) gave \(found)")
      for node in nodes {
        let document = try #require(test["document"])
        #expect(try document.value(at: node.location.pointer) == node.value, "\(name)")
      }
    }
  }

  struct Answer: Equatable {
    let values: [JSON]
    let paths: [String]
  }

  /// The answers of which one has to be given: the order of an object's members is free.
  private func answers(_ test: JSON) throws -> [Answer] {
    let values = test["result"].map { [$0] } ?? test["results"].map { Array($0.elements) } ?? []
    let paths =
      test["result_paths"].map { [$0] } ?? test["results_paths"].map { Array($0.elements) } ?? []
    #expect(values.count == paths.count)
    return zip(values, paths).map { values, paths in
      Answer(values: Array(values.elements), paths: paths.elements.compactMap(\.string))
    }
  }
}
