import FluxJSON
import FluxSystem
import Testing

@testable import FluxLog

/// Steps that find no room in the queue, and steps that are written.
@Suite struct WriteQueueTests {
  private static func step(_ number: UInt64) -> QueuedStep {
    QueuedStep(
      StepRecord(
        number: number, time: LogTime(microseconds: number),
        action: LogValue(json: ["type": "log/in"])))
  }

  @Test("The thread of the next step releases what is written")
  func releasesSpentSteps() {
    let queue = WriteQueue(capacity: 8, overflow: .thin)
    queue.push(.step(Self.step(1)))
    queue.push(.step(Self.step(2)))
    var events: [WriteQueue.Event] = []
    let batch = queue.next(isIdle: true, &events, atMost: 1)
    weak var written: QueuedStep?
    do {
      guard case .step(let step as QueuedStep) = events[0] else { return #expect(Bool(false)) }
      written = step
      events = []
      queue.finish(batch.total, spent: [step])
    }
    #expect(written != nil)
    queue.push(.step(Self.step(3)))
    #expect(written == nil)
  }

  @Test("A rewriter sees the action and all states of every step that is dropped, and of no other")
  func showsDroppedSteps() {
    let seen = Monitor<[String]>([])
    let rewriter = ClosureRewriter { role, value in
      seen.withLock { $0.append("\(role) \(value.text)") }
      return value
    }
    let queue = WriteQueue(capacity: 1, overflow: .drop, rewriter: rewriter)
    for number in UInt64(1)...3 {
      let key = JSON(stringLiteral: "key \(number)")
      let token = JSON(stringLiteral: "token \(number)")
      queue.push(
        .step(
          QueuedStep(
            StepRecord(
              number: number, time: LogTime(microseconds: number),
              action: LogValue(json: ["type": "log/in", "payload": key]),
              changes: [
                .init(store: "session", state: LogValue(json: ["token": token])),
                .init(store: "draft", state: nil),
              ]))))
    }
    #expect(
      seen.withLock { $0 } == [
        #"state("session") {"token":"token 2"}"#,
        #"action {"type":"log/in","payload":"key 2"}"#,
        #"state("session") {"token":"token 3"}"#,
        #"action {"type":"log/in","payload":"key 3"}"#,
      ])
  }
}
