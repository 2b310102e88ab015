import FluxCore
import FluxJSON
import FluxLog
import FluxReplay
import Foundation

/// A session of a reducer: a state, to which it applies one action after the other.
final class ReducerSession<State, Action>: ReplaySession {
  private let program: ReducerProgram<State, Action>
  private let evolution: Evolution
  private let start: SessionStart
  private let types: [String: ActionType<Action>]
  private var state: State
  /// The encoded parts of the state, in the order of the program's parts; nil for an absent one.
  private var parts: [JSON?]
  private var next: UInt64
  private var isOver = false

  init(
    _ program: ReducerProgram<State, Action>, _ evolution: Evolution, _ start: SessionStart
  ) throws(ReplayFailure) {
    self.program = program
    self.evolution = evolution
    self.start = start
    types = Dictionary(program.actions.map { ($0.kind, $0) }, uniquingKeysWith: { $1 })
    next = start.next
    var state = program.initial()
    if let restored = RestoredStates(start, evolution) {
      for part in program.parts {
        restored.state(of: part.name, isFeature: part.isFeature) { try part.decode(&state, $0) }
      }
      let problems = restored.problems
      guard problems.isEmpty else { throw ReplayFailure(.statesNotRestorable(problems)) }
    }
    self.state = state
    parts = try Self.encoded(state, program.parts, step: nil)
  }

  private static func encoded(
    _ state: State, _ parts: [StatePart<State>], step: UInt64?
  ) throws(ReplayFailure) -> [JSON?] {
    try parts.map { store throws(ReplayFailure) in
      try ReplayFailure.encoding("the state of \(store.name)", step: step) {
        try store.encode(state)
      }
    }
  }

  func dispatch(_ actions: [ReplayAction]) throws(ReplayFailure) -> [ReplayedStep] {
    guard !isOver else { throw ReplayFailure(.ended) }
    return try actions.map { action throws(ReplayFailure) in try dispatch(action) }
  }

  private func dispatch(_ action: ReplayAction) throws(ReplayFailure) -> ReplayedStep {
    let number = start.mode == .replay ? action.number ?? next : next
    var step = ReplayedStep(number: number, time: action.time)
    let decoded: Action
    do {
      let today = try evolution.action(action.action)
      decoded = try decode(today ?? action.action)
      step.action = today
    } catch {
      step.outcome = .undecodable("\(error)")
      step.redacted = (error as? ActionCodingError)?.redacted
      return step
    }
    next = number &+ 1
    var inputs = StepInputs(
      seed: start.seed, number: number, now: Date(start.created, plus: action.time))
    if let other = action.randomStep { inputs.random = SplitMix64(seed: start.seed, step: other) }
    var proposal = state
    do {
      try program.reduce(&proposal, decoded, &inputs)
    } catch {
      let message = Rejection.message(of: error)
      step.outcome = .rejected(LogRejection(reason: "refused", message: message))
      return step
    }
    let new = try Self.encoded(proposal, program.parts, step: number)
    for (place, store) in program.parts.enumerated() where new[place] != parts[place] {
      step.changes.append(ReplayedStep.Change(store: store.name, state: new[place]))
    }
    (state, parts) = (proposal, new)
    return step
  }

  private func decode(_ json: JSON) throws(ActionCodingError) -> Action {
    let name = try ActionCoder.name(of: json)
    guard let found = ActionCoder.lookUp(name, in: types) else {
      throw ActionCodingError(type: name, reason: .unknownType(known: types.keys.sorted()))
    }
    do {
      return try found.type.decode(found.caseName, json["payload"])
    } catch {
      throw ActionCodingError(type: name, isCase: found.caseName != nil, json["payload"], error)
    }
  }

  func states() throws(ReplayFailure) -> StoreDictionary<JSON> {
    guard !isOver else { throw ReplayFailure(.ended) }
    var states: StoreDictionary<JSON> = [:]
    for (store, part) in zip(program.parts, parts) { states[store.name] = part }
    return states
  }

  func upcast(_ states: [RecordedState]) throws(ReplayFailure) -> [JSON] {
    try evolution.upcast(states)
  }

  func end() {
    isOver = true
  }
}
