import FluxSystem

extension ReportedRun {
  /// The run in the Test Anything Protocol, version 14: a test point for each log.
  ///
  /// A YAML block below a point has the details of a log that did not pass.
  package var tap: String {
    var lines = ["TAP version 14", "1..\(cases.count)"]
    for (index, found) in cases.enumerated() {
      lines += found.testPoint(index + 1)
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension ReportedRun.Case {
  fileprivate func testPoint(_ number: Int) -> [String] {
    let name = "\(number) - \(name.escapedForTAP)"
    switch kind {
    case .success: return ["ok \(name)"] + remarks.map { "# \($0)" }
    case .skipped: return ["ok \(name) # SKIP \(skipReason)"] + remarks.map { "# \($0)" }
    case .failure, .error:
      // A block scalar takes the text as it is; the indentation ends it.
      let report = lines.map { $0.isEmpty ? "" : "    \($0)" }
      return ["not ok \(name)", "  ---", "  result: \(result)", "  report: |"]
        + report + ["  ..."]
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
