import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxEditor

@Suite struct SourceTests {
  @Test(
    "a source line has a module, a file and a line",
    arguments: [
      ("Shop/Cart.swift:12", "Shop/Cart.swift", 12), ("Cart.swift:1", "Cart.swift", 1),
      ("Shop/Sub/Cart.swift:3", "Shop/Cart.swift", 3),
    ])
  func line(_ text: String, _ file: String, _ line: Int) throws {
    let read = try #require(SourceLine(text))
    #expect(read.file.description == file)
    #expect(read.line == line)
  }

  @Test(
    "other texts are no source lines", arguments: ["", "Cart.swift", "Cart.swift:0", ":3", "a:b"])
  func others(_ text: String) {
    #expect(SourceLine(text) == nil)
  }

  @Test("a folder named as the module wins, then the only file, then the launch")
  func map() throws {
    let folder = try TemporaryFolder()
    for file in [
      "A/Cart.swift", "B/Cart.swift", "A/Sole.swift", "C/One/Cart.swift", ".build/A/Sole.swift",
    ] {
      let path = folder.url(file)
      try makeFolder(path.deletingLastPathComponent())
      try folder.write("", to: file)
    }
    let root = SourceMap.absolute(folder.path(""))
    let map = SourceMap(roots: [root], modules: ["Other": root + "/C"])
    func resolve(_ name: String) throws -> SourceMap.Resolution {
      map.resolve(try #require(SourceFileName(name)))
    }
    #expect(try resolve("A/Cart.swift") == .found(root + "/A/Cart.swift"))
    #expect(try resolve("Elsewhere/Sole.swift") == .found(root + "/A/Sole.swift"))
    #expect(try resolve("Other/Cart.swift") == .found(root + "/C/One/Cart.swift"))
    #expect(
      try resolve("Cart.swift")
        == .ambiguous(["A", "B", "C/One"].map { "\(root)/\($0)/Cart.swift" }))
    #expect(try resolve("A/None.swift") == .missing)
    map.open("/elsewhere/None.swift")
    #expect(try resolve("A/None.swift") == .found("/elsewhere/None.swift"))
  }

  @Test("a search of very many files ends, in this root and before the next ones")
  func limit() throws {
    let folder = try TemporaryFolder()
    for file in ["A/First.swift", "B/Second.swift"] {
      try makeFolder(folder.url(file).deletingLastPathComponent())
      try folder.write("", to: file)
    }
    let roots = ["A", "B"].map { SourceMap.absolute(folder.path($0)) }
    let (first, second) = (
      try #require(SourceFileName("First.swift")), try #require(SourceFileName("Second.swift"))
    )
    let all = SourceMap(roots: roots, modules: [:])
    #expect(all.resolve(second) == .found(roots[1] + "/Second.swift"))
    let cut = SourceMap(roots: roots, modules: [:], largestCount: 1)
    #expect(cut.resolve(first) == .found(roots[0] + "/First.swift"))
    #expect(cut.resolve(second) == .missing)
  }

  private func makeFolder(_ url: URL) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
}
