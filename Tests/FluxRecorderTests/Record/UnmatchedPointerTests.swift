import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures
import Testing

/// A pointer that matches nothing is probably misspelled, and a secret is in the log.
@Suite struct UnmatchedPointerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("pointers that matched nothing are in the warnings, in the end line, and in the app's log")
  func reported() throws {
    let url = folder.url("log.jsonl")
    var options = Recorder.Options()
    options.redaction = Redaction(
      states: ["/session/tokn", "/session/token", "/users/*/password"],
      actions: ["vault/login": ["/token", "/passwrd"], "vault/pay": ["/card"]])
    let messages = LogMessages()
    let recorder = Recorder(to: url, options: options, logger: messages.logger)
    let dispatcher = Dispatcher([SessionStore(), UsersStore()])
    dispatcher.use(recorder)
    dispatcher.dispatch(VaultAction.login(token: "hunter2"))
    try recorder.flush()
    #expect(recorder.warnings == [])
    try recorder.close()
    try recorder.close()

    let pointers = [
      "/session/tokn", "/users/*/password", "vault/login /passwrd", "vault/pay /card",
    ]
    let error = LogError(path: url.path, reason: .unmatchedRedaction(pointers))
    #expect(recorder.warnings == [error])
    #expect(recorder.failure == error)
    #expect(
      messages.texts == [
        """
        warning: \(url.path): 4 redaction pointers matched no value: /session/tokn, \
        /users/*/password, vault/login /passwrd, vault/pay /card; check the spelling, unless the \
        value was absent throughout
        """
      ])
    #expect(
      try linesWithoutSums(url).last
        == #"{"end":{"steps":1,"ok":true,"unmatched":["/session/tokn","/users/*/password","vault/login /passwrd","vault/pay /card"]}}"#
    )
    let log = try LogFile.open(url.path)
    try log.waitForIndex()
    #expect(log.end?.unmatched == pointers)
    // From the index beside the log.
    let again = try LogFile.open(url.path)
    try again.waitForIndex()
    #expect(again.end?.unmatched == pointers)
  }

  @Test("a pointer of an allow-list that matched nothing is reported, a null counts as a match")
  func allowList() throws {
    var options = Recorder.Options()
    options.redaction = .only(["/a/b", "/a/c"], actions: ["go": ["/x"]])
    let recorder = Recorder(to: folder.url("log.jsonl"), options: options)
    recorder.start(states: ["a": ["b": Int?.none]])
    recorder.record(NamedAction("go"), states: ["a": ["b": 1]])
    try recorder.close()
    #expect(recorder.warnings.map(\.reason) == [.unmatchedRedaction(["/a/c", "go /x"])])
  }
}
