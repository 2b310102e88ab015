import FluxJSON
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

/// Overload costs states: older ones are left out, and the newest of each store is written.
@Suite struct ThinningTests {
  private let folder: TemporaryFolder
  private let path: String
  private static let header = LogHeader(
    log: "1", created: LogInstant(microseconds: 0), seed: 1,
    stores: [.init(name: "a", initial: 0), .init(name: "b", initial: 0)])

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("thin.jsonl")
  }

  private static func step(
    _ number: UInt64, _ states: [(String, LogValue?)], _ writer: LogWriter? = nil
  ) -> StepRecord {
    let time = LogTime(microseconds: number)
    let value = LogValue(json: ["type": "t"])
    return StepRecord(
      number: number, time: time,
      action: writer?.begin(step: number, at: time, action: value) ?? value,
      changes: states.map { .init(store: $0.0, state: $0.1) })
  }

  private static func value(_ number: Int64) -> LogValue {
    LogValue(json: JSON(integerLiteral: number))
  }

  // MARK: The decision

  /// `3ab` for a step that holds the states of `a` and `b`.
  private static func text(_ events: [WriteQueue.Event]) -> String {
    events.map { event in
      switch event {
      case .step(let step):
        "\(step.number)"
          + (0..<step.heldStoreCount).map { step.heldStore(at: $0) }.joined()
      case .skip: "skip"
      default: "-"
      }
    }.joined(separator: " ")
  }

  /// Adds steps by the names of the stores whose states they hold; `|` skips a step, `!` is rejected.
  private static func queue(
    _ steps: [String], capacity: Int, actions: Int = 100, kept: Set<String> = []
  ) -> (events: String, released: Int, last: WriteQueueState.Admission) {
    var state = WriteQueueState(capacity: capacity, actionCapacity: actions, overflow: .thin)
    var released: [any Sendable] = []
    var last = WriteQueueState.Admission.add
    for (place, stores) in steps.enumerated() {
      let number = UInt64(place + 1)
      if stores == "|" {
        let gap = LogGap(from: number, through: number, why: .paused)
        _ = state.add(.skip(SkipRecord(gap: gap, changes: [])))
        continue
      }
      var record = Self.step(
        number, stores.filter { $0 != "!" }.map { (String($0), Self.value(Int64(number))) })
      if stores == "!" { record.rejection = LogRejection(reason: "no", message: "") }
      let step = QueuedStep(record)
      last = state.thin(for: step, isKept: kept.contains, released: &released)
      switch last {
      case .add: _ = state.add(.step(step))
      case .drop: state.drop(step.record())
      case .wait, .refuse: break
      }
    }
    return (Self.text(state.events), released.count, last)
  }

  @Test("The oldest waiting states of a step's stores make room for it")
  func oldest() {
    #expect(Self.queue(["a", "a", "a"], capacity: 3) == ("1a 2a 3a", 0, .add))
    #expect(Self.queue(["a", "a", "a", "a"], capacity: 3) == ("1 2a 3a 4a", 1, .add))
    #expect(Self.queue(["a", "a", "a", "a", "a"], capacity: 3) == ("1 2 3a 4a 5a", 2, .add))
    // Nothing of `a` may be left out for `b`, and the newest state of each store stays.
    #expect(Self.queue(["a", "a", "b"], capacity: 2) == ("1a 2a 3b", 0, .add))
    #expect(Self.queue(["a", "b", "a", "b"], capacity: 2) == ("1 2 3a 4b", 2, .add))
    #expect(Self.queue(["ab", "a", "b"], capacity: 2) == ("1a 2a 3b", 1, .add))
    #expect(Self.queue(["ab", "ab", "a"], capacity: 2) == ("1b 2b 3a", 2, .add))
    // A step without states needs no room.
    #expect(Self.queue(["a", "a", "", "!"], capacity: 2) == ("1a 2a 3 4", 0, .add))
  }

  @Test("States before a gap, and those of the first accepted step after it, stay")
  func gaps() {
    #expect(
      Self.queue(["a", "a", "|", "a", "a", "a"], capacity: 4) == ("1a 2a skip 4a 5 6a", 1, .add))
    #expect(
      Self.queue(["a", "|", "!", "", "a", "a"], capacity: 2) == ("1a skip 3 4 5 6a", 1, .add))
  }

  @Test("States that must all be seen stay; the app waits if they fill the queue")
  func kept() {
    let kept = Self.queue(["a", "a", "a"], capacity: 2, kept: ["a"])
    #expect(kept == ("1a 2a", 0, .wait))
    // However many stores there are, the app never waits for their newest states.
    #expect(
      Self.queue(["a", "b", "c", "d", "e", "f"], capacity: 1) == ("1a 2b 3c 4d 5e 6f", 0, .add))
    #expect(
      Self.queue(["ab", "ab", "b"], capacity: 2, kept: ["a"]) == ("1a 2a 3b", 2, .add))
  }

  @Test("A queue full of actions drops steps, until half of them are written")
  func actions() {
    let full = Self.queue(["a", "a", "a", "a", "a"], capacity: 1, actions: 4)
    #expect(full == ("1 2 3 4a", 3, .drop))
    var state = WriteQueueState(capacity: 1, actionCapacity: 4, overflow: .thin)
    for number in UInt64(1)...4 { _ = state.add(.step(QueuedStep(Self.step(number, [])))) }
    state.drop(Self.step(5, []))
    var (events, released): ([WriteQueue.Event], [any Sendable]) = ([], [])
    func admission() -> WriteQueueState.Admission {
      state.thin(for: QueuedStep(Self.step(6, [])), isKept: { _ in false }, released: &released)
    }
    _ = state.take(&events, atMost: 1)
    #expect(admission() == .drop)
    events = []
    _ = state.take(&events, atMost: 1)
    #expect(admission() == .add)
  }

  // MARK: The log

  /// A writer whose thread is held up in step 1 until `body` has returned.
  private func write(
    _ options: LogWriter.Options, _ body: (LogWriter) -> Void
  ) throws -> (log: LogFile, lines: [String]) {
    let writer = try LogWriter(path: path, header: Self.header, options: options)
    let (entered, gate) = (Monitor(false), Monitor(false))
    let slow = LogValue(encoding: {
      entered.withLock { $0 = true }
      entered.signal()
      return gate.waitUntil({ $0 }) { _ in 1 }
    })
    writer.append(Self.step(1, [("a", slow)], writer))
    entered.waitUntil({ $0 }) { _ in }
    body(writer)
    gate.withLock { $0 = true }
    gate.signal()
    try writer.close()
    let log = try LogFile.opened(path)
    let lines = try (0..<log.count).map { position in
      let line = try JSON.parse(log.lineText(at: position))
      let members = line.members.filter { !["t", "action", "sum"].contains($0.name) }
      return members.map { "\($0.name) \($0.value.text)" }.joined(separator: " ")
    }
    return (log, lines)
  }

  private static func thin(
    _ durability: LogWriter.Options.Durability, capacity: Int = 2
  ) -> LogWriter.Options {
    var options = LogWriter.Options()
    options.durability = durability
    options.overflow = .thin
    options.queueCapacity = capacity
    return options
  }

  @Test("A log has every action, and says which states it does not have")
  func log() throws {
    let (log, lines) = try write(Self.thin(.ahead)) { writer in
      for number in UInt64(2)...5 {
        writer.append(Self.step(number, [("a", Self.value(Int64(number)))], writer))
      }
      writer.append(Self.step(6, [("b", Self.value(6))], writer))
    }
    #expect(
      lines == [
        #"n 1 states {"a":1}"#, #"n 2 unwritten ["a"]"#, #"n 3 unwritten ["a"]"#,
        #"n 4 states {"a":4}"#, #"n 5 states {"a":5}"#, #"n 6 states {"b":6}"#,
      ])
    #expect(log.findings == [])
    #expect(log.end == LogEnd(steps: 6, isComplete: true))
  }

  @Test("An equal state and a removal are written after states that were left out")
  func equal() throws {
    let (log, lines) = try write(Self.thin(.buffered, capacity: 1)) { writer in
      writer.append(Self.step(2, [("a", Self.value(2)), ("f", Self.value(2))]))
      writer.append(Self.step(3, [("a", Self.value(1))]))
      writer.append(Self.step(4, [("f", Self.value(4))]))
      writer.append(Self.step(5, [("f", Self.value(5)), ("b", Self.value(5))]))
      writer.append(Self.step(6, [("f", nil)]))
      writer.append(Self.step(7, [("b", Self.value(7))]))
    }
    #expect(
      lines == [
        #"n 1 states {"a":1}"#, #"n 2 unwritten ["a","f"]"#, #"n 3 states {"a":1}"#,
        #"n 4 unwritten ["f"]"#, #"n 5 states {"f":5} unwritten ["b"]"#, #"n 6 removed ["f"]"#,
        #"n 7 states {"b":7}"#,
      ])
    #expect(try Timeline(log).check() == [])
  }

  @Test("After a step that cannot be encoded, steps are a gap until all states are known")
  func unencodable() throws {
    struct Unfit: Error {}
    let tries = Monitor(0)
    let unfit = LogValue(encoding: {
      try tries.withLock { tries in
        tries += 1
        if tries == 1 { throw Unfit() }
      }
      return 3
    })
    let (log, lines) = try write(Self.thin(.buffered, capacity: 1)) { writer in
      writer.append(Self.step(2, [("a", Self.value(2))]))
      writer.append(Self.step(3, [("b", unfit)]))
      writer.append(Self.step(4, [("c", Self.value(4))]))
      writer.append(Self.step(5, [("a", Self.value(5))]))
    }
    // Step 4 would have to write `a`, whose newest state comes with step 5.
    #expect(
      lines == [
        #"n 1 states {"a":1}"#, #"n 2 unwritten ["a"]"#, #"n 5 states {"a":5,"b":3,"c":4}"#,
      ])
    #expect(log.gaps.map(\.gap) == [LogGap(from: 3, through: 4, why: .dropped)])
    #expect(try Timeline(log).check() == [])
  }

  @Test("A thread that waits goes on as soon as one step is written")
  func blocked() throws {
    var options = Self.thin(.buffered)
    options.overflow = .block
    let writer = try LogWriter(path: path, header: Self.header, options: options)
    let (entered, gate) = (Monitor(0), Monitor(0))
    func slow(_ number: Int) -> LogValue {
      LogValue(encoding: {
        entered.withLock { $0 = number }
        entered.signal()
        return gate.waitUntil({ $0 >= number }) { _ in JSON(integerLiteral: Int64(number)) }
      })
    }
    writer.append(Self.step(1, [("a", slow(1))]))
    entered.waitUntil({ $0 == 1 }) { _ in }
    writer.append(Self.step(2, [("a", slow(2))]))
    writer.append(Self.step(3, [("a", slow(3))]))
    let done = Monitor(false)
    Thread {
      writer.append(Self.step(4, [("a", Self.value(4))]))
      done.withLock { $0 = true }
      done.signal()
    }.start()
    gate.withLock { $0 = 1 }
    gate.signal()
    // Step 2 is in the writer's hands, and 3 with it.
    done.waitUntil({ $0 }) { _ in }
    #expect(gate.withLock { $0 } == 1)
    gate.withLock { $0 = 4 }
    gate.signal()
    try writer.close()
    #expect(try LogFile.opened(path).count == 4)
  }

  @Test("A full file of actions in flight drops steps, and says from where on")
  func fullRing() throws {
    var options = Self.thin(.ahead, capacity: 1000)
    options.inFlightByteCount = 4096
    var dropped: [InFlightAction] = []
    let (log, _) = try write(options) { writer in
      for number in UInt64(2)...100 {
        writer.append(Self.step(number, [("b", Self.value(Int64(number)))], writer))
      }
      do { dropped = try LogFile.open(path).inFlight().filter(\.isDropped) } catch {
        Issue.record(error)
      }
    }
    let gap = try #require(log.gaps.first?.gap)
    #expect(log.gaps.count == 1)
    #expect(gap.why == .dropped && gap.through == 100)
    #expect(dropped.map(\.number) == [gap.from])
    #expect(UInt64(log.count) == gap.from - 1)
    #expect(log.findings == [])
  }
}
