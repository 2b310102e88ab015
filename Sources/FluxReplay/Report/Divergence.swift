public import FluxJSON
import FluxLog

/// A difference between a recording and its replay.
public struct Divergence: Sendable, Equatable {
  /// The ways in which a step can diverge.
  public enum Kind: String, Sendable, CaseIterable {
    /// It leads to a different state.
    case different
    /// The app rejects it, or rejects it for a different reason.
    case rejected
    /// It was rejected, and the app accepts it now.
    case accepted
    /// The app cannot decode its action.
    case undecodable
    /// It is a follow-up that its cause no longer dispatches.
    case missing
    /// It dispatches a follow-up that the recording does not have.
    case extra
    /// It is a follow-up, and its cause dispatches another action, or to another store.
    case followUp
  }

  /// The two sides of a comparison.
  public enum Comparison: String, Sendable {
    /// The recording and its replay.
    case record
    /// Two replays: a difference depends on something that the recording does not contain.
    case replays
  }

  /// A step in the chain of causes.
  public struct Link: Sendable, Equatable {
    /// The number of the step.
    public var number: UInt64
    /// The type of its action.
    public var type: String

    /// Creates a link.
    public init(number: UInt64, type: String) {
      self.number = number
      self.type = type
    }
  }

  /// The way in which the step diverges.
  public var kind: Kind
  /// The two sides that were compared.
  public var comparison: Comparison
  /// The number of the step.
  public var step: UInt64
  /// The line of the step in the log, counted from 1.
  public var line: Int?
  /// The step's recorded action.
  public var action: JSON
  /// The store, by its name in the log.
  public var store: String?
  /// The first place that differs, from the model `{store: state}`.
  public var path: Pointer?
  /// The recorded value, or that of the first of two replays; nil if there is none.
  public var recorded: JSON?
  /// The replayed value, or that of the second replay; nil if there is none.
  public var replayed: JSON?
  /// The number of further places of the store that differ at this step.
  public var others: Int
  /// The step and its causes, up to the root action.
  public var chain: [Link]
  /// The likely reason; nil if nothing specific is known.
  public var reason: String?

  /// Creates a divergence; set its other properties afterwards.
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
  /// The divergence as JSON.
  ///
  /// `{"step","kind","store"?,"path"?,"recorded"?,"replayed"?,"action","chain":[{"n","type"}],
  /// "reason"?,"next":[command]}`, and if they apply `"line"`, `"others"`, the number of further places in that
  /// store, and `"between":"replays"`. A value that nests too deeply for a report is given as text.
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
      writer.strings(next.map(\.command))
      writer.endObject()
    })
  }
}
