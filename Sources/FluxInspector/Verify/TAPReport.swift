import FluxSystem

/// A run in the Test Anything Protocol, version 14: a test point for each log.
///
/// A YAML block below a point has the details of a log that did not pass.
package struct TAPReport: Sendable {
  private let suite: VerifiedSuite

  /// Makes a report.
  package init(_ suite: VerifiedSuite) {
    self.suite = suite
  }

  /// The document.
  package var text: String {
    var lines = ["TAP version 14", "1..\(suite.logs.count)"]
    for (index, log) in suite.logs.enumerated() {
      lines += log.testPoint(index + 1)
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension VerifiedLog {
  fileprivate func testPoint(_ number: Int) -> [String] {
    let name = "\(number) - \(log.escapedForTAP)"
    switch result {
    case .passed: return ["ok \(name)"] + remarks.map { "# \($0)" }
    case .notRun: return ["ok \(name) # SKIP not run"]
    case .empty where mayBeEmpty:
      return ["ok \(name) # SKIP no step to compare"] + remarks.map { "# \($0)" }
    case .diverged, .incompatible, .damaged, .unclosed, .empty, .failed, .unreadable:
      // A block scalar takes the text as it is; the indentation ends it.
      let report = text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "" : "    \($0)" }
      return ["not ok \(name)", "  ---", "  result: \(result.rawValue)", "  report: |"]
        + report.dropLast() + ["  ..."]
    }
  }
}

extension String {
  /// The text as the description of a test point, where `#` would begin a directive.
  fileprivate var escapedForTAP: String {
    var output = TextGuard()
    return unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case _ where output.escapes(scalar): text += scalar.escape(as: .json)
      case "#", "\\": text += "\\\(scalar)"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
