import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// A fork of a recording that hides values hides them too when it is saved.
@Suite struct ForkRedactionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Redacts the password in states, and the key in actions too.
  private static let redaction = Redaction(
    states: ["/hotel/key", "/hotel/guests/*/password"], actions: ["hotel/open": ["/key"]])

  /// Steps 1 and 2.
  private func sample(_ redaction: Redaction = Self.redaction) throws -> Timeline {
    let log = try record(
      [HotelStore()], to: folder.url("hotel.jsonl"),
      { $0.redaction = redaction }
    ) { dispatcher in
      dispatcher.dispatch(HotelAction.open(key: "hunter2"))
      dispatcher.dispatch(HotelAction.admit(name: "joe", password: "swordfish"))
    }
    try log.waitForIndex()
    return Timeline(log)
  }

  /// The steps of the saved fork, each with its action and what it led to; tokens are counted from 1.
  private func saved(_ fork: Fork) throws -> String {
    let path = folder.path("saved.jsonl")
    try fork.save(to: path, log: "saved")
    let log = try LogFile.open(path)
    try log.waitForIndex()
    #expect(log.header.redacted == fork.timeline.log.header.redacted)
    let timeline = Timeline(log)
    var text = ""
    for position in 0..<log.count {
      let step = try log.step(at: position)
      let end = try step.rejection?.message ?? timeline.model(at: position).json.text
      text += "\(step.number) \(step.action.text) \(end)\n"
    }
    var tokens = 0
    while let match = text.firstMatch(of: /<redacted [0-9a-f]{16}>/) {
      tokens += 1
      text = text.replacing(String(match.output), with: "<\(tokens)>")
    }
    return text
  }

  /// Returns the secrets in the file and the problems that verifying it shows.
  private func problems(_ secrets: String...) async throws -> [String] {
    let text = try folder.text(of: "saved.jsonl")
    let report = try await AppDefinition { [HotelStore()] }
      .verify(LogFile.open(folder.path("saved.jsonl")))
    return secrets.filter { text.contains($0) } + (report.verdict == .passed ? [] : [report.text])
  }

  @Test("what stands at a redacted place is a token wherever it comes up, and the log verifies")
  func dispatched() async throws {
    let timeline = try sample()
    let fork = try Fork(at: 1, of: timeline, in: AppDefinition { [HotelStore()] })
    try fork.dispatch(["type": "hotel/open", "payload": ["key": "SECRETTOKEN"]])
    try fork.dispatch([
      "type": "hotel/admit", "payload": ["name": "SECRETTOKEN's", "password": "rosebud"],
    ])
    try fork.dispatch(["type": "hotel/admit", "payload": ["name": "rosebud", "password": "ann"]])
    #expect(
      try saved(fork) == #"""
        3 {"type":"hotel/open","payload":{"key":"<1>"}} {"hotel":{"guests":[{"name":"joe","password":"<2>"}],"key":"<1>"}}
        4 {"type":"hotel/admit","payload":{"name":"<1>'s","password":"<3>"}} {"hotel":{"guests":[{"name":"joe","password":"<2>"},{"name":"<1>'s","password":"<3>"}],"key":"<1>"}}
        5 {"type":"hotel/admit","payload":{"name":"<3>","password":"<4>"}} {"hotel":{"guests":[{"name":"joe","password":"<2>"},{"name":"<1>'s","password":"<3>"},{"name":"<3>","password":"<4>"}],"key":"<1>"}}

        """#)
    #expect(try await problems("SECRETTOKEN", "rosebud", "ann") == [])
  }

  @Test("a payload is a token where recorded actions of its type have one, though no state has it")
  func rejected() throws {
    let timeline = try sample()
    let fork = try Fork(at: 1, of: timeline, in: AppDefinition { [HotelStore(isShut: true)] })
    try fork.dispatch(["type": "hotel/open", "payload": ["key": "SECRETTOKEN"]])
    #expect(
      try saved(fork) == #"""
        3 {"type":"hotel/open","payload":{"key":"<1>"}} no key fits, not even <1>

        """#)
  }

  @Test("a payload in a batch is a token as it is alone, whether it was recorded in a batch or not")
  func batches() throws {
    let login: JSON = ["type": "hotel/open", "payload": ["key": "SECRETTOKEN"]]
    let inner: JSON = ["type": "batch", "payload": ["actions": [login]]]
    let batch: JSON = ["type": "batch", "payload": ["actions": [inner]]]
    let shut = AppDefinition { [HotelStore(isShut: true)] }
    let alone = try Fork(at: 1, of: try sample(), in: shut)
    try alone.dispatch(batch)
    #expect(!(try saved(alone)).contains("SECRETTOKEN"))
    let log = try record(
      [HotelStore()], to: folder.url("batch.jsonl"), { $0.redaction = Self.redaction }
    ) { dispatcher in
      dispatcher.dispatch(Batch(nil, [HotelAction.open(key: "hunter2")]))
    }
    try log.waitForIndex()
    let recorded = try Fork(at: 0, of: Timeline(log), in: shut)
    try recorded.dispatch(login)
    #expect(!(try folder.text(of: "batch.jsonl")).contains("hunter2"))
    try recorded.save(to: folder.path("second.jsonl"), log: "second")
    #expect(!(try folder.text(of: "second.jsonl")).contains("SECRETTOKEN"))
  }

  @Test(
    "a payload is a token, and so is what comes of it, where the recording hides nothing but payloads"
  )
  func hiddenInActionsAlone() async throws {
    let timeline = try sample(Redaction(actions: ["hotel/*": ["/key", "/password"]]))
    let fork = try Fork(at: 0, of: timeline, in: AppDefinition { [HotelStore()] })
    try fork.dispatch(["type": "hotel/open", "payload": ["key": "SECRETTOKEN"]])
    #expect(
      try saved(fork) == #"""
        2 {"type":"hotel/open","payload":{"key":"<1>"}} {"hotel":{"guests":[],"key":"<1>"}}

        """#)
    #expect(try await problems("SECRETTOKEN") == [])
  }

  @Test("recorded steps that are dispatched again keep their tokens")
  func redispatched() async throws {
    let timeline = try sample()
    let fork = try Fork.redispatching(
      0..<2, of: timeline, in: AppDefinition { [HotelStore()] })
    #expect(
      try saved(fork) == #"""
        1 {"type":"hotel/open","payload":{"key":"<1>"}} {"hotel":{"guests":[],"key":"<1>"}}
        2 {"type":"hotel/admit","payload":{"name":"joe","password":"<2>"}} {"hotel":{"guests":[{"name":"joe","password":"<2>"}],"key":"<1>"}}

        """#)
    #expect(try await problems("hunter2", "swordfish") == [])
  }
}
