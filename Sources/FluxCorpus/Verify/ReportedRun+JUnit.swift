import FluxLog
import FluxSystem

extension ReportedRun {
  /// The run on a machine of this name as JUnit XML: a suite for the run, a case for each log.
  ///
  /// Valid under the schema of Jenkins' xUnit plugin, and under the stricter one of Ant's JUnit task. The latter
  /// wants times with at most three decimals, a timestamp without a zone, and elements in a fixed order.
  package func junit(host: String) -> String {
    let errors = cases.count { $0.kind == .error }
    let failures = cases.count { $0.kind == .failure }
    let skipped = cases.count { $0.kind == .skipped }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuites>",
      "  <testsuite id=\"0\" package=\"flux-inspect\" name=\(attribute: "flux-inspect \(command)")"
        + " timestamp=\(attribute: timestamp) hostname=\(attribute: host.isEmpty ? "localhost" : host)"
        + " tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
        + " skipped=\"\(skipped)\" time=\"\(seconds.milliseconds)\">",
      "    <properties/>",
    ]
    lines += cases.map { $0.testCase("flux-inspect.\(command)") }
    let remarks = cases.flatMap { found in
      found.remarks.map { "\(found.name.printable): \($0.trimmingPrefix { $0 == " " })" }
    }
    lines.append(
      remarks.isEmpty
        ? "    <system-out/>"
        : "    <system-out>\(content: remarks.joined(separator: "\n"))</system-out>")
    lines += ["    <system-err/>", "  </testsuite>", "</testsuites>", ""]
    return lines.joined(separator: "\n")
  }

  /// The start in UTC, to the second and without a zone.
  private var timestamp: String { String(began.description.prefix(19)) }
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
    let text = value.printable.escapedForXML.replacing(scalars: ["\"": "&quot;"])
    appendLiteral("\"\(text)\"")
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
    replacing(scalars: ["&": "&amp;", "<": "&lt;", ">": "&gt;"])
  }
}
