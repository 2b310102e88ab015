import Harness
import Testing

@Suite struct MarkedDocumentTests {
  @Test("a part is written anew, and nothing else")
  func replacing() throws {
    var page = MarkedDocument("a\n<!-- x -->\nold\n<!-- end of x -->\nb\n")
    try page.replace("x", with: "| new |\n")
    #expect(page.text == "a\n<!-- x -->\n\n| new |\n\n<!-- end of x -->\nb\n")
    let once = page.text
    try page.replace("x", with: "| new |\n")
    #expect(page.text == once)
  }

  @Test("a part that the page does not have is an error", arguments: ["", "<!-- x -->\n"])
  func missing(text: String) {
    var page = MarkedDocument(text)
    let error = #expect(throws: MarkedDocument.MissingPart.self) {
      try page.replace("x", with: "")
    }
    #expect(
      error?.description
        == "the page has no lines `<!-- x -->` and `<!-- end of x -->`; add them where the part belongs"
    )
  }
}
