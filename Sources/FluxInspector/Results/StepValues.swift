public import FluxJSON
public import FluxLog
import FluxSystem

/// The number of a step; -1 stands for the state before a step 0.
public struct StepNumber: Sendable, Hashable, Encodable, CustomStringConvertible {
  /// The number; nil before a step 0.
  public let value: UInt64?

  /// Makes a number.
  public init(_ value: UInt64?) { self.value = value }

  /// The digits, `-1` before a step 0.
  public var description: String { value.map(String.init) ?? "-1" }

  /// Encodes the number, or -1.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encode(-1) }
  }
}

/// A time since the recording began, written as seconds without trailing zeros.
public struct Seconds: Sendable, Hashable, Encodable, CustomStringConvertible {
  /// The time.
  public let time: LogTime

  /// Wraps a time.
  public init(_ time: LogTime) { self.time = time }

  /// The seconds: `1.25`, `3`.
  public var description: String {
    var text = time.description[...]
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return String(text)
  }

  /// Encodes a number with these digits.
  public func encode(to encoder: any Encoder) throws {
    try JSON(writing: { $0.raw(description.utf8) }).encode(to: encoder)
  }
}

/// A step in a list: `{"n","t","type","changed","unwritten"?,"notRecorded"?,"rejected"?}`.
public struct StepSummary: Sendable, Encodable {
  private enum CodingKeys: String, CodingKey {
    case number = "n", t, type, changed, unwritten, notRecorded, rejected
  }

  /// The number of the step.
  public let number: UInt64
  /// The time of its dispatch.
  public let t: Seconds
  /// The type of its action.
  public let type: String
  /// The stores that it changed.
  public let changed: [String]
  /// Those whose new states are not in the log; nil if all are.
  public let unwritten: [String]?
  /// The stores that it may have changed as well, because the log was imported without their states; nil if there are none.
  public let notRecorded: [String]?
  /// The reason why it did not commit.
  public let rejected: LogRejection?
  /// The payload of its action; not encoded.
  public let payload: JSON?
  /// The step that caused it; not encoded.
  public let cause: UInt64?
  /// The step as one of a chain of causes; not encoded.
  package let link: ChainLink

  /// Reads the step at a position.
  package init(at position: Int, in timeline: Timeline) throws(LogError) {
    let step = try timeline.log.step(at: position)
    number = step.number
    t = Seconds(step.time)
    type = step.type
    changed = try timeline.changedStores(at: position)
    unwritten = step.unwritten.isEmpty ? nil : step.unwritten
    let unrecorded = try timeline.unrecordedStores(at: position)
    notRecorded = unrecorded.isEmpty ? nil : unrecorded
    rejected = step.rejection
    payload = step.payload
    cause = step.cause
    link = ChainLink(step, at: .recording(position))
  }

  /// Returns the stores that a step changed or may have changed as a list, such as `todos, search (not written)`; empty if
  /// there are none.
  package static func stores(
    _ changed: [String], _ unwritten: [String]? = nil, _ unrecorded: [String]? = nil
  ) -> String {
    let stores = changed.map {
      unwritten?.contains(exactly: $0) == true ? "\($0) (not written)" : $0
    }
    guard let unrecorded, !unrecorded.isEmpty else { return stores.joined(separator: ", ") }
    guard !stores.isEmpty else { return "not recorded" }
    return (stores + unrecorded.map { "\($0) (not recorded)" }).joined(separator: ", ")
  }
}

/// A step of `list`, with what stands between it and the step before.
public struct ListedStep: Sendable, Encodable {
  /// The step.
  public let step: StepSummary
  /// `true` if the session is at this step.
  public internal(set) var isHere = false
  /// Gaps, damage and marks between this step and the one before, as sentences.
  public internal(set) var remarks: [String] = []

  /// Encodes the step alone.
  public func encode(to encoder: any Encoder) throws { try step.encode(to: encoder) }
}

/// The end of a list: nothing in JSON, remarks behind the last step of the log for people.
public struct ListEnd: Sendable, Encodable {
  private enum CodingKeys: CodingKey {}

  /// Gaps, damage, marks and actions in flight behind the last step, as sentences.
  public let remarks: [String]
}

/// A note that the app made: `{"mark","t","after"}`.
public struct MarkEntry: Sendable, Encodable {
  private enum CodingKeys: String, CodingKey {
    case text = "mark", t, after
  }

  /// The text of the note.
  public let text: String
  /// The time of the note.
  public let t: Seconds
  /// The number of the last step before it.
  public let after: StepNumber
  /// The type of the action of that step, not encoded; nil before the first step.
  public let type: String?
}

/// The notes that the app made, oldest first.
public typealias MarkList = Rows<NoMembers, MarkEntry, NoMembers>

/// The steps of a range, oldest first.
public typealias StepList = Rows<NoMembers, ListedStep, ListEnd>

/// The end of a search: the number of steps that could not be evaluated, if there are any.
public struct SearchEnd: Sendable, Encodable {
  private enum CodingKeys: String, CodingKey { case unknownSteps = "unknown" }

  /// The number of steps that could not be evaluated, because a state they depend on is unknown; nil if there are none.
  public let unknownSteps: Int?

  /// The sentence about steps that a search cannot evaluate.
  package static func sentence(onUnknownSteps count: Int) -> String {
    "\(count.counted("step")) cannot be judged: a state that decides is unknown there"
  }
}

/// The steps that match a filter, oldest first.
public typealias FoundSteps = Rows<NoMembers, StepSummary, SearchEnd>

/// The number of matching steps: `{"count":7}`.
public struct StepCount: CommandResult, Equatable {
  private enum CodingKeys: String, CodingKey { case count, unknownSteps = "unknown" }

  /// The number of steps that match.
  public let count: Int
  /// The number of steps at which a state that decides is unknown; nil if all could be evaluated.
  public let unknownSteps: Int?
  /// A suggestion if no action has the type that was asked for.
  public var notes: [Note] = []
}

/// A step and its type in a chain of causes.
public struct ChainLink: Sendable, Encodable {
  private enum CodingKeys: String, CodingKey { case number = "n", type, source = "at" }

  /// The number of the step.
  public let number: UInt64
  /// The type of its action.
  public let type: String
  /// The payload of its action; not encoded.
  public let payload: JSON?
  /// The name of the effect that dispatched it; not encoded.
  public let effect: String?
  /// The source line that dispatched it, as `Module/File.swift:line`; nil if it was not recorded.
  public let source: String?
  /// The time of its dispatch; not encoded.
  public let t: Seconds

  /// The place of the step; not encoded.
  public let place: Place

  /// Takes a step of the log or of a fork.
  package init(_ step: LogStep, at place: Place) {
    self.place = place
    (number, type, payload) = (step.number, step.type, step.payload)
    (effect, source, t) = (step.effect, step.source, Seconds(step.time))
  }
}

/// The end of a chain of causes: nothing in JSON.
public struct ChainEnd: Sendable, Encodable {
  private enum CodingKeys: CodingKey {}

  /// The cause of the last link if it is not in the log.
  public let missingCause: UInt64?
}

/// The steps that led to a step, itself first, its root action last: `{"chain":[{"n","type","at"?}]}`.
public typealias Chain = Rows<NoMembers, ChainLink, ChainEnd>

/// An action, its origin and its effects: `{"action","target"?,"cause"?,"effect"?,"from"?,"effects"?,"at"?,"x"?}`.
public struct ActionReport: CommandResult {
  private enum CodingKeys: String, CodingKey {
    case action, target, cause, effect, from, effects, source = "at", external = "x"
    case isReflected = "reflected"
  }

  /// The action.
  public let action: JSON
  /// The store that it was addressed to.
  public let target: String?
  /// The step that caused it.
  public let cause: UInt64?
  /// The name of the effect that dispatched it.
  public let effect: String?
  /// `observer` if an observer or a middleware dispatched it during its cause, otherwise nil.
  public let from: String?
  /// The effects that it asked for, as in a line of the log; nil if there are none.
  public let effects: JSON?
  /// The source line that dispatched it.
  public let source: String?
  /// Circumstances from elsewhere, such as the ids that an importer found.
  public let external: JSON?
  /// `true` if the action was recorded by reflection and cannot be dispatched again, otherwise nil.
  public var isReflected: Bool?
}
