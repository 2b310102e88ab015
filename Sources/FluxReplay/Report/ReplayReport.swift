public import FluxJSON
public import FluxLog

/// The result of replaying a log and comparing the replay with the recording.
public struct ReplayReport: Sendable, Equatable {
  /// The overall result of a replay.
  public enum Verdict: String, Sendable, CaseIterable {
    /// Every compared step matches the recording.
    case passed
    /// At least one step diverges.
    case diverged
    /// The app lacks something that the log needs.
    case incompatible
    /// Lines of the log are damaged; the steps before them match the recording.
    case damaged
    /// No step was compared.
    case empty
  }

  /// The path of the log, as the caller gave it.
  public var log: String
  /// The path of the app's executable; nil if the app is in this process.
  public var app: String?
  /// The words that start the inspector in the lines that the text suggests, such as `swift run flux-inspect`.
  ///
  /// A program that prints the report sets it to the way it was called itself. The words are not quoted.
  public var inspector = "flux-inspect"
  /// The number of steps that were replayed and compared.
  public var steps = 0
  /// The differences between the replay and the recording, in the order of the steps.
  public var divergences: [Divergence] = []
  /// Stores and actions that the app has lost or gained since the recording.
  public var incompatibilities: [Incompatibility] = []
  /// Damaged lines of the log that the replay came across.
  public var damage: [Finding] = []
  /// The places that were not compared, because their values are redacted or were computed from redacted input.
  ///
  /// JSON Pointers from the model, with `*` for any member.
  public var redacted: [String] = []
  /// Remarks, such as steps that could not be compared, and why.
  ///
  /// A note may have several lines.
  public var notes: [String] = []
  /// The failure that stopped the replay after a divergence; nil if there was none.
  ///
  /// A note reports it as well.
  public internal(set) var failure: ReplayFailure?

  /// Creates an empty report.
  public init(log: String) {
    self.log = log
  }

  /// The overall result.
  ///
  /// A divergence outweighs every other finding, because damage only ends the comparison. A report without
  /// compared steps does not pass.
  public var verdict: Verdict {
    if !divergences.isEmpty { return .diverged }
    if let severity, severity > .fine { return .incompatible }
    guard damage.isEmpty else { return .damaged }
    return steps == 0 ? .empty : .passed
  }

  /// The highest severity of the incompatibilities; nil if there are none.
  public var severity: Incompatibility.Severity? { incompatibilities.map(\.severity).max() }
}

extension ReplayReport {
  /// The report as JSON.
  ///
  /// `{"verdict","steps","divergences":[…]}`, and if there are any `"severity"`,
  /// `"incompatibilities":[{"severity","name","message"}]`, `"damage":[{"line","step"?,"byte",
  /// "message"}]`, `"redacted":[…]`, `"notes":[…]`.
  public var json: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.member("verdict", verdict.rawValue)
      writer.member("steps", UInt64(steps))
      writer.name("divergences")
      writer.beginArray()
      for divergence in divergences { writer.raw(divergence.json) }
      writer.endArray()
      writer.member("severity", severity.map { "\($0)" })
      writer.list("incompatibilities", incompatibilities.map(\.json))
      writer.list("damage", damage.map(\.report))
      writer.list("redacted", redacted.map { .init(stringLiteral: $0) })
      writer.list("notes", notes.map { .init(stringLiteral: $0) })
      writer.endObject()
    })
  }
}

extension JSONWriter {
  fileprivate mutating func list(_ name: String, _ values: [JSON]) {
    guard !values.isEmpty else { return }
    self.name(name)
    beginArray()
    for value in values { raw(value) }
    endArray()
  }
}

extension Finding {
  fileprivate var report: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.member("line", UInt64(line))
      writer.member("step", step)
      writer.member("byte", UInt64(byte))
      writer.member("message", problem.message)
      writer.endObject()
    })
  }
}
