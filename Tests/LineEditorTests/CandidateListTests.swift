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

  @Test("gives each name with help a row, and cuts the help to the screen")
  func help() {
    let candidates: [Completions.Candidate] = [
      .init("日本", help: "two"), .init("print", help: "shows a value at a path"), .init("x"),
    ]
    #expect(rows(candidates, 24) == ["日本   two", "print  shows a value a…", "x"])
    #expect(rows(candidates, 9) == ["日本", "print", "x"])
  }

  @Test("counts what does not fit on the screen")
  func caps() {
    let names = (1...30).map { Completions.Candidate("n\($0 + 10)") }
    #expect(rows(names, 10, 6) == ["n11  n12", "n13  n14", "… 26 more"])
    let helped = (1...9).map { Completions.Candidate("n\($0)", help: "h") }
    #expect(rows(helped, 40, 6) == ["n1  h", "n2  h", "… 7 more"])
    #expect(rows(helped, 40, 1) == ["… 9 more"])
  }

  @Test("never lets a name drive the terminal")
  func sanitises() {
    #expect(rows([.init("\u{1B}[2J", help: "a\nb")], 40) == [#"\u{1B}[2J  a\nb"#])
  }
}
