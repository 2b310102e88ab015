import Foundation
import Testing

@Suite struct RecordingPageTests {
  /// The recordings and the verdicts that `make verify` expects.
  private func verdicts() throws -> [String: String] {
    let lines = try Project.text(of: "Recordings/verdicts.tsv").split(separator: "\n").filter {
      !$0.hasPrefix("#")
    }
    return Dictionary(
      uniqueKeysWithValues: lines.map { line in
        let fields = line.split(separator: "\t").map(String.init)
        return (fields[0], fields[2])
      })
  }

  @Test("every recording is verified")
  func verified() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Project.root.appending(path: "Recordings").path())
    #expect(try verdicts().keys.sorted() == files.filter { $0.hasSuffix(".jsonl") }.sorted())
  }

  @Test("every recording is described, with the verdict that verify must give")
  func described() throws {
    let rows = try Project.text(of: "Recordings/README.md")
      .matches(of: /(?m)^\| `(?<name>[^`]+\.jsonl)` \| (?<verdict>[a-z]+) \|/)
    let described = Dictionary(
      uniqueKeysWithValues: rows.map { (String($0.output.name), String($0.output.verdict)) })
    #expect(try described == verdicts())
  }
}
