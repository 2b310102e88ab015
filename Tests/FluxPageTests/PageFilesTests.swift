import Foundation
import Testing

@testable import FluxPage

@Suite struct PageFilesTests {
  private static let folder = PageFixture.root.appending(path: "Sources/FluxPage/Page")

  @Test("the program has the files of the folder; Scripts/page-files writes the list again")
  func list() throws {
    let list = try String(contentsOf: Self.folder.appending(path: "modules.txt"), encoding: .utf8)
    let modules = list.split(separator: "\n").map(String.init)
    #expect(PageFiles.all.map(\.name) == ["index.html", "style.css"] + modules)
    for file in PageFiles.all {
      let text = try String(contentsOf: Self.folder.appending(path: file.name), encoding: .utf8)
      #expect(file.text == text, "\(file.name)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(names.filter { $0.hasSuffix(".js") }) == Set(modules))
  }

  @Test("no file ends the element that a report puts it in", arguments: PageFiles.all.map(\.name))
  func elements(_ name: String) throws {
    let text = try #require(PageFiles.named(name)?.text)
    guard name != "index.html" else {
      #expect(text.contains(#"<link rel="stylesheet" href="style.css">"#))
      #expect(text.contains(#"<script type="module" src="main.js"></script>"#))
      return
    }
    #expect(!text.contains("</script"))
    #expect(!text.contains("</style"))
    #expect(!text.contains("<!--"))
  }

  @Test("the modules of a report are one script without imports and exports")
  func script() {
    let lines = ReportDocument.script.split(separator: "\n")
    #expect(!lines.contains { $0.hasPrefix("import ") || $0.hasPrefix("export ") })
    #expect(lines.first == "(() => {\"use strict\";")
    #expect(lines.last == "})();")
  }

  @Test("a report packs its script, and its policy allows that script and the one that unpacks it")
  func packed() throws {
    let page = String(decoding: ReportDocument.bytes(data: []), as: UTF8.self)
    let packed = try #require(page.firstMatch(of: /id="flux-page">([^<]*)</)?.1)
    let bytes = try #require(Data(base64Encoded: String(packed)))
    #expect(try Inflater.gunzip([UInt8](bytes)) == Array(ReportDocument.script.utf8))
    let hashes = [ReportDocument.opener, ReportDocument.script].map { SHA256.source(of: $0) }
    #expect(page.contains("script-src '\(hashes[0])' '\(hashes[1])';"))
    #expect(page.contains("<script>\(ReportDocument.opener)</script>"))
  }
}
