/// Steps that are not in the file.
///
/// LOG-FORMAT, "Other lines".
///
/// The next accepted step replaces the whole model: a recorder writes it so. A repair cannot, as
/// it keeps every step byte for byte; after the gaps that it leaves, ``Why/damaged``, a store is
/// unknown until it is next written whole, as it is after the damage itself.
public struct LogGap: Sendable, Equatable {
  /// Why steps are not in the file.
  public enum Why: Sendable, Hashable {
    /// The recorder was paused.
    case paused
    /// The recorder was told not to record such actions.
    case filtered
    /// The app was faster than the disk, or a state could not be encoded.
    case dropped
    /// The lines were damaged, and a repair left them out.
    ///
    /// What the steps behind it do not list is not absent, but unknown.
    case damaged
    /// A reason that a newer version of the format may know.
    case other(String)
  }

  /// The number of the first step that is missing.
  public var from: UInt64
  /// The number of the last step that is missing.
  public var through: UInt64
  /// Why they are missing.
  public var why: Why

  /// Makes a gap.
  public init(from: UInt64, through: UInt64, why: Why) {
    self.from = from
    self.through = through
    self.why = why
  }
}

extension LogGap.Why: CustomStringConvertible {
  /// Reads the word of the file.
  public init(_ word: String) {
    switch word {
    case "paused": self = .paused
    case "filtered": self = .filtered
    case "dropped": self = .dropped
    case "damaged": self = .damaged
    default: self = .other(word)
    }
  }

  /// The word of the file.
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
