/// A range of steps that are not in the file.
///
/// A recorder writes every store whole in the next accepted step. A repair cannot do that, because
/// it keeps every step byte for byte. After its gaps, ``Why/damaged``, a store is unknown until it
/// is next written whole.
///
/// See docs/log-format.md, "Other lines".
public struct LogGap: Sendable, Equatable {
  /// The reason for a gap.
  public enum Why: Sendable, Hashable {
    /// The recorder was paused.
    case paused
    /// The recorder was asked to skip these actions.
    case filtered
    /// The app was faster than the disk, or a state could not be encoded.
    case dropped
    /// The lines were damaged, and a repair removed them.
    ///
    /// A store that the next step does not list is unknown, not absent.
    case damaged
    /// A reason that this version does not know.
    case other(String)
  }

  /// The number of the first missing step.
  public var from: UInt64
  /// The number of the last missing step.
  public var through: UInt64
  /// The reason.
  public var why: Why

  /// Makes a gap.
  public init(from: UInt64, through: UInt64, why: Why) {
    self.from = from
    self.through = through
    self.why = why
  }
}

extension LogGap.Why: CustomStringConvertible {
  /// Makes a reason from the word in the file.
  public init(_ word: String) {
    switch word {
    case "paused": self = .paused
    case "filtered": self = .filtered
    case "dropped": self = .dropped
    case "damaged": self = .damaged
    default: self = .other(word)
    }
  }

  /// The word in the file.
  public var description: String {
    switch self {
    case .paused: "paused"
    case .filtered: "filtered"
    case .dropped: "dropped"
    case .damaged: "damaged"
    case .other(let word): word
    }
  }
}
