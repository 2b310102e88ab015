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

  @Test(
    "Names of one letter are similar only to those that contain it",
    arguments: [("}", nil), ("x", nil), ("sx", "s"), ("b", "bt")])
  func short(name: String, expected: String?) {
    #expect(Spelling.nearest(to: name, among: ["s", "g", "bt"]) == expected)
  }
}
