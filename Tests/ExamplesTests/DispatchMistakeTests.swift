import FluxCommands
import FluxInspector
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures
import Testing
import TodoMVCExample

@Suite("Mistakes in dispatched actions")
struct DispatchMistakeTests {
  private static let recording = [
    #"{"flux":"1.0","stores":{"todos":{"initial":{"filter":"all","items":[],"nextID":1,"redo":[],"saving":{"saved":{}},"undo":[]}}}}"#,
    #"{"n":1,"t":1,"action":{"type":"todo/add","payload":{"title":""}},"rejected":{"reason":"refused","message":"a todo needs a title","store":"todos"}}"#,
  ]

  @Test(
    "They are explained in words, with what may be meant",
    arguments: [
      (
        #"dispatch {"type":"todo/ad","payload":{"title":"milk"}}"#,
        #"""
        at todo/ad: the app cannot decode the action: the app's actions have no case "todo/ad". If it was renamed, add \#
        an alias or an upcaster to the app's Evolution
        """#,
        "did you mean todo/add?"
      ),
      (
        #"dispatch {"type":"todo/add","payload":{"titel":"milk"}}"#,
        #"""
        at todo/add: the app cannot decode the action: the payload of "todo/add" does not fit: there is no member "title"
        """#, nil
      ),
      (
        #"dispatch {"type":"todo/toggle","payload":{"id":"1"}}"#,
        #"""
        at todo/toggle: the app cannot decode the action: the payload of "todo/toggle" does not fit: expected a \#
        number, found a string, at payload.id
        """#, nil
      ),
    ] as [(String, String, String?)])
  func explained(line: String, message: String, hint: String?) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.recording.map { $0 + "\n" }.joined().utf8, to: "log.jsonl")
    var services = Services()
    services.app = AppDefinition { [TodoStore(storage: MemoryStorage())] }
    var console = Console(Session(try LogFile.open(path), services: services))
    let error = console.run(line)?.error
    #expect(error?.message == message)
    #expect(error?.advice == hint)
  }
}
