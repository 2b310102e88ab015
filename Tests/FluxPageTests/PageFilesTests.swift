import FluxCommands
import FluxInspector
import Foundation
import Testing

@testable import FluxPage

@Suite struct PageFilesTests {
  private static let folder = PageFixture.root.appending(path: "Sources/FluxPage/Page")

  @Test("the program has the files of the folder, which Sources/CPageFiles/files.c lists")
  func list() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let visible = names.filter { !$0.hasPrefix(".") }
    #expect(PageFiles.embeddedNames.sorted() == visible.sorted())
    for name in PageFiles.embeddedNames {
      let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
      #expect(PageFiles.embedded(name) == text, "\(name)")
    }
  }

  @Test("a module comes after those that it imports, and each can be joined with the others")
  func modules() {
    var earlier: Set<String> = []
    var owners: [Substring: String] = [:]
    for module in PageFiles.modules {
      #expect(earlier.isSuperset(of: module.imports), "\(module.name)")
      earlier.insert(module.name)
      for line in module.text.split(separator: "\n") {
        // Lines are trimmed one by one, so a text must not go over several.
        #expect(line.count { $0 == "`" }.isMultiple(of: 2), "\(module.name): \(line)")
        let name = line.prefixMatch(
          of: /(?:export )?(?:async )?(?:function|class|const|let) (\w+)/)?.1
        guard let name else { continue }
        #expect(
          owners.updateValue(module.name, forKey: name) == nil,
          "\(name) is in several modules, which share a scope")
      }
    }
  }

  @Test(
    "comments with lines to themselves and indentation are left out, and nothing else",
    arguments: [
      ("/* a */\nlet a;\n", "let a;\n"),
      ("/** a\n    b */\n\n  f(); // c\n", "f(); // c\n"),
      ("// a\n  // b\nconst s = '/* c';\n", "const s = '/* c';\n"),
      (".a {\n  b: c; /* d */\n}\n", ".a {\nb: c; /* d */\n}\n"),
    ])
  func trim(_ text: String, _ trimmed: String) {
    #expect(PageFiles.trimmed(text) == trimmed)
  }

  @Test(
    "the console has a look for each role of a command's text",
    arguments: TextRole.allCases.filter { $0 != .plain })
  func roles(_ role: TextRole) {
    #expect(PageFiles.embedded("style.css").contains(".line .role-\(role.rawValue)"))
  }

  @Test("no file ends the element that a report puts it in", arguments: PageFiles.embeddedNames)
  func elements(_ name: String) throws {
    let text = PageFiles.embedded(name)
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
    #expect(gunzip([UInt8](bytes)) == Array(ReportDocument.script.utf8))
    let hashes = [ReportDocument.opener, ReportDocument.script].map(ReportDocument.source(of:))
    #expect(page.contains("script-src '\(hashes[0])' '\(hashes[1])';"))
    #expect(page.contains("<script>\(ReportDocument.opener)</script>"))
  }
}
