package import FluxJSON
package import FluxLog

/// `verify`: `{"log","from"?,"to"?,"ignore"?:[path],"tolerance"?,"now"?}`.
///
/// The host does not need the other settings: replaying twice takes two hosts, and the other side keeps the
/// time limit.
package struct VerifyRequest: Equatable {
  /// The path of the log.
  package var log: String
  /// The positions of the steps; nil for all.
  package var range: Range<Int>?
  package var ignoring: [IgnoredPath] = []
  package var tolerance = 0.0
  /// The current time for the host.
  package var now: LogInstant?

  package init(log: String, _ options: Verification.Options) {
    self.log = log
    range = options.range
    ignoring = options.ignoring
    tolerance = options.tolerance
    now = options.now
  }

  package var options: Verification.Options {
    var options = Verification.Options()
    options.range = range
    options.ignoring = ignoring
    options.tolerance = tolerance
    options.now = now
    // After each batch, the host reports progress and checks for cancellation.
    options.batchSize = 64
    return options
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("log", log)
    if let range {
      writer.member("from", UInt64(range.lowerBound))
      writer.member("to", UInt64(range.upperBound))
    }
    if !ignoring.isEmpty {
      writer.name("ignore")
      writer.strings(ignoring.map(\.text))
    }
    if tolerance != 0 {
      writer.name("tolerance")
      writer.double(tolerance)
    }
    writer.member("now", now?.description)
    writer.endObject()
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let subject = "the request to verify"
    let message = try Message(json, called: subject)
    log = try message.string("log")
    let from = try message.optionalInteger("from").map { Int(clamping: $0) } ?? 0
    let to = try message.optionalInteger("to").map { Int(clamping: $0) } ?? .max
    range = json["from"] == nil && json["to"] == nil ? nil : from..<max(from, to)
    for path in try message.optionalStrings("ignore") {
      do {
        ignoring.append(try IgnoredPath(path))
      } catch {
        throw MalformedMessage(
          subject: subject, member: "ignore", expected: "paths (\(error))",
          found: .init(stringLiteral: path))
      }
    }
    tolerance = try message.optionalSeconds("tolerance") ?? 0
    if let text = try message.optionalString("now") {
      guard let now = LogInstant(text) else {
        throw MalformedMessage(
          subject: subject, member: "now", expected: "a date and time with a zone",
          found: json["now"])
      }
      self.now = now
    }
  }
}

/// The answer to `verify`: `{"verdict","steps","redacted"?,"notes"?,"newStores"?}`.
///
/// It has details only of a log that passed. Otherwise the verdict is enough: the other side then replays the
/// log itself and finds the differences.
package struct VerifyAnswer: Equatable {
  package var verdict: ReplayReport.Verdict
  package var steps: UInt64
  package var redacted: [String]
  package var notes: [String]
  package var newStores: [String]

  package init(_ report: ReplayReport) {
    verdict = report.verdict
    steps = UInt64(report.steps)
    redacted = report.redacted
    notes = report.notes
    newStores = report.incompatibilities.compactMap {
      guard case .newStore(let name) = $0.subject else { return nil }
      return name
    }
  }

  /// Returns the report of a log that passed.
  package func report(on log: String) -> ReplayReport {
    var report = ReplayReport(log: log)
    report.steps = Int(clamping: steps)
    report.redacted = redacted
    report.notes = notes
    report.incompatibilities = newStores.map { Incompatibility(.newStore($0)) }
    return report
  }

  package func write(to writer: inout JSONWriter) {
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

  package init(_ json: JSON) throws(MalformedMessage) {
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
