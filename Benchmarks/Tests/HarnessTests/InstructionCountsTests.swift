import Harness
import Testing

@Suite struct InstructionCountsTests {
  private let kept = InstructionCounts(
    machine: "x86_64, Linux", paths: [("parse", 1_000), ("next", 2_000), ("gone", 1)])

  @Test("counts come back from their text as they were")
  func text() throws {
    #expect(kept.text == "x86_64, Linux\nparse\t1000\nnext\t2000\ngone\t1\n")
    #expect(try InstructionCounts(text: kept.text) == kept)
  }

  @Test(
    "a line that is none is an error with its number",
    arguments: [("m\nparse", 2), ("m\na\t1\nb\tmany", 3), ("m\na\t1\t2", 2)])
  func malformed(text: String, line: Int) {
    let error = #expect(throws: InstructionCounts.Malformed.self) {
      try InstructionCounts(text: text)
    }
    #expect(
      error?.description
        == "line \(line) of the counts is not a name, a tab and a number; count anew")
  }

  @Test("more than 5 % of growth is a failure, and so is a path that is kept or counted only")
  func growth() {
    let counted = InstructionCounts(
      machine: "x86_64, Linux",
      paths: [("parse", 1_050), ("next", 2_101), ("seek", 12_345)])
    let growth = InstructionGrowth(kept: kept, counted: counted)
    #expect(growth.failures == ["next", "seek", "gone"])
    #expect(
      growth.table.text == """
        path    kept  instructions  change
        parse  1,000         1,050  +5.0 %
        next   2,000         2,101  +5.0 %  GROWN
        seek                12,345          NEW
        gone       1                        GONE

        """)
  }
}
