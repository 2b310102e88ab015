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

  @Test("every file and folder that the guide for contributors names exists")
  func contributing() throws {
    let sections = try Project.text(of: "CONTRIBUTING.md").split(separator: "\n## ")
    for section in sections {
      let title = section.prefix { $0 != "\n" }
      let paths = section.matches(of: /`(?<path>[\w.+-]+(?:\/[\w.+-]+)+)`/)
        .map { String($0.output.path) }.filter { !$0.hasPrefix("..") }
      for path in paths {
        let exists = [Project.root, Project.root.appending(path: "Sources")].contains {
          FileManager.default.fileExists(atPath: $0.appending(path: path).path())
        }
        #expect(exists, "\(title): no file \(path)")
      }
      guard title.hasPrefix("Adding ") else { continue }
      #expect(!paths.isEmpty, "\(title) names no file")
      #expect(
        paths.count { $0.hasSuffix(".swift") || $0.hasSuffix(".md") } <= 5,
        "\(title) takes more than five files")
    }
    #expect(sections.count { $0.hasPrefix("Adding ") } == 7)
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
