import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// A fork that leaves out steps repeats the others with the random numbers that they had, so that ids stay the same.
@Suite struct ForkRandomTests {
  private enum NoteAction: Action {
    case add(String), addTwice(String), mark(UUID)
  }

  private struct Note: StateValue {
    let id: UUID
    let text: String
    var isMarked = false
  }

  private struct NoteStore: Store {
    let initialState: [Note] = []

    func reduce(_ notes: inout [Note], _ action: NoteAction, _ step: inout Step) throws {
      switch action {
      case .add(let text): notes.append(Note(id: step.uuid(), text: text))
      case .addTwice(let text):
        notes.append(Note(id: step.uuid(), text: text))
        step.dispatch(NoteAction.add(text + "!"))
      case .mark(let id):
        guard let index = notes.firstIndex(where: { $0.id == id }) else {
          throw Rejection("no note \(id)")
        }
        notes[index].isMarked = true
      }
    }
  }

  private let folder: TemporaryFolder
  private let app = AppDefinition(name: "Notes", stores: { [NoteStore()] })
  private let timeline: Timeline

  /// Records: add a, addTwice b with its follow-up, add c, and marks for the follow-up and c.
  init() throws {
    folder = try TemporaryFolder()
    let dispatcher = Dispatcher([NoteStore()])
    let recorder = Recorder(to: folder.url("notes.jsonl"))
    dispatcher.use(recorder)
    let notes = dispatcher.store(NoteStore.self)
    notes.dispatch(.add("a"))
    notes.dispatch(.addTwice("b"))
    notes.dispatch(.add("c"))
    notes.dispatch(.mark(notes.state[2].id))
    notes.dispatch(.mark(notes.state[3].id))
    try recorder.close()
    timeline = Timeline(try LogFile.open(folder.path("notes.jsonl")))
  }

  @Test("the steps after one that is left out change what they changed")
  func skip() throws {
    let fork = try Fork.redispatching(0..<6, of: timeline, in: app, skipping: [1])
    #expect(fork.steps.map(\.number) == [1, 2, 3, 4, 5])
    #expect(fork.steps.map(\.repeats) == [2, 3, 4, 5, 6])
    #expect(fork.steps.map(\.randomStep) == [2, 3, 4, 5, 6])
    #expect(fork.steps.allSatisfy { $0.rejection == nil })
    let recorded = try timeline.model(at: 5).json["note"]
    #expect(recorded?.count == 4)
    #expect(fork.model["note"]?.elements.map { $0 } == recorded?.elements.dropFirst().map { $0 })
  }

  @Test("without a step left out, each step has its own random numbers")
  func same() throws {
    let fork = try Fork.redispatching(0..<6, of: timeline, in: app)
    #expect(fork.steps.allSatisfy { $0.randomStep == nil })
    #expect(try fork.compare().isSame)
  }

  @Test("an action after that draws numbers that no step of the recording has drawn")
  func fresh() throws {
    let fork = try Fork.redispatching(0..<6, of: timeline, in: app, skipping: [1])
    let action: JSON = ["type": "note/add", "payload": ["_0": "new"]]
    let made = try fork.dispatch(action)
    #expect(made.map(\.number) == [6] && made.map(\.randomStep) == [7])
    try fork.dispatch(action)
    let ids = fork.model["note"]?.elements.compactMap { $0["id"]?.string } ?? []
    #expect(ids.count == 5 && Set(ids).count == 5)
    // A fork of the fork goes on with others, too.
    let other = try Fork(leaving: fork, afterSteps: 6)
    try other.dispatch(action)
    let others = other.model["note"]?.elements.compactMap { $0["id"]?.string } ?? []
    #expect(others.count == 5 && Set(others + ids).count == 6)
  }

  @Test("a follow-up that the recording does not have draws numbers that no other step draws")
  func more() throws {
    let twice: JSON = ["type": "note/addTwice", "payload": ["_0": "a"]]
    let fork = try Fork.redispatching(0..<6, of: timeline, in: app, replacing: [1: twice])
    let extra: UInt64 = 2 + 1 << 32
    #expect(fork.steps.map(\.randomStep) == [nil, extra, 2, 3, 4, 5, 6])
    #expect(fork.steps.allSatisfy { $0.rejection == nil })
    let ids = fork.model["note"]?.elements.compactMap { $0["id"]?.string } ?? []
    #expect(ids.count == 5 && Set(ids).count == 5)
  }

  @Test("the saved fork verifies, in a replay of each step by its number")
  func save() throws {
    let fork = try Fork.redispatching(0..<6, of: timeline, in: app, skipping: [1])
    try fork.dispatch(["type": "note/add", "payload": ["_0": "new"]])
    try fork.save(to: folder.path("fork.jsonl"), log: "fork")
    let saved = Timeline(try LogFile.open(folder.path("fork.jsonl")))
    #expect(try app.verify(saved).verdict == .passed)
    #expect(try saved.step(at: 1).randomStep == 3)
    // Its bad twin: without the numbers, the ids differ.
    let text = try folder.text(of: "fork.jsonl").replacing(/,"random":\d+/, with: "")
      .replacing(/,"sum":"[0-9a-f]{8}"/, with: "")
    try folder.write(text.utf8, to: "bad.jsonl")
    let bad = Timeline(try LogFile.open(folder.path("bad.jsonl")))
    #expect(try app.verify(bad).verdict == .diverged)
    // A new action after its end draws what none of its steps has drawn.
    let end = try Fork(at: saved.end, of: saved, in: app)
    try end.dispatch(["type": "note/add", "payload": ["_0": "newer"]])
    let ids = end.model["note"]?.elements.compactMap { $0["id"]?.string } ?? []
    #expect(ids.count == 5 && Set(ids).count == 5)
    // A fork of the saved fork repeats its steps with the same numbers.
    let again = try Fork.redispatching(1..<5, of: saved, in: app, skipping: [3])
    #expect(again.steps.map(\.randomStep) == [3, 5, 6])
  }
}
