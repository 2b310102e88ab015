import FluxCore
import FluxLog
import FluxRecorder
import Foundation

/// The context of the page "Recording any reducer": a recorder, and the essentials of ReSwift 6 and of the Composable
/// Architecture, with their types.
struct RecordingAnyReducerContext {
  protocol Action {}
  typealias DispatchFunction = (any Action) -> Void
  typealias Middleware<State> = (@escaping DispatchFunction, @escaping () -> State?) -> (
    @escaping DispatchFunction
  ) -> DispatchFunction

  typealias Reducer<State> = (_ action: any Action, _ state: State?) -> State

  final class Store<State> {
    init(reducer: @escaping Reducer<State>, state: State?, middleware: [Middleware<State>]) {}
  }

  enum Effect<Action> { case none }

  struct Reduce<State, Action> {
    let reduce: (inout State, Action) -> Effect<Action>

    init(_ reduce: @escaping (inout State, Action) -> Effect<Action>) { self.reduce = reduce }
  }

  struct Search {
    struct State: Encodable, Sendable { var query = "" }
    enum Action: Encodable, Sendable { case queryChanged(String) }

    func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
  }

  struct AppState: Encodable, Sendable {}

  let url: URL
  let recorder: Recorder
  @Given var options: Recorder.Options
  let action: NotesAction
  @Given var notes: [Note]
  @Given var state: AppState
  let reducer: Reducer<AppState>

  func reducer(_ state: AppState, _ action: NotesAction) -> AppState { state }
}

/// The README records an app with a reducer of its own as that page does.
typealias READMEContext = RecordingAnyReducerContext

/// The context of the documentation of `AppDefinition`: an app with one reducer for all of its actions.
struct AppDefinitionContext {
  let makeStores: @Sendable () -> [any Store]
  let log: LogFile

  struct Notes: Codable, Sendable { var texts: [String] = [] }
  enum NoteAction: Codable, Sendable { case add(String) }

  struct User: Codable, Sendable { var name: String }
  struct AppState: Codable, Sendable {
    var notes = Notes()
    var user: User?
  }

  protocol AppAction: Codable, Sendable {}
  struct AddNote: AppAction { let text: String }
  struct SignIn: AppAction { let name: String }
}

func reduce(
  _ notes: inout AppDefinitionContext.Notes, _ action: AppDefinitionContext.NoteAction,
  _ inputs: inout StepInputs
) {}

func reducer(
  _ state: AppDefinitionContext.AppState, _ action: any AppDefinitionContext.AppAction
) -> AppDefinitionContext.AppState { state }

/// The context of the documentation of `StepInputs`.
struct StepInputsContext {
  struct Note { let id: UUID, text: String, created: Date }
  struct Notes { var notes: [Note] = [] }
  enum NoteAction { case add(String) }
}
