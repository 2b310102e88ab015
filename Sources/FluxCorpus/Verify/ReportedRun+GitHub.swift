import FluxSystem

extension ReportedRun {
  /// Words the annotations of GitHub Actions, for standard output.
  ///
  /// There is a line for each case that did not pass or that has a remark to show, at a line of its log. GitHub reads
  /// the paths from the workspace, the folder of the repository; nil if it is the current folder.
  package func githubAnnotations(in folder: String, workspace: String?) -> String {
    let root = workspace.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    let place = folder.hasSuffix("/") ? folder : folder + "/"
    let prefix =
      root.flatMap { place.hasPrefix($0) ? String(place.dropFirst($0.count)) : nil } ?? ""
    return cases.compactMap { $0.command(subject, below: prefix) }.map { "\($0)\n" }.joined()
  }

  /// Markdown to append to the file that `GITHUB_STEP_SUMMARY` names.
  package var githubSummary: String {
    var lines = ["### flux-inspect \(command)", "", summary, ""]
    if !cases.isEmpty {
      lines += ["| log | result | seconds |", "|---|---|---|"]
      lines += cases.map {
        "| \($0.name.escapedForTable) | \($0.result) | \($0.seconds.milliseconds) |"
      }
      lines.append("")
    }
    for found in cases where found.annotation == .error || !found.remarks.isEmpty {
      lines += found.details
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension ReportedRun.Case {
  /// The workflow command; nil if there is nothing to annotate.
  fileprivate func command(_ subject: String, below prefix: String) -> String? {
    guard let annotation else { return nil }
    let file = log.hasPrefix("/") ? log : prefix + log
    return
      "::\(annotation.rawValue) file=\(file.escapedForProperty),line=\(line),title="
      + "\("\(subject) \(result)".escapedForProperty)::\(text.escapedForMessage)"
  }

  /// The report, folded, in a fence that it cannot end.
  fileprivate var details: [String] {
    let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return [
      "<details><summary>\(name.escapedForHTML)</summary>", "", fence + "text",
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
    printable.replacing(scalars: ["&": "&amp;", "<": "&lt;"])
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
}
