import FluxTerminal
import Testing

@testable import LineEditor

@Suite("Candidate list")
struct CandidateListTests {
  private func rows(
    _ candidates: [Completions.Candidate], _ columns: Int, _ rows: Int = 24
  ) -> [String] {
    CandidateList(candidates, size: TerminalSize(columns: columns, rows: rows)).rows
  }

  @Test("puts names side by side, read downwards")
  func columns() {
    let names = (1...7).map { Completions.Candidate("name\($0)") }
    #expect(rows(names, 22) == ["name1  name4  name7", "name2  name5", "name3  name6"])
    #expect(rows(names, 5) == (1...7).map { "name\($0)".count > 4 ? "nam…" : "name\($0)" })
    #expect(rows([], 22) == [])
  }

  @Test("counts the columns of wide characters")
  func wide() {
    #expect(rows([.init("日本"), .init("print"), .init("x")], 20) == ["日本   x", "print"])
  }

  @Test("counts what does not fit on the screen")
  func caps() {
    let names = (1...30).map { Completions.Candidate("n\($0 + 10)") }
    #expect(rows(names, 10, 6) == ["n11  n12", "n13  n14", "… 26 more"])
    #expect(rows(names, 10, 1) == ["… 30 more"])
  }

  @Test("never lets a name drive the terminal")
  func sanitises() {
    #expect(rows([.init("\u{1B}[2J"), .init("a\nb")], 40) == [#"\u{1b}[2J  a\nb"#])
  }
}
