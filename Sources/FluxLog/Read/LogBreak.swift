/// A place between two steps where the model after the one does not lead to the one after the other.
public struct LogBreak: Sendable, Hashable {
  /// What comes after a break.
  public enum Kind: UInt8, Sendable, Hashable {
    /// The next accepted step replaces the whole model: a store that it does not list is absent.
    case gap
    /// A store is unknown until it is next written whole: after damage, and after a gap that
    /// stands for damage.
    ///
    /// The steps after such a gap are as they were written, with patches to states that are lost.
    /// To take the first of them for the whole model would make every other store absent, which
    /// none of them was.
    case damage
  }

  /// The position of the first step after it.
  public let position: Int
  /// What comes after it.
  public let kind: Kind
}

/// A gap, and where it is.
public struct RecordedGap: Sendable, Equatable {
  /// What the line says.
  public let gap: LogGap
  /// The position of the first step after it.
  public let position: Int
  /// The line, counted from 1.
  public let line: Int
}

/// A mark, and where it is.
public struct RecordedMark: Sendable, Equatable {
  /// What the line says.
  public let mark: LogMark
  /// The position of the first step after it.
  public let position: Int
  /// The line, counted from 1.
  public let line: Int
}

/// Steps with consecutive numbers, from a position on.
struct NumberRun: Sendable, Equatable {
  var position: Int
  var number: UInt64
}
