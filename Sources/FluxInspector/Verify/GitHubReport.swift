import FluxSystem

/// A run for GitHub Actions: annotations at the lines of logs, and a summary of the job's step.
package struct GitHubReport: Sendable {
  private let suite: VerifiedSuite

  /// Makes a report.
  package init(_ suite: VerifiedSuite) {
    self.suite = suite
  }

  /// A workflow command for each log that did not pass or was not closed, one a line, for standard output.
  package var annotations: String {
    suite.logs.compactMap(\.annotation).map { "\($0)\n" }.joined()
  }

  /// Markdown to append to the file that `GITHUB_STEP_SUMMARY` names.
  package var summary: String {
    var lines = ["### flux-inspect verify", "", suite.summary, ""]
    if !suite.logs.isEmpty {
      lines += ["| log | result | seconds |", "|---|---|---|"]
      lines += suite.logs.map {
        "| \($0.log.escapedForTable) | \($0.result.rawValue) | \($0.seconds.milliseconds) |"
      }
      lines.append("")
    }
    for log in suite.logs where log.exitCode != 0 || !log.remarks.isEmpty { lines += log.details }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension VerifiedLog {
  /// The workflow command; nil if there is nothing to annotate.
  fileprivate var annotation: String? {
    guard exitCode != 0 || passedUnclosed else { return nil }
    return
      "::\(exitCode == 0 ? "notice" : "error") file=\(log.escapedForProperty),line=\(line),title="
      + "\("replay \(result.rawValue)".escapedForProperty)::\(text.escapedForMessage)"
  }

  /// The report, folded, in a fence that it cannot end.
  fileprivate var details: [String] {
    let fence = String(repeating: "`", count: max(3, text.longestRunOfBackticks + 1))
    return [
      "<details><summary>\(log.escapedForHTML)</summary>", "", fence + "text",
      text.trimmingLineEnd, fence, "", "</details>", "",
    ]
  }
}

extension String {
  /// The text as the message of a workflow command.
  fileprivate var escapedForMessage: String { trimmingLineEnd.percentEscaped("%\r\n") }

  /// The text as a property of a workflow command, which the runner turns back into the name of a file.
  fileprivate var escapedForProperty: String { percentEscaped("%\r\n:,") }

  /// The text with the escapes of workflow commands for some characters of ASCII, and others for all that must not be
  /// shown as it is.
  private func percentEscaped(_ special: String) -> String {
    // By scalars: a colon and an accent behind it are one character.
    unicodeScalars.reduce(into: "") { text, scalar in
      guard special.unicodeScalars.contains(scalar) else {
        return text.unicodeScalars.append(scalar)
      }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      text += "%" + (digits.count < 2 ? "0" : "") + digits
    }.printable
  }

  /// The text as HTML, on one line.
  fileprivate var escapedForHTML: String {
    printable.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The text for a cell of a table, without meaning as markup.
  fileprivate var escapedForTable: String {
    escapedForHTML.unicodeScalars.reduce(into: "") { text, scalar in
      if #"|\*_`[]"#.unicodeScalars.contains(scalar) { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
  }

  fileprivate var trimmingLineEnd: String {
    hasSuffix("\n") ? String(dropLast()) : self
  }

  fileprivate var longestRunOfBackticks: Int {
    split { $0 != "`" }.map(\.count).max() ?? 0
  }
}
