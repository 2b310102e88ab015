public import FluxLog

/// One way in which a replay differs from the record.
public struct Divergence: Sendable, Equatable {
  /// The ways in which a step can differ.
  public enum Kind: String, Sendable, CaseIterable {
    /// It leads to another state.
    case different
    /// It is rejected now, or for another reason.
    case rejected
    /// It was rejected, and is no longer.
    case accepted
    /// Its action cannot be read any more.
    case undecodable
    /// It follows up a step which does not ask for it any more.
    case missing
    /// It asks for a follow-up that the record does not have.
    case extra
    /// It follows up a step which asks for another action, or for another store.
    case followUp
  }

  /// What is compared.
  public enum Comparison: String, Sendable {
    /// The record with its replay.
    case record
    /// Two replays with each other: what differs depends on something that is not recorded.
    case replays
  }

  /// A step in the chain of causes.
  public struct Link: Sendable, Equatable {
    /// The number of the step.
    public var number: UInt64
    /// The type of its action.
    public var type: String

    /// Makes a link.
    public init(number: UInt64, type: String) {
      self.number = number
      self.type = type
    }
  }

  /// How it differs.
  public var kind: Kind
  /// What is compared.
  public var comparison: Comparison
  /// The number of the step.
  public var step: UInt64
  /// The line of the step in the log, counted from 1.
  public var line: Int?
  /// The step's action, as it is recorded.
  public var action: JSON
  /// The store, by its name in the log.
  public var store: String?
  /// The first place that differs, from the model `{store: state}`.
  public var path: Pointer?
  /// What the record has there, or the first of two replays; nil for nothing.
  public var recorded: JSON?
  /// What the replay has there, or the second of two; nil for nothing.
  public var replayed: JSON?
  /// How many more places of the store differ at this step.
  public var others: Int
  /// The step and what led to it, up to the action that came from outside.
  public var chain: [Link]
  /// Why it differs, in all likelihood.
  public var reason: String?

  /// Makes a divergence; what else there is to say is set afterwards.
  public init(
    _ kind: Kind, step: UInt64, action: JSON, comparison: Comparison = .record,
    recorded: JSON? = nil, replayed: JSON? = nil
  ) {
    self.kind = kind
    self.comparison = comparison
    self.step = step
    self.action = action
    self.recorded = recorded
    self.replayed = replayed
    others = 0
    chain = []
  }
}

extension Divergence {
  /// The commands to go on with, for the inspector.
  public var next: [String] {
    let look: [String] =
      switch kind {
      case .different: ["diff"] + (path.map { ["blame \($0)"] } ?? [])
      case .rejected, .accepted: ["action"] + (store.map { ["state \($0)"] } ?? [])
      case .undecodable: ["action", "types"]
      case .missing, .extra, .followUp: ["where", "action"]
      }
    return ["goto \(step)"] + look + ["fork -1"]
  }

  /// The divergence as the inspector prints it.
  ///
  /// `{"step","kind","store"?,"path"?,"recorded"?,"replayed"?,"action","chain":[{"n","type"}],
  /// "reason"?,"next":[…]}`, and where they say something `"line"`, `"others"`, the number of further
  /// places in that store, and `"between":"replays"`. A value that nests so deep that it would not
  /// fit into a report is given as text.
  public var json: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.member("step", step)
      writer.member("line", line.map { UInt64($0) })
      writer.member("kind", kind.rawValue)
      if comparison != .record { writer.member("between", comparison.rawValue) }
      writer.member("store", store)
      writer.member("path", path?.description)
      writer.member("recorded", recorded.map(Excerpt.shallow))
      writer.member("replayed", replayed.map(Excerpt.shallow))
      if others > 0 { writer.member("others", UInt64(others)) }
      writer.member("action", Excerpt.shallow(action))
      writer.name("chain")
      writer.beginArray()
      for link in chain {
        writer.beginObject()
        writer.member("n", link.number)
        writer.member("type", link.type)
        writer.endObject()
      }
      writer.endArray()
      writer.member("reason", reason)
      writer.name("next")
      writer.strings(next)
      writer.endObject()
    })
  }
}
