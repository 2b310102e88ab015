import FluxCore
import FluxJSON
import FluxReplay

/// An initial state and a reducer.
struct ReducerProgram<State, Action>: AppProgram {
  let parts: [StatePart<State>]
  let actions: [ActionType<Action>]
  let initial: @Sendable () -> State
  let reduce: @Sendable (inout State, Action, inout StepInputs) throws -> Void

  func describe(in description: inout AppDescription) {
    description.stores = parts.map {
      AppDescription.Store(name: $0.name, type: $0.type, isFeature: $0.isFeature)
    }
    description.actionTypes = actions.map(\.kind).sorted()
    description.tells = [.messages]
    description.reducers = .plain
  }

  func start(
    _ start: SessionStart, _ evolution: Evolution
  ) throws(ReplayFailure) -> any ReplaySession {
    let kinds = actions.map(\.kind).sorted()
    if let twice = zip(kinds, kinds.dropFirst()).first(where: { $0 == $1 })?.0 {
      throw ReplayFailure(
        .cannotStart(
          why: """
            two of its types of actions are called \(twice) in a log, so neither can be told from the \
            other; rename one, or make it a FluxCore.Action that declares another kind
            """))
    }
    return try ReducerSession(self, evolution, start)
  }

  func source(of actions: [JSON], _ evolution: Evolution) -> AppSource {
    AppSource(actions.map { _ in nil }, modules: SwiftExpression.modules(of: [initial()]))
  }
}

/// A type of the actions of a reducer.
struct ActionType<Action>: Sendable {
  /// The name of the type in the log; cases follow it after a slash.
  let kind: String
  private let type: any (Decodable & SendableMetatype).Type

  init(_ type: any (Decodable & SendableMetatype).Type) {
    kind =
      (type as? any FluxCore.Action.Type)?.kind ?? typeName(of: type, droppingSuffix: "Action")
    self.type = type
  }

  func decode(_ cases: String?, _ payload: JSON?) throws -> Action {
    // The compiler does not open a type with a marker protocol.
    let type: any Decodable.Type = type
    let value = try ActionCoder.decode(type, cases, payload, by: .replaying)
    guard let action = value as? Action else {
      let why = "\(type) is listed in the actions of the app, and is not its \(Action.self)"
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: why))
    }
    return action
  }
}
