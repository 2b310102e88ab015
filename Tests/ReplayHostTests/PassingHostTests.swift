import FluxHost
import FluxLog
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Hosts in other languages that verify logs themselves, and know less about logs than this package: one that passes
/// every log, in a few lines of shell.
@Suite(.waiting) struct PassingHostTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A host whose answer to `verify` has further members, and which knows no other request.
  private func host(_ members: String = "") throws -> HostApp {
    let welcome =
      #"{"jsonrpc":"2.0","id":1,"result":{"protocol":"2.0","app":{"stores":[{"name":"counter"}],"#
      + #""actionTypes":["counter"]},"capabilities":{"verify":true,"#
      + #""tells":["effects","cancels","messages"]}}}"#
    let passed = #"{"jsonrpc":"2.0","id":2,"result":{"verdict":"passed","steps":1\#(members)}}"#
    let lines = [welcome, passed].map { "read -r line; printf '%s\\n' '\($0)'\n" }.joined()
    return HostApp(
      executable: try folder.writeExecutable("#!/bin/sh\n\(lines)read -r line\n", to: "HOST"))
  }

  /// A log of one step, with lines after it.
  private func timeline(_ lines: [String]) throws -> Timeline {
    let first = [
      #"{"flux":"1.0","stores":{"counter":{"initial":0}}}"#,
      #"{"n":1,"t":0,"action":{"type":"counter/add"},"states":{"counter":1}}"#,
    ]
    let text = (first + lines).map { "\($0)\n" }.joined()
    return Timeline(try LogFile.open(try folder.write(text.utf8, to: "counter.jsonl")))
  }

  @Test("a closed log needs nothing but the host's answer")
  func closed() throws {
    let report = try host().verify(try timeline([#"{"end":{"steps":1,"ok":true}}"#]))
    #expect(report.verdict == .passed && report.steps == 1 && report.isClosed && report.notes == [])
  }

  @Test("the report has a note on a log that was not closed", arguments: ["", #","closed":false"#])
  func openEnd(_ closed: String) throws {
    let report = try host(closed).verify(try timeline([]))
    #expect(report.verdict == .passed && !report.isClosed)
    #expect(
      report.notes == [
        "the log was not closed: its app ended without closing it, or is still recording; its last steps may be missing"
      ])
  }

  @Test("a damaged log is verified from here")
  func damaged() throws {
    let timeline = try timeline([#"{"n":2"#, #"{"end":{"steps":2,"ok":true}}"#])
    let failure = #expect(throws: ReplayFailure.self) { try host().verify(timeline) }
    #expect(failure?.description.contains(#""session" of the reference to a session"#) == true)
  }
}
