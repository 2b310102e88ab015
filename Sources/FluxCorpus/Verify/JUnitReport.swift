import FluxLog
import FluxSystem

/// A run as JUnit XML: a suite for the run, a case for each log.
///
/// Valid under the schema of Jenkins' xUnit plugin, and under the stricter one of Ant's JUnit task. The latter
/// wants times with at most three decimals, a timestamp without a zone, and elements in a fixed order.
package struct JUnitReport: Sendable {
  private let run: ReportedRun
  private let host: String

  /// Makes the report of a run on a machine of this name.
  package init(_ run: ReportedRun, host: String) {
    self.run = run
    self.host = host.isEmpty ? "localhost" : host
  }

  /// The document.
  package var text: String {
    let errors = run.cases.count { $0.kind == .error }
    let failures = run.cases.count { $0.kind == .failure }
    let skipped = run.cases.count { $0.kind == .skipped }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuites>",
      "  <testsuite id=\"0\" package=\"flux-inspect\" name=\(attribute: "flux-inspect \(run.command)")"
        + " timestamp=\(attribute: run.timestamp) hostname=\(attribute: host)"
        + " tests=\"\(run.cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
        + " skipped=\"\(skipped)\" time=\"\(run.seconds.milliseconds)\">",
      "    <properties/>",
    ]
    lines += run.cases.map { $0.testCase("flux-inspect.\(run.command)") }
    let remarks = run.cases.flatMap { found in
      found.remarks.map { "\(found.name.printable): \($0.trimmingPrefix { $0 == " " })" }
    }
    lines.append(
      remarks.isEmpty
        ? "    <system-out/>"
        : "    <system-out>\(content: remarks.joined(separator: "\n"))</system-out>")
    lines += ["    <system-err/>", "  </testsuite>", "</testsuites>", ""]
    return lines.joined(separator: "\n")
  }
}

extension ReportedRun.Case {
  fileprivate func testCase(_ group: String) -> String {
    let start =
      "    <testcase name=\(attribute: name) classname=\(attribute: group)"
      + " time=\"\(seconds.milliseconds)\""
    let problem = "message=\(attribute: headline) type=\(attribute: result)"
    return switch kind {
    case .success: "\(start)/>"
    case .failure: "\(start)><failure \(problem)>\(content: text)</failure></testcase>"
    case .error: "\(start)><error \(problem)>\(content: text)</error></testcase>"
    case .skipped: "\(start)><skipped message=\(attribute: headline)/></testcase>"
    }
  }
}

extension ReportedRun {
  /// The start in UTC, to the second and without a zone.
  fileprivate var timestamp: String { String(began.description.prefix(19)) }
}

extension Double {
  /// Seconds with three decimals, never negative.
  var milliseconds: String {
    let milliseconds = Int64((max(0, self) * 1000).rounded())
    let fraction = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
  }
}

extension DefaultStringInterpolation {
  /// Adds a value as an attribute of XML, quotes included.
  fileprivate mutating func appendInterpolation(attribute value: String) {
    appendLiteral("\"\(value.printable.escapedForXML.replacing("\"", with: "&quot;"))\"")
  }

  /// Adds lines of text as content of an XML element.
  fileprivate mutating func appendInterpolation(content value: String) {
    appendLiteral(value.printableLines().escapedForXML)
  }
}

extension String {
  /// The text with escapes for markup.
  ///
  /// The text is printable, so XML 1.0 allows all its characters (section 2.2).
  fileprivate var escapedForXML: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
