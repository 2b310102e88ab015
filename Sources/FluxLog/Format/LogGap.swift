public import FluxJSON

/// A range of steps that are not in the file, or a place where the app went back to another model.
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
    /// The states were not in the file from which the log was imported.
    ///
    /// As after damage, a store that the next step does not list is unknown.
    case imported
    /// The app was set to another model, without a step; see ``LogGap/model``.
    case restored
    /// A reason that this version does not know.
    case other(String)
  }

  /// The model after a gap, if the gap says it.
  public enum Model: Sendable, Equatable {
    /// The model after that step of this log; 0 for the header's initial states.
    case step(UInt64)
    /// The states of all present stores: an object.
    case states(JSON)
  }

  /// The number of the first missing step; of an empty gap, the number of the next step.
  public var from: UInt64
  /// The number of the last missing step; of an empty gap, one less than ``from``.
  ///
  /// An empty gap before step 0 has the largest number here, and -1 in the file.
  public var through: UInt64
  /// The reason.
  public var why: Why
  /// The model after the gap; nil if the next accepted step tells it.
  public var model: Model?

  /// Makes a gap.
  public init(from: UInt64, through: UInt64, why: Why) {
    self.from = from
    self.through = through
    self.why = why
  }

  /// Makes the empty gap of an app that was set to another model.
  ///
  /// - Parameters:
  ///   - model: The model after the gap; nil if it could not be written.
  ///   - next: The number of the next step.
  public init(restoring model: Model?, before next: UInt64) {
    self.init(from: next, through: next &- 1, why: .restored)
    self.model = model
  }

  /// `true` if no step is missing.
  public var isEmpty: Bool { through &+ 1 == from }

  /// `true` if the gap is empty or ends after it starts.
  var isInOrder: Bool { isEmpty || through >= from }
}

extension LogGap.Why: CustomStringConvertible {
  /// Makes a reason from the word in the file.
  public init(_ word: String) {
    let known: [LogGap.Why] = [.paused, .filtered, .dropped, .damaged, .imported, .restored]
    self = known.first { $0.description == word } ?? .other(word)
  }

  /// `true` if a store is unknown after the gap until it is next written whole.
  package var hidesModel: Bool { self == .damaged || self == .imported }

  /// The word in the file.
  public var description: String {
    switch self {
    case .paused: "paused"
    case .filtered: "filtered"
    case .dropped: "dropped"
    case .damaged: "damaged"
    case .imported: "imported"
    case .restored: "restored"
    case .other(let word): word
    }
  }
}

extension LogGap {
  static var fields: [LineField<LogGap>] {
    [
      .object(
        "gap",
        [
          .required("from", \.from),
          LineField(name: "to") { (gap, members) throws(LineFault) in
            let isBeforeZero = gap.from == 0 && members["to"]?.number?.int64 == -1
            gap.through = isBeforeZero ? .max : try members.required("to")
          } write: { gap, _, object in
            guard gap.from > 0 || !gap.isEmpty else { return object.member("to", JSON(-1)) }
            object.member("to", gap.through)
          },
          LineField(name: "why") { (gap, members) throws(LineFault) in
            gap.why = Why(try members.required("why"))
          } write: {
            $2.member("why", $0.why.description)
          },
          LineField(name: "step") { (gap, members) throws(LineFault) in
            guard gap.why == .restored, let step: UInt64 = try members.optional("step") else {
              return
            }
            gap.model = .step(step)
          } write: { gap, _, object in
            if case .step(let step) = gap.model { object.member("step", step) }
          },
        ]),
      LineField(name: "states") { (gap, members) throws(LineFault) in
        guard gap.why == .restored, let states: JSON = try members.optional("states") else {
          return
        }
        gap.model = .states(states)
      } write: { gap, _, line in
        if case .states(let states) = gap.model { line.member("states", states.onOneLine) }
      },
    ]
  }

  func write(to lines: inout LineBuffer) { lines.line(of: self, Self.fields) }
}
