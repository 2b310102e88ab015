import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures
import Testing

/// Redacted values that a step made of random numbers, which the log's seed gives to anybody.
@Suite struct RecomputableSecretTests {
  private let folder: TemporaryFolder
  private var url: URL { folder.url("log.jsonl") }

  init() throws { folder = try TemporaryFolder() }

  private func warnings(
    _ redaction: Redaction, _ actions: [KeyAction], _ messages: LogMessages = LogMessages()
  ) throws -> [LogError] {
    var options = Recorder.Options()
    options.redaction = redaction
    let recorder = Recorder(to: url, options: options, logger: messages.logger)
    let dispatcher = Dispatcher([KeyStore()])
    dispatcher.use(recorder)
    for action in actions { dispatcher.dispatch(action) }
    try recorder.close()
    #expect(recorder.failure == recorder.warnings.first)
    return recorder.warnings
  }

  private func warning(_ place: String, step: UInt64) -> LogError {
    LogError(path: url.path, reason: .recomputableSecret(place: place, step: step))
  }

  @Test("a new value at a redacted place is reported once, with the cure")
  func reported() throws {
    let messages = LogMessages()
    let expected = warning("/key/token", step: 2)
    let actions: [KeyAction] = [.name("a"), .drawToken, .drawToken, .drawID]
    #expect(try warnings(Redaction(states: ["/key/token"]), actions, messages) == [expected])
    #expect(
      messages.texts == [
        """
        warning: \(url.path): step 2: a new value at /key/token is redacted, but the step drew random \
        numbers or UUIDs, and anybody can compute those from the log; draw secrets with \
        `step.secret()`
        """
      ])
  }

  @Test("each pointer is a place, and all that an allow-list hides of a store is one")
  func places() throws {
    let redaction = Redaction(states: ["/key/token", "/**/id"])
    #expect(
      try warnings(redaction, [.drawToken, .drawID, .drawID]) == [
        warning("/key/token", step: 1), warning("/**/id", step: 2),
      ])
    #expect(
      try warnings(.only(["/key/name"]), [.drawToken, .drawID]) == [warning("/key", step: 1)])
  }

  @Test("a value that was there before, or that no random number could have made, is not reported")
  func unreported() throws {
    let redaction = Redaction(states: ["/key/token", "/key/name"], actions: ["*": ["/_0"]])
    let actions: [KeyAction] = [.name("Ada Lovelace"), .token("hunter2"), .drawID]
    #expect(try warnings(redaction, actions) == [])
    #expect(try warnings(redaction, [.nameAndID("Ada Lovelace")]) == [])
    #expect(try warnings(Redaction(states: ["/key/name"]), [.drawToken, .name("a")]) == [])
  }
}

private struct Key: StateValue {
  var id = "none"
  var name = "nobody"
  var token = "empty"
}

private enum KeyAction: Action {
  case name(String)
  case nameAndID(String)
  case token(String)
  case drawToken
  case drawID
}

private struct KeyStore: Store {
  var initialState: Key { Key() }

  func reduce(_ key: inout Key, _ action: KeyAction, _ step: inout Step) {
    switch action {
    case .name(let name): key.name = name
    case .nameAndID(let name):
      key.name = name
      key.id = step.uuid().uuidString
    case .token(let token): key.token = token
    case .drawToken: key.token = String(step.random.next(), radix: 16)
    case .drawID: key.id = step.uuid().uuidString
    }
  }
}
