public import FluxJSON
import FluxLog

/// An action to take after a divergence.
///
/// A front-end words it. ``command`` is the wording of an inspector's session, and reports for
/// people have lines for a shell.
public enum NextStep: Sendable, Equatable {
  /// Go to the step.
  case open(step: UInt64)
  /// Show the changes that the recorded step made.
  case showDifference
  /// Find the steps that wrote a value.
  case blame(Pointer)
  /// Show the step's action.
  case showAction
  /// Show a store's state after the step.
  case showState(store: String)
  /// List the action types of the log.
  case listTypes
  /// Show the chain of causes of the step.
  case showCauses
  /// Fork before the first step of a range, which ends with the step that diverged.
  case fork(redispatching: ClosedRange<UInt64>)
}

extension NextStep {
  /// The inspector's command, for a session at the step that diverged.
  public var command: String {
    switch self {
    case .open(let step): "goto \(step)"
    case .showDifference: "diff"
    case .blame(let path): "blame \(path)"
    case .showAction: "action"
    case .showState(let store): "state \(store)"
    case .listTypes: "types"
    case .showCauses: "where"
    case .fork(let steps):
      steps.count == 1 ? "fork -1" : "fork \(steps.lowerBound - 1)"
    }
  }

  /// `true` if the inspector reads ``command`` as it is meant.
  ///
  /// Paths and stores come from the log. The inspector would read a `|` or `>` in one of them as the start of
  /// a shell command or the name of a file, so a step with such a name is not suggested.
  var isSafe: Bool {
    switch self {
    case .blame(let path): Self.isPlain(path.description)
    case .showState(let store): Self.isPlain(store)
    default: true
    }
  }

  private static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "/", "_", "-", ".", "~", "@", "+", ":": true
      default: scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      }
    }
  }
}

extension NextStep: Encodable {
  /// Encodes the inspector's command.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(command)
  }
}

extension Divergence {
  /// The actions to take after it; the first one goes to the step.
  public var next: [NextStep] {
    var steps: [NextStep] =
      switch kind {
      case .different: [.showDifference] + (path.map { [.blame($0)] } ?? [])
      case .rejected, .accepted: [.showAction] + (store.map { [.showState(store: $0)] } ?? [])
      case .undecodable: [.showAction, .listTypes]
      case .missing, .extra, .followUp: [.showCauses, .showAction]
      }
    steps.insert(.open(step: step), at: 0)
    // A fork could not dispatch an action that the app cannot decode.
    if kind != .undecodable { steps.append(.fork(redispatching: first...step)) }
    return steps.filter(\.isSafe)
  }

  /// The step to begin a replay at that shows the divergence: for a recorded follow-up, its cause.
  private var first: UInt64 {
    switch kind {
    case .missing, .followUp: chain.dropFirst().first.map { min($0.number, step) } ?? step
    case .different, .rejected, .accepted, .undecodable, .extra: step
    }
  }
}
