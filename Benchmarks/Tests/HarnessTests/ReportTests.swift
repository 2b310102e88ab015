import Foundation
import Harness
import Testing

@Suite struct ReportTests {
  @Test("a report is shown as a table, with a line for each further rival")
  func table() {
    #expect(
      Examples.report([Examples.parse, Examples.encode, Examples.read]).table.text == """
        figure       unit  median  spread         load  repeated  rival                its median  ratio  cost               target  met                    limit  input
        json/parse   GB/s    1.50  ±6.7 %                         JSONSerialization         0.050    30×   100  ≤ 115 scans of 4 KB  met     ≤ 78 scans of 4 KB ✗  142 KB
                                                                  jq: not installed
        json/encode  us       500          1.31 shared        12  JSONEncoder        2,500 shared     5×                       ≥ 6×  MISSED
        open/read    ns       120  ±0.0 %

        """)
  }

  @Test("what is missed is told with what it is missed by")
  func missed() {
    let report = Examples.report([Examples.parse, Examples.encode, Examples.read])
    #expect(report.summary == "1 of 2 targets met; missed: json/encode")
    #expect(
      report.missed
        == "- json/encode: 5×, target ≥ 6×, missed by a factor of 1.20, on shared cores\n")
    #expect(Examples.report([Examples.parse]).missed == "All targets are met.\n")
    let slow = Row(
      name: "json/parse", input: "", unit: .gigabytesPerSecond, series: Series([0.75]), rivals: [],
      yardstick: .init(name: "scans of 4 KB", series: Series([150]), absence: nil),
      target: .atMost(160, .scan), limit: nil)
    #expect(
      Examples.report([slow]).missed
        == "- json/parse: 200 scans of 4 KB, target ≤ 160 scans of 4 KB, missed by a factor of 1.25\n"
    )
  }

  @Test("rows that are measured later replace those of their names, in the order of all figures")
  func merging() {
    let slower = Row(
      name: "json/encode", input: "", unit: .microseconds, series: Series([600]), rivals: [],
      target: nil, limit: nil)
    var report = Examples.report([Examples.read, Examples.encode])
    report.merge([slower, Examples.parse], order: ["json/parse", "json/encode", "json/new"])
    #expect(report.rows == [Examples.parse, slower])
  }

  @Test("figures that are missing, or of shared cores, are to be measured again")
  func unsettled() {
    let report = Examples.report([Examples.parse, Examples.encode])
    #expect(
      report.unsettled(["json/parse", "json/encode", "json/new"]) == ["json/encode", "json/new"])
  }

  @Test("a report comes back from its file as it was")
  func file() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: url) } }
    let report = Examples.report([Examples.parse, Examples.encode])
    try report.write(to: url)
    #expect(try Report(contentsOf: url) == report)
  }
}
