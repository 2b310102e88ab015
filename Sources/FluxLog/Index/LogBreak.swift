/// A place between two steps across which the model is not known to continue.
public struct LogBreak: Sendable, Hashable {
  /// The state of the model after a break.
  public enum Kind: UInt8, Sendable, Hashable {
    /// The next accepted step replaces the whole model; a store that it does not list is absent.
    case gap
    /// Each store is unknown until it is next written whole. Follows damage, and a gap that a
    /// repair left in its place.
    ///
    /// A repair keeps the steps after such a gap as they are, so the next step does not list every
    /// store. Stores that it does not list are not absent.
    case damage
    /// The app was set to a model that the log has. The next accepted step replaces the whole model,
    /// as after a gap.
    case restored
    /// As after damage. In addition, the steps are imported without their states, so a step may have changed a store
    /// that is unknown and that its line does not list.
    case imported
  }

  /// The position of the first step after the break.
  public let position: Int
  /// The state of the model after the break.
  public let kind: Kind
  /// `true` if no step is missing: the log was imported without states from there on, and a replay can go on from the
  /// states before it.
  package let hidesStatesOnly: Bool

  init(position: Int, kind: Kind, hidesStatesOnly: Bool = false) {
    (self.position, self.kind, self.hidesStatesOnly) = (position, kind, hidesStatesOnly)
  }

  /// `true` if the next accepted step replaces the whole model.
  public var endsWithWholeModel: Bool { kind.endsWithWholeModel }
}

extension LogBreak.Kind {
  /// `true` if the next accepted step replaces the whole model.
  var endsWithWholeModel: Bool {
    switch self {
    case .gap, .restored: true
    case .damage, .imported: false
    }
  }
}

/// A gap and its place in the log.
public struct RecordedGap: Sendable, Equatable {
  /// The gap line.
  public let gap: LogGap
  /// The position of the first step after the gap.
  public let position: Int
  /// The line, counted from 1.
  public let line: Int
}

/// A mark and its place in the log.
public struct RecordedMark: Sendable, Equatable {
  /// The mark line.
  public let mark: LogMark
  /// The position of the first step after the mark.
  public let position: Int
  /// The line, counted from 1.
  public let line: Int
}

/// A run of steps with consecutive numbers that starts at a position.
struct NumberRun: Sendable, Equatable {
  var position: Int
  var number: UInt64
}
