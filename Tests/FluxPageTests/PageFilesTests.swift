import FluxCommands
import FluxInspector
import Foundation
import Testing

@testable import FluxPage

@Suite struct PageFilesTests {
  /// The names of the files in the order of Sources/CPageFiles/files.c, with what the folder has under them.
  private static let files: [(name: String, text: String)] = {
    let sources = PageFixture.root.appending(path: "Sources")
    do {
      let table = try String(
        contentsOf: sources.appending(path: "CPageFiles/files.c"), encoding: .utf8)
      return try table.matches(of: /#embed "..\/FluxPage\/Page\/(.*)" suffix\(,\)/).map {
        let file = sources.appending(path: "FluxPage/Page/\($0.1)")
        return (String($0.1), try String(contentsOf: file, encoding: .utf8))
      }
    } catch {
      return []
    }
  }()

  @Test("the program has the files of the folder, which Sources/CPageFiles/files.c lists")
  func list() throws {
    let folder = PageFixture.root.appending(path: "Sources/FluxPage/Page").path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Self.files.map(\.name).sorted() == names.filter { !$0.hasPrefix(".") }.sorted())
    #expect(PageFiles.document == Self.files.first?.text)
    #expect(PageFiles.style == PageFiles.trimmed(Self.files[1].text))
    let modules = Self.files.dropFirst(2).map(\.text).joined()
    #expect(PageFiles.script + PageFiles.reportScript == PageFiles.statements(modules))
  }

  @Test("a module comes after those that it imports, and each can be joined with the others")
  func modules() {
    var earlier: Set<Substring> = []
    var owners: [Substring: String] = [:]
    for (name, text) in Self.files.dropFirst(2) {
      #expect(text.hasSuffix("\n"), "\(name)")
      let imports = text.split(separator: "\n").compactMap {
        $0.wholeMatch(of: /import .* from '\.\/(.*)';/)?.1
      }
      #expect(earlier.isSuperset(of: imports), "\(name)")
      earlier.insert(name[...])
      for line in text.split(separator: "\n") {
        // Lines are trimmed one by one, so a text must not go over several.
        #expect(line.count { $0 == "`" }.isMultiple(of: 2), "\(name): \(line)")
        let found = line.prefixMatch(
          of: /(?:export )?(?:async )?(?:function|class|const|let) (\w+)/)?.1
        guard let found else { continue }
        #expect(
          owners.updateValue(name, forKey: found) == nil,
          "\(found) is in several modules, which share a scope")
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
    #expect(PageFiles.style.contains(".line .role-\(role.rawValue)"))
  }

  @Test("no file ends the element that a report puts it in")
  func elements() {
    #expect(PageFiles.document.contains(#"<link rel="stylesheet" href="style.css">"#))
    #expect(PageFiles.document.contains(#"<script type="module" src="main.js"></script>"#))
    for (name, text) in Self.files.dropFirst() {
      #expect(!text.contains("</script"), "\(name)")
      #expect(!text.contains("</style"), "\(name)")
      #expect(!text.contains("<!--"), "\(name)")
    }
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
