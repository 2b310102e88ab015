// swift-format-ignore-file
// Written by flux-inspect: dispatches recorded actions in fresh stores, and expects recorded values.
import FluxJSON
import FluxTesting
import Testing

@testable import TodoMVCExample

@Suite struct TodoMVCStep5Tests {
  @Test("Step 5, todo/toggle, leads to the recorded values")
  func reproduces() throws {
    let session = try TestSession(stores: { [TodoStore(storage: MemoryStorage())] })
    try session.dispatch(TodoAction.add(title: "milk"))
    try session.dispatch(TodoAction.saved)
    try session.dispatch(TodoAction.add(title: "eggs"))
    try session.dispatch(TodoAction.saved)
    try session.dispatch(TodoAction.toggle(id: 2))
    let mismatches = try session.mismatches([
      "todos.items[1].done": true,
      "todos.saving.saved": nil,
      "todos.saving.inProgress": JSON.parse("{}"),
      "todos.undo[2]": JSON.parse(#"{"edits":[{"replace":{"at":1,"with":{"done":false,"id":2,"title":"eggs"}}}]}"#),
    ])
    #expect(mismatches == [])
  }
}
