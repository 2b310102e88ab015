import Foundation
import Testing

@Suite struct LinkTests {
  @Test("every link within the project leads somewhere", arguments: Project.pages)
  func links(_ page: String) throws {
    let folder = Project.root.appending(path: page).deletingLastPathComponent()
    for link in try Project.document(page).links where !link.target.contains("://") {
      let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let target =
        parts[0].isEmpty ? Project.root.appending(path: page) : folder.appending(path: parts[0])
      #expect(
        FileManager.default.fileExists(atPath: target.path()),
        "\(page):\(link.number): no file \(link.target)")
      guard parts.count == 2 else { continue }
      let text = try String(contentsOf: target, encoding: .utf8)
      let anchors = Document(path: target.path(), text: text).anchors
      #expect(
        anchors.contains(String(parts[1])), "\(page):\(link.number): no heading \(link.target)")
    }
  }

  @Test("the index names every page of its folder")
  func index() throws {
    let targets = Set(try Project.document("docs/README.md").links.map(\.target))
    let pages = try Project.files(below: "docs", endingIn: ".md").map {
      String($0.dropFirst("docs/".count))
    }
    for page in pages where page != "README.md" { #expect(targets.contains(page), "\(page)") }
  }

  @Test("the list of pages is complete")
  func pages() throws {
    let folders = try ["docs", "Examples", "Recordings"].flatMap {
      try Project.files(below: $0, endingIn: ".md")
    }
    let root = try FileManager.default.contentsOfDirectory(atPath: Project.root.path())
      .filter { $0.hasSuffix(".md") }
    #expect(Set(folders + root) == Set(Project.pages))
  }
}
