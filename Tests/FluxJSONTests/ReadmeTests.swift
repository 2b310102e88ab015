import FluxJSON
import Testing

@Suite("The examples of the documentation")
struct ReadmeTests {
  @Test("a value is patched, compared and queried, as the first page shows")
  func firstPage() throws {
    let old = try JSON.parse(#"{"items":[{"id":1,"done":false}]}"#)
    let patch = try JSON.parse(#"[{"op":"replace","path":"/items/0/done","value":true}]"#)
    let new = try old.applying([patch])
    let changes = old.changes(to: new)
    let done = try Path("$.items[?@.done].id").nodes(in: new)

    #expect(new.text == #"{"items":[{"id":1,"done":true}]}"#)
    #expect(changes.map(\.path.description) == ["/items/0/done"])
    #expect(done.map(\.value) == [1])
  }
}
