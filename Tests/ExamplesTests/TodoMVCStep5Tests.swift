// swift-format-ignore-file
// Written by flux-inspect: dispatches recorded actions in fresh stores, and expects the recorded
// states.
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Testing

@testable import TodoMVCExample

@Suite struct TodoMVCStep5Tests {
  @Test("The actions up to step 5, todo/toggle, lead to the recorded states")
  func reproduces() throws {
    let start = #"{"mode":"replay","seed":"0931da33e8b4a1c5","created":"2026-11-21T07:30:35.202564Z","states":{"todos":{"filter":"all","items":[],"nextID":1,"redo":[],"saving":{"saved":{}},"undo":[]}},"next":1,"t":0.000000}"#
    let actions = #"""
      {"n":1,"t":0.011086,"action":{"type":"todo/add","payload":{"title":"milk"}}}
      {"n":2,"t":0.019031,"action":{"type":"todo/saved"}}
      {"n":3,"t":0.019432,"action":{"type":"todo/add","payload":{"title":"eggs"}}}
      {"n":4,"t":0.019712,"action":{"type":"todo/saved"}}
      {"n":5,"t":0.019828,"action":{"type":"todo/toggle","payload":{"id":2}}}
      """#
    let expected: StoreDictionary<JSON> = [
      "todos": try JSON.parse(#"{"filter":"all","items":[{"done":false,"id":1,"title":"milk"},{"done":true,"id":2,"title":"eggs"}],"nextID":3,"redo":[],"saving":{"inProgress":{}},"undo":[{"edits":[{"remove":{"at":0}}]},{"edits":[{"remove":{"at":1}}]},{"edits":[{"replace":{"at":1,"with":{"done":false,"id":2,"title":"eggs"}}}]}]}"#),
    ]

    let session = try Replayer(stores: { [TodoStore(storage: MemoryStorage())] }).app.start(SessionStart(JSON.parse(start)))
    defer { session.end() }
    let steps = try session.dispatch(
      actions.split(separator: "\n").map { try ReplayAction(JSON.parse(String($0))) })
    #expect(steps.last?.verdict == .accepted)
    #expect(try session.states() == expected)
  }
}
