import Foundation
import TestFixtures
import Testing

/// The Swift code of the pages and of the documentation comments compiles.
@Suite struct SwiftBlockTests {
  private func blocks() throws -> [SwiftBlock] {
    let sources = try ["Sources", "Examples", "Benchmarks/Sources"].flatMap {
      try Project.files(below: $0, endingIn: ".swift")
    }
    return try (Project.allPages + sources).flatMap { path in
      try Project.document(path).blocks.filter { $0.language == "swift" }
        .map { SwiftBlock(path: path, block: $0) }
    }
  }

  @Test("these blocks belong to other packages, and all other blocks are compiled")
  func outside() throws {
    let blocks = try blocks()
    let outside = Dictionary(grouping: blocks.filter(\.block.isOutside), by: \.path)
    #expect(
      outside.mapValues(\.count) == [
        "README.md": 5,
        "docs/app-protocol.md": 1,
        "docs/xcode.md": 1,
        "Benchmarks/Sources/Harness/Measure/Figure.swift": 1,
        "Sources/FluxRecorder/Host/AppPresentation.swift": 1,
        "Sources/FluxTesting/ExpectRecordings.swift": 2,
        "Sources/FluxTesting/FluxTesting.docc/TurnItIntoATest.md": 1,
      ])
    #expect(blocks.count - outside.values.joined().count > 160)
  }

  // Xcode keeps modules elsewhere.
  #if os(Linux)
    @Test("every block of Swift compiles without a warning, in pages and in comments")
    func compiles() throws {
      let contexts = try Self.contextFiles()
      let declaration =
        /(?m)^(?:@.* )?(?:struct|class|final class|typealias) (?<name>\w+(?:Context|Tests))\b/
      let names = try Set(
        contexts.flatMap { path in
          try Project.text(of: path).matches(of: declaration).map { String($0.output.name) }
        })
      let folder = try TemporaryFolder()
      var files: [String] = []
      for (number, block) in try blocks().filter({ !$0.block.isOutside }).enumerated() {
        files.append(
          try folder.write(block.file(number, contexts: names), to: "Block\(number).swift"))
      }
      let output = try Self.compile(contexts + files)
      for line in output.split(separator: "\n") where Self.isProblem(line) {
        Issue.record("\(line)")
      }
    }

    /// The files of the contexts, and of the suites that run the code of whole pages, with their support.
    private static func contextFiles() throws -> [String] {
      let suites = /.*\/(ComingFrom\w+|EffectsPage|ListsPage|SavingStatesPage)Tests\.swift/
      return try Project.files(below: "Tests/DocumentsTests/Contexts", endingIn: ".swift")
        + Project.files(below: "Tests/DocumentsTests/Pages", endingIn: ".swift")
        + Project.files(below: "Tests/FluxCoreTests/Support", endingIn: ".swift")
        + Project.files(below: "Tests/FluxCoreTests/Scenarios", endingIn: ".swift")
        .filter { $0.wholeMatch(of: suites) != nil }
    }

    /// Errors, and warnings apart from those of values that nothing after the example uses.
    private static func isProblem(_ line: Substring) -> Bool {
      if line.contains(" error: ") || line.hasPrefix("error: ") { return true }
      let isUnused = ["never used", "never mutated", "is unused"].contains { line.contains($0) }
      return line.contains(" warning: ") && !isUnused
    }

    /// Compiles up to the checks of definite initialization and of data races, and returns the messages.
    private static func compile(_ files: [String]) throws -> String {
      let (code, output) = try SwiftCompiler.run(
        [
          "-emit-sil", "-o", "/dev/null", "-module-name", "Documentation", "-wmo",
          "-parse-as-library", "-D", "DEBUG",
        ] + SwiftCompiler.imports + files, in: Project.root)
      #expect(code == 0, "\(output.suffix(2000))")
      return output
    }
  #endif
}
