import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Checks the documentation of the protocol against a host.
@Suite struct HostDocumentTests {
  private static let document = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs/app-protocol.md")

  /// The lines of the exchange: to the host, and from it.
  private static func exchange() throws -> (requests: [Substring], answers: [Substring]) {
    let lines = try String(contentsOf: document, encoding: .utf8).split(separator: "\n")
    return (
      lines.filter { $0.hasPrefix("> {") }.map { $0.dropFirst(2) },
      lines.filter { $0.hasPrefix("< {") }.map { $0.dropFirst(2) }
    )
  }

  @Test("a host answers the documented requests with the documented answers, and ends")
  func exchange() throws {
    let (requests, answers) = try Self.exchange()
    let process = Process()
    process.executableURL = URL(filePath: BuiltProduct.path("counter-example"))
    process.environment = [AppProtocol.variable: AppProtocol.standardStreams]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data(requests.map { "\($0)\n" }.joined().utf8))
    let answered = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let lines = String(decoding: answered, as: UTF8.self).split(separator: "\n")
    #expect(lines == answers)
  }

  @Test("every method is in the document")
  func methods() throws {
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    for method in [
      "initialize", "session/start", "session/dispatch", "session/states", "session/upcast",
      "session/end", "verify", "shutdown", "progress", "cancel",
    ] {
      #expect(text.contains(method))
    }
  }
}
