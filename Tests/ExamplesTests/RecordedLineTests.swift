import FluxLog
import Foundation
import Testing

/// An editor opens the lines that a recording names, so those of the samples have to be lines of today's sources.
@Suite struct RecordedLineTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the folder of an example's module: `ShopExample` has its stores, and `shop_example` its program.
  private func folder(ofModule module: Substring) throws -> URL {
    let examples = Self.root.appending(path: "Examples")
    let name =
      module.hasSuffix("_example")
      ? "\(module.dropLast("_example".count))program" : "\(module.dropLast("Example".count))"
    let folders = try FileManager.default.contentsOfDirectory(atPath: examples.path)
    let folder = try #require(
      folders.first { $0.lowercased() == name.lowercased() }, "no folder of the module \(module)")
    return examples.appending(path: folder)
  }

  @Test("each line that a sample names dispatches", arguments: ["shop", "todomvc", "counter"])
  func dispatches(sample: String) throws {
    let log = try LogFile.open(Self.root.appending(path: "Recordings/\(sample).jsonl").path)
    try log.waitForIndex()
    var places: Set<String> = []
    for position in 0..<log.count {
      let step = try log.step(at: position)
      places.insert(try #require(step.source, "step \(step.number) has no line"))
    }
    for place in places.sorted() {
      let parts = place.split { $0 == "/" || $0 == ":" }
      try #require(parts.count == 3, "\(place) is not MODULE/FILE:LINE")
      let file = try folder(ofModule: parts[0]).appending(path: String(parts[1]))
      let lines = try String(contentsOf: file, encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: false)
      let number = try #require(Int(parts[2]))
      try #require(lines.indices.contains(number - 1), "\(place) is behind the end of the file")
      let line = lines[number - 1]
      #expect(
        line.contains("dispatch(") || line.contains("step.effect("),
        "\(place) does not dispatch: \(line)")
    }
  }
}
