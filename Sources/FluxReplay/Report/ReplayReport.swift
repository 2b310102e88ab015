public import FluxLog

/// What replaying a log has shown.
public struct ReplayReport: Sendable, Equatable {
  /// What a report comes to.
  public enum Verdict: String, Sendable, CaseIterable {
    /// Every step that was compared leads to the recorded states.
    case passed
    /// The app behaves otherwise than it did.
    case diverged
    /// The app lacks something that the log needs.
    case incompatible
    /// Lines of the log are damaged; the steps before them are as recorded.
    case damaged
    /// No step was compared, which proves nothing.
    case empty
  }

  /// The log, as it was named.
  public var log: String
  /// The executable of the app, where it is a process of its own: the commands to go on with need it.
  public var app: String?
  /// How many steps were run again and compared.
  public var steps = 0
  /// In what the replay differs from the record, in the order of the steps.
  public var divergences: [Divergence] = []
  /// What the app lacks, or has anew.
  public var incompatibilities: [Incompatibility] = []
  /// The damage that was met.
  public var damage: [Finding] = []
  /// The places that were not compared, because the log has tokens for their values: JSON Pointers
  /// with `*` from the model, and those of values that were made of redacted input.
  public var redacted: [String] = []
  /// What else there is to know: steps that could not be compared, and why.
  public var notes: [String] = []
  /// Why the replay went no further, where the app failed after it had become different; among the
  /// notes as well.
  public internal(set) var failure: ReplayFailure?

  /// Makes the report of a replay that has shown nothing yet.
  public init(log: String) {
    self.log = log
  }

  /// What it comes to.
  ///
  /// A divergence is the most certain of all findings; damage only ends the comparison. A report of no step
  /// is no pass.
  public var verdict: Verdict {
    if !divergences.isEmpty { return .diverged }
    if let severity, severity > .fine { return .incompatible }
    guard damage.isEmpty else { return .damaged }
    return steps == 0 ? .empty : .passed
  }

  /// How bad the worst of the incompatibilities is; nil where there is none.
  public var severity: Incompatibility.Severity? { incompatibilities.map(\.severity).max() }
}

extension ReplayReport {
  /// The report as the inspector prints it.
  ///
  /// `{"verdict","steps","divergences":[…]}`, and where there are any `"severity"`,
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
