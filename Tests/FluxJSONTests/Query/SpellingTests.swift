import Testing

@testable import FluxJSON

@Suite("Spelling")
struct SpellingTests {
  @Test(
    "The nearest name is found, if one is near",
    arguments: [
      ("itmes", "items"), ("item", "items"), ("todo", "todos"), ("tdoos", "todos"),
      ("nothing", nil), ("", nil), ("titel", "title"),
    ])
  func spelling(name: String, expected: String?) {
    #expect(Spelling.nearest(to: name, among: ["items", "todos", "title"]) == expected)
  }
}
