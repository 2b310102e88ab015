import Testing

/// Comments cite the format as `docs/log-format.md, "Steps"`, and may break the line within it.
@Suite struct FormatCitationTests {
  private static let page = "docs/log-format.md"

  /// The section names that a source cites.
  private static func citations(in source: String) -> [String] {
    let text = source.replacing(/\n\s*\/\/\/? ?/, with: " ")
    return text.matches(of: /log-format\.md, (?<names>"[^"]+"(?: and "[^"]+")*)/).flatMap { match in
      match.output.names.matches(of: /"(?<name>[^"]+)"/).map { String($0.output.name) }
    }
  }

  @Test("citations are found, even across lines of a comment")
  func citations() {
    let source = """
      /// Writes a step. See docs/log-format.md, "Steps" and "Other
      /// lines".
      // docs/log-format.md, "Sums".
      """
    #expect(Self.citations(in: source) == ["Steps", "Other lines", "Sums"])
  }

  @Test("every section that a source cites is a heading of the format page")
  func sections() throws {
    let headings = Set(try Project.document(Self.page).headings)
    var count = 0
    for path in try Project.files(below: "Sources", endingIn: ".swift") {
      for name in Self.citations(in: try Project.text(of: path)) {
        count += 1
        #expect(headings.contains(name), "\(path): no section \(name) in \(Self.page)")
      }
    }
    #expect(count > 10)
  }

  @Test("sources cite no other description of the format")
  func onlyPage() throws {
    for path in try Project.files(below: "Sources", endingIn: ".swift") {
      #expect(!(try Project.text(of: path)).contains("LOG-FORMAT"), "\(path)")
    }
  }
}
