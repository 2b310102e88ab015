import Testing

@Suite struct FolderGraphTests {
  @Test("comments and string literals are not code, interpolations are")
  func tokens() {
    let text = ###"""
      /// Uses Reader.
      let a = "Writer \(Index.first("Nested")) Text" /* Parser /* Draft */ Patch */
      let b = ##"raw \(Raw) \##(Deep)"##  // Tail
      """###
    let words = SourceTokens(text).tokens.compactMap { token -> String? in
      guard case .word(let word) = token else { return nil }
      return word
    }
    #expect(words == ["let", "a", "Index", "first", "let", "b", "Deep"])
  }

  @Test("types are those declared at the top of a file, and not private ones")
  func declaredTypes() {
    let text = """
      import struct Other.Imported
      public struct Log: Sendable { enum Inner {} }
      private enum Hidden { case one }
      protocol Reader {}
      extension Log { struct Nested {} }
      final class Writer<Line> {}
      """
    #expect(FolderGraph.declaredTypes(SourceTokens(text).tokens) == ["Log", "Reader", "Writer"])
  }

  @Test("a ladder is printed from the lowest folder up")
  func ladder() {
    let graph = FolderGraph([
      FolderGraph.File(
        folder: "Read", name: "Reader.swift", text: "struct Reader { let line: Line }"),
      FolderGraph.File(folder: "Format", name: "Line.swift", text: "struct Line {}"),
    ])
    #expect(graph.description == "  Format\n  Read -> Format")
    #expect(graph.cycles == [])
  }

  @Test("folders that use each other are a cycle, with the uses that make it one")
  func cycle() {
    let graph = FolderGraph([
      FolderGraph.File(
        folder: "Read", name: "Reader.swift", text: "struct Reader { let line: Line }"),
      FolderGraph.File(
        folder: "Format", name: "Line.swift", text: "struct Line { func read() -> Reader {} }"),
      FolderGraph.File(
        folder: "Write", name: "Writer.swift", text: "struct Writer { let line: Line }"),
    ])
    #expect(
      graph.cycles == [
        "Format -> Read: Line.swift uses Reader", "Read -> Format: Reader.swift uses Line",
      ])
  }
}
