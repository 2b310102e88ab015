import FluxCore
import Foundation
import Observation
import Testing

/// The code of the page "Coming from TCA".
@Suite struct ComingFromTCATests {
  struct Note: StateValue, Identifiable {
    let id: UUID
    let created: Date
    var text: String
  }

  struct Notes: StateValue {
    var items: Keyed<Note> = []
    var draft = ""
    var suggestions: [String] = []
    var color = 0
  }

  enum NoteAction: Action, Equatable {
    case setDraft(String)
    case suggested([String])
    case save
    case saved(UUID)
    case clear
    case item(id: UUID, ItemAction)
  }

  enum ItemAction: Action, Equatable { case append(String) }

  struct ItemStore: Store {
    let initialState = ""

    func reduce(_ text: inout String, _ action: ItemAction, _ step: inout Step) {
      if case .append(let suffix) = action { text += suffix }
    }
  }

  struct NotesClient: Sendable {
    let suggest: @Sendable (_ text: String) async throws -> [String]
    let upload: @Sendable (Note) async -> Void
  }

  struct NoteStore: Store {
    let client: NotesClient
    let initialState = Notes()

    func reduce(_ notes: inout Notes, _ action: NoteAction, _ step: inout Step) throws {
      switch action {
      case .setDraft(let text):
        notes.draft = text
        step.effect(
          "suggest", .replacing(after: .milliseconds(300)),
          then: NoteAction.suggested, catch: { _ in .suggested([]) }
        ) { [client] in
          try await client.suggest(text)
        }
      case .suggested(let suggestions):
        notes.suggestions = suggestions
      case .save:
        let note = Note(id: step.uuid(), created: step.now, text: notes.draft)
        notes.color = Int.random(in: 0..<8, using: &step.random)
        notes.items.append(note)
        step.effect("upload", .serial) { [client] send in
          await client.upload(note)
          send(NoteAction.saved(note.id))
        }
        step.dispatch(NoteAction.clear)
      case .saved: break
      case .clear:
        notes.draft = ""
        step.cancel("suggest")
      case .item(let id, let action):
        try step.forEach(\.items, of: &notes, id, action, as: NoteAction.item) {
          note, action, step in
          ItemStore().reduce(&note.text, action, &step)
        }
      }
    }
  }

  /// The number of notes to upload, like a TCA parent that handles its children's actions.
  struct UploadStore: Projection {
    let initialState = 0
    var reactions: [Reaction<Int>] {
      [
        .on(NoteAction.self) { waiting, action, step in
          if case .save = action { waiting += 1 }
          if case .saved = action { waiting -= 1 }
        }
      ]
    }
  }

  struct Alert: Feature {
    enum Phase: StateValue { case showing(String) }
    enum Action: FluxCore.Action { case present(String), dismiss }

    func reduce(_ alert: inout Phase?, _ action: Action, _ step: inout Step) throws {
      switch (alert, action) {
      case (nil, .present(let text)): alert = .showing(text)
      case (.some, .dismiss): alert = nil
      default: throw Rejection.impossible
      }
    }
  }

  struct Root: StateValue {
    var title = ""
  }

  struct RootStore: Projection {
    let initialState = Root()
    var reactions: [Reaction<Root>] { [.child(\.title, ItemStore())] }
  }

  struct Printer: Middleware {
    let print: @Sendable (String) -> Void

    func didDispatch(_ step: CompletedStep) {
      print("\(step.envelope.source): \(step.envelope.action) changed \(step.changed)")
    }
  }

  let clock = ManualClock()
  let client = NotesClient(suggest: { text in ["\(text)!"] }, upload: { _ in })

  @Test("its store, its effects and its dependencies")
  func effects() async {
    let dispatcher = Dispatcher([NoteStore(client: client), UploadStore()], clock: clock)
    let store = dispatcher.store(NoteStore.self)
    store.dispatch(.setDraft("mil"))
    store.dispatch(.setDraft("milk"))
    await clock.sleeper()
    clock.advance(by: .milliseconds(300))
    _ = await store.states().first { $0.suggestions == ["milk!"] }
    let outcome = store.dispatch(.save)
    #expect(outcome.effects == ["upload"])
    #expect(outcome.followUps.first?.action as? NoteAction == .clear)
    #expect(store.draft == "")
    _ = await dispatcher.store(UploadStore.self).states().first { $0 == 0 }
    await store.run(.item(id: store.items[0].id, .append(" and bread")))
    #expect(store.items[0].text == "milk and bread")
    let note = store.child(\.items, id: store.items[0].id)
    #expect(note.text == "milk and bread")
  }

  @Test("its tests, with given time and randomness and without effects")
  func test() {
    let noon = Date(timeIntervalSinceReferenceDate: 43_200)
    let store = Dispatcher(
      [NoteStore(client: client)], mode: .simulate, seed: 42, clock: clock, now: { noon }
    ).store(NoteStore.self)
    store.dispatch(.save)
    #expect(store.items.map(\.created) == [noon])
    let again = Dispatcher([NoteStore(client: client)], mode: .simulate, seed: 42, now: { noon })
    again.dispatch(NoteAction.save)
    #expect(again[NoteStore.self] == store.state)
  }

  @Test("its presentation, scopes and bindings")
  func scopes() {
    let log = Recorded<String>()
    let dispatcher = Dispatcher([Alert(), RootStore(), NoteStore(client: client)], clock: clock)
    dispatcher.use(Printer { log.append($0) })
    dispatcher.dispatch(Alert.Action.present("Saved"))
    #expect(dispatcher[Alert.self] == .showing("Saved"))
    dispatcher.dispatch(Alert.Action.dismiss)
    #expect(dispatcher[Alert.self] == nil)
    let title = dispatcher.store(RootStore.self).child(\.title)
    dispatcher.dispatch(ItemAction.append("Notes"))
    #expect(title.state == "Notes")
    let draft = dispatcher.store(NoteStore.self).binding(\.draft, NoteAction.setDraft)
    draft.value = "milk"
    #expect(draft.value == "milk")
    #expect(log.all.count == 4)
    #expect(log.all[0].hasPrefix("FluxCoreTests/ComingFromTCATests.swift:"))
    #expect(log.all[0].hasSuffix(": present(\"Saved\") changed [alert]"))
  }

  @Test("its observation by views")
  @MainActor
  func views() async {
    let store = Dispatcher([NoteStore(client: client)], clock: clock).store(NoteStore.self)
    let draft = store.observed(\.draft)
    store.dispatch(.setDraft("milk"))
    #expect(draft.value == "milk")
  }

  @MainActor @Observable final class NotesModel {
    private(set) var count = 0

    init(_ dispatcher: Dispatcher) {
      dispatcher.store(NoteStore.self).bind(\.count, of: self, to: \.items.count)
    }
  }

  @Test("its views of several features, and its view models")
  @MainActor
  func severalFeatures() {
    let dispatcher = Dispatcher([NoteStore(client: client), UploadStore()], mode: .simulate)
    let summary = dispatcher.observed {
      "\($0[NoteStore.self].items.count) notes, \($0[UploadStore.self]) waiting"
    }
    let notes = NotesModel(dispatcher)
    dispatcher.dispatch(NoteAction.save)
    #expect(summary.value == "1 notes, 1 waiting")
    #expect(notes.count == 1)
  }
}
