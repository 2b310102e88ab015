public import FluxJSON

/// A difference between a recording and its replay.
public struct Divergence: Sendable, Equatable {
  /// The ways in which a step can diverge.
  public enum Kind: String, Sendable, CaseIterable {
    /// The app begins in another state; its step is the one before the first.
    case initial
    /// It leads to a different state.
    case different
    /// It was accepted, and the app rejects it now.
    case rejected
    /// It was rejected, and the app accepts it now.
    case accepted
    /// The app rejects it for a different reason, or another store does.
    case reason
    /// A reducer refuses it with a different message.
    case message
    /// The app cannot decode its action.
    case undecodable
    /// It is a follow-up that its cause no longer dispatches.
    case missing
    /// It dispatches a follow-up that the recording does not have.
    case extra
    /// It is a follow-up, and its cause dispatches another action, or to another store.
    case followUp
    /// It no longer starts or cancels an effect.
    case effectMissing = "effect-missing"
    /// It starts or cancels an effect that the recording does not have.
    case effectExtra = "effect-extra"
  }

  /// The two sides of a comparison.
  public enum Comparison: String, Sendable {
    /// The recording and its replay.
    case record
    /// Two replays: a difference depends on something that the recording does not contain.
    case replays

    /// The names of the two sides, for people.
    package var sides: [String] {
      self == .record ? ["recorded", "replayed"] : ["run 1", "run 2"]
    }
  }

  /// A step in the chain of causes.
  public struct Link: Sendable, Equatable {
    /// The number of the step.
    public var number: UInt64
    /// The type of its action.
    public var type: String

    package init(number: UInt64, type: String) { (self.number, self.type) = (number, type) }
  }

  /// The way in which the step diverges.
  public var kind: Kind
  /// The two sides that were compared.
  public var comparison: Comparison
  /// The number of the step; for the initial states, that before the first step.
  public var step: UInt64
  /// The line of the step in the log, counted from 1; for the initial states, that of the header.
  public var line: Int?
  /// The step's recorded action; null for the initial states.
  public var action: JSON
  /// The store, by its name in the log.
  public var store: String?
  /// The first place that differs, from the model `{store: state}`.
  public var path: Pointer?
  /// The recorded value, or that of the first of two replays; nil if there is none.
  public var recorded: JSON?
  /// The replayed value, or that of the second replay; nil if there is none.
  public var replayed: JSON?
  /// `true` if the value at the path is redacted, so that only its presence was compared.
  public var isRedacted = false
  /// The number of further places of the store that differ at this step.
  public var others = 0
  /// The step and its causes, up to the root action.
  public var chain: [Link] = []
  /// The likely reason; nil if nothing specific is known.
  public var reason: String?

  /// The earlier step that diverged and from which this divergence follows, as a replay of its step alone has shown; nil for
  /// one that does not follow from another.
  package var follows: UInt64?

  /// An earlier step that diverged, and from which this divergence may follow; nil if there is none.
  var suspect: UInt64?
  /// A reason that the two values suggest, and that has to be tested; nil if there is none.
  var hint: Hint?

  package init(
    _ kind: Kind, step: UInt64, action: JSON, comparison: Comparison = .record,
    recorded: JSON? = nil, replayed: JSON? = nil
  ) {
    (self.kind, self.comparison, self.step, self.action) = (kind, comparison, step, action)
    (self.recorded, self.replayed) = (recorded, replayed)
  }
}

extension Divergence: Encodable {
  private enum CodingKeys: CodingKey {
    case step, line, kind, between, store, path, recorded, replayed, redacted, others, action, chain
    case reason
    case next
  }

  /// Encodes the divergence.
  ///
  /// `{"step","kind","store"?,"path"?,"recorded"?,"replayed"?,"action"?,"chain":[{"n","type"}],
  /// "reason"?,"next":[command]}`, and if they apply `"line"`, `"redacted":true` if only the presence of the
  /// value was compared, `"others"`, the number of further places in that store, and `"between":"replays"`. A value that nests
  /// too deeply for a report is given as text.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(step, forKey: .step)
    try members.encodeIfPresent(line, forKey: .line)
    try members.encode(kind.rawValue, forKey: .kind)
    if comparison != .record { try members.encode(comparison.rawValue, forKey: .between) }
    try members.encodeIfPresent(store, forKey: .store)
    try members.encodeIfPresent(path?.description, forKey: .path)
    try members.encodeIfPresent(recorded.map(Excerpt.shallow), forKey: .recorded)
    try members.encodeIfPresent(replayed.map(Excerpt.shallow), forKey: .replayed)
    if isRedacted { try members.encode(true, forKey: .redacted) }
    if others > 0 { try members.encode(others, forKey: .others) }
    if kind != .initial { try members.encode(Excerpt.shallow(action), forKey: .action) }
    try members.encode(chain, forKey: .chain)
    try members.encodeIfPresent(reason, forKey: .reason)
    try members.encode(next, forKey: .next)
  }
}

extension Divergence.Link: Encodable {
  private enum CodingKeys: String, CodingKey { case number = "n", type }
}

/// An action to take after a divergence.
///
/// Each front end chooses its own wording. ``command`` is the session's wording, and the reports of subcommands print shell
/// commands.
public enum NextStep: Sendable, Equatable {
  /// Go to the step.
  case open(step: UInt64)
  /// Go to the start, before the first step.
  case openStart
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
  /// Fork before the first step of a range, which ends with the step that diverged; dispatch the range again there if it has
  /// more steps.
  case fork(redispatching: ClosedRange<UInt64>)
}

extension NextStep {
  /// The inspector's command, for a session at the step that diverged.
  public var command: String {
    switch self {
    case .open(let step): "goto \(step)"
    case .openStart: "goto start"
    case .showDifference: "diff"
    case .blame(let path): "blame \(path)"
    case .showAction: "action"
    case .showState(let store): "state \(store)"
    case .listTypes: "types"
    case .showCauses: "where"
    case .fork(let steps):
      // A position names no model to which the app went back right before the range.
      steps.count == 1 ? "fork -1" : "redispatch \(steps.lowerBound)..\(steps.upperBound)"
    }
  }

  /// The command for people, which shows what the app does now: a fork dispatches a single step again, too.
  var dispatchingCommand: String {
    guard case .fork(let steps) = self, steps.count == 1 else { return command }
    return "redispatch \(steps.lowerBound)"
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
      case .initial: store.map { [.showState(store: $0)] } ?? []
      case .different: [.showDifference] + (writtenPlace.map { [.blame($0)] } ?? [])
      case .rejected, .accepted, .reason, .message:
        [.showAction] + (store.map { [.showState(store: $0)] } ?? [])
      case .undecodable: [.showAction, .listTypes]
      case .missing, .extra, .followUp: [.showCauses, .showAction]
      case .effectMissing, .effectExtra: [.showAction]
      }
    steps.insert(kind == .initial ? .openStart : .open(step: step), at: 0)
    // A fork could not dispatch an action that the app cannot decode, and there is none at the start.
    if kind != .undecodable, kind != .initial { steps.append(.fork(redispatching: first...step)) }
    return steps.filter(\.isSafe)
  }

  /// The place that differs, or the one around it if the log has no value there; nil if that is the model.
  private var writtenPlace: Pointer? {
    guard let path, recorded == nil || (comparison == .replays && replayed == nil) else {
      return path
    }
    return path.tokens.count > 1 ? Pointer(tokens: path.tokens.dropLast()) : nil
  }

  /// `true` if the app dispatches other follow-ups than the recording has.
  package var changesActions: Bool { [.missing, .extra, .followUp].contains(kind) }

  /// The step to begin a replay at that shows the divergence: for a recorded follow-up, its cause.
  var first: UInt64 {
    switch kind {
    case .missing, .followUp: chain.dropFirst().first.map { min($0.number, step) } ?? step
    case .initial, .different, .rejected, .accepted, .reason, .message, .undecodable, .extra,
      .effectMissing, .effectExtra:
      step
    }
  }
}
