import FluxJSON
import FluxLog
import Testing

@testable import FluxScreen

@Suite struct StateTreeTests {
  @Test("of two members whose names only look the same, one is marked and folded")
  func lookAlike() throws {
    let (one, two) = ("/s/\u{E9}", "/s/e\u{301}")
    let state = try JSON.parse("{\"\u{E9}\":[1],\"e\u{301}\":[1],\"\u{301}\":[1]}")
    let tree = StateTree(
      [(name: "s", state: state, note: "")], [BytewiseName(one): false],
      changed: StateTree.withParents([one, "/s/\u{301}/0"]))
    func rows(_ path: String) -> [StateRow] { tree.rows.filter { $0.path.hasSameBytes(as: path) } }
    #expect(rows(one).map(\.isChanged) == [true] && rows(one).map(\.fold) == [.closed])
    #expect(rows(two).map(\.isChanged) == [false] && rows(two).map(\.fold) == [.open])
    #expect(["/s/\u{301}", "/s"].map { rows($0).map(\.isChanged) } == [[true], [true]])
  }
}
