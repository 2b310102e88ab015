import FluxJSON
import FluxLog
import Synchronization
import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite struct LookStreamingTests {
  private static let lines =
    [#"{"flux":"1.0","first":1,"stores":{"a":{"initial":0}}}"#]
    + (1...5000).map { #"{"n":\#($0),"t":\#($0),"action":{"type":"count"},"states":{"a":\#($0)}}"# }

  @Test(
    "Rows are passed on while the rest is searched; an interruption leaves one whole document",
    arguments: ["list ..", "find count", "find a > 3", "history a", "blame a --all"])
  func interruption(line: String) throws {
    let isInterrupted = Flag()
    var services = Services()
    services.isInterrupted = { isInterrupted.isSet }
    var inspection = try Inspection(Self.lines, services: services)
    #expect(inspection.stops(["end"]) == [5000])
    for format in [OutputFormatName.text, .ndjson] {
      isInterrupted.set(false)
      let result = inspection.console.run(line)
      let output = try #require(result)
      var pieces: [[UInt8]] = []
      var diagnostics: [UInt8] = []
      let written = try format.format().write(
        output,
        to: ByteSink { piece in
          pieces.append(piece)
          isInterrupted.set(true)
        }, diagnostics: ByteSink { diagnostics += $0 })
      #expect(written.error == .cancelled && written.exitCode == 130, "\(line)")
      // Text ends with the line before the interruption, JSON with the rest of its document.
      #expect(pieces.count == (format == .text ? 1 : 2), "\(line)")
      let text = String(decoding: pieces.joined(), as: UTF8.self)
      guard format == .ndjson else {
        #expect(text.last == "\n")
        #expect(String(decoding: diagnostics, as: UTF8.self) == "error: interrupted\n")
        continue
      }
      // The rows are closed, and the error follows the result.
      let document = try JSON.parse(text)
      #expect(document.members.map(\.name) == ["command", "ok", "position", "result", "error"])
      #expect(document["ok"]?.bool == true)
      #expect(document["error"]?.text == #"{"code":"cancelled","message":"interrupted"}"#)
      let rows = document["result"]?.members.first { $0.value.kind == .array }
      #expect((rows?.value.count ?? 0) > 500, "\(line)")
    }
  }

  @Test(
    "A search that finds nothing can be interrupted, and tells how far it is",
    arguments: ["find a < 0", "count a < 0", "count $.rejected", "history a[0]"])
  func search(line: String) throws {
    let calls = Flag()
    var services = Services()
    services.isInterrupted = { calls.count() > 1 }
    var inspection = try Inspection(Self.lines, services: services)
    #expect(try inspection.exitCode(line) == 130)
    let reports = Reports()
    services.isInterrupted = { false }
    services.progress = { reports.append($0) }
    inspection.session.services = services
    #expect(try inspection.exitCode(line).map { $0 < 4 } == true)
    let searches = reports.all.filter { $0.activity == "searching" }
    #expect(searches.contains { $0.done > 0 })
    #expect(searches.allSatisfy { $0.total == 5000 && $0.done <= 5000 })
  }
}

/// A flag that a test shares with its services.
private final class Flag: Sendable {
  private let value = Mutex(0)

  var isSet: Bool { value.withLock { $0 > 0 } }

  func set(_ isSet: Bool) { value.withLock { $0 = isSet ? 1 : 0 } }

  /// Counts the calls.
  func count() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}

/// The progress that a session reports.
private final class Reports: Sendable {
  private let reports = Mutex<[Progress]>([])

  var all: [Progress] { reports.withLock { $0 } }

  func append(_ report: Progress) { reports.withLock { $0.append(report) } }
}
