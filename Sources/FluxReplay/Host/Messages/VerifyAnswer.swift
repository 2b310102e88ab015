import FluxLog

/// The answer to `verify`: `{"verdict","steps","redacted"?,"notes"?,"newStores"?}`.
///
/// Only what is to be said of a log that passed. Of another one the verdict is enough: the other side
/// then replays it by itself, and sees every difference with its own eyes.
struct VerifyAnswer: Equatable {
  var verdict: ReplayReport.Verdict
  var steps: UInt64
  var redacted: [String]
  var notes: [String]
  var newStores: [String]

  init(_ report: ReplayReport) {
    verdict = report.verdict
    steps = UInt64(report.steps)
    redacted = report.redacted
    notes = report.notes
    newStores = report.incompatibilities.compactMap {
      guard case .newStore(let name) = $0.subject else { return nil }
      return name
    }
  }

  /// The report of a log that passed.
  func report(on log: String) -> ReplayReport {
    var report = ReplayReport(log: log)
    report.steps = Int(clamping: steps)
    report.redacted = redacted
    report.notes = notes
    report.incompatibilities = newStores.map { Incompatibility(.newStore($0)) }
    return report
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("verdict", verdict.rawValue)
    writer.member("steps", steps)
    for (name, strings) in [("redacted", redacted), ("notes", notes), ("newStores", newStores)]
    where !strings.isEmpty {
      writer.name(name)
      writer.strings(strings)
    }
    writer.endObject()
  }

  init(_ json: JSON) throws(MalformedMessage) {
    let subject = "the answer to verify"
    let message = try Message(json, called: subject)
    guard let verdict = ReplayReport.Verdict(rawValue: try message.string("verdict")) else {
      throw MalformedMessage(
        subject: subject, member: "verdict",
        expected: ReplayReport.Verdict.allCases.map(\.rawValue).joined(separator: ", "),
        found: json["verdict"])
    }
    self.verdict = verdict
    steps = try message.integer("steps")
    redacted = try message.optionalStrings("redacted")
    notes = try message.optionalStrings("notes")
    newStores = try message.optionalStrings("newStores")
  }
}
