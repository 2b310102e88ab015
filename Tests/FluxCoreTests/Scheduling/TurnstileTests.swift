import Foundation
import TestFixtures
import Testing

@testable import FluxCore

/// Compares a turnstile with its model in every order in which threads can take their steps.
///
/// Real threads run the operations, one step at a time. After each step, the test waits until every thread
/// has reported its event or sleeps in the turnstile, so the results depend on no timing.
@Suite(.hangLimit) struct TurnstileTests {
  typealias Operation = TurnstileModel.Operation

  struct Scenario: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let scripts: [[Operation]]
    let schedules: Int
  }

  static let scenarios = [
    Scenario(
      testDescription: "three threads enter and leave",
      scripts: Array(repeating: [.enter, .leave], count: 3), schedules: 30),
    Scenario(
      testDescription: "three threads queue an item each",
      scripts: [
        [.enter, .append("a"), .leave], [.enter, .append("b"), .leave],
        [.enter, .append("c"), .leave],
      ], schedules: 132),
    Scenario(
      testDescription: "three threads queue items and enter again",
      scripts: [
        [.enter, .append("a"), .leave, .enter, .leave],
        [.enter, .append("b"), .append("c"), .leave],
        [.enter, .leave],
      ], schedules: 507),
    Scenario(
      testDescription: "a thread queues two items and enters a second time, two others pass",
      scripts: [
        [.enter, .append("a"), .enterAgain, .append("b"), .leave], [.enter, .append("c"), .leave],
        [.enter, .leave],
      ], schedules: 156),
    Scenario(
      testDescription:
        "a thread queues an item, another one detaches two, and the worker runs them",
      scripts: [
        [.enter, .append("a"), .leave], [.appendDetached("b"), .appendDetached("c")],
      ], schedules: 68),
    Scenario(
      testDescription: "a thread enters twice while another one has a turn and detaches an item",
      scripts: [
        [.enter, .append("a"), .leave, .enter, .leave],
        [.appendDetached("b"), .enter, .append("c"), .leave],
      ], schedules: 322),
  ]

  @Test("every schedule gives the turn as the model does", arguments: scenarios)
  func everySchedule(_ scenario: Scenario) {
    let model = TurnstileModel(scenario.scripts)
    let crew = Crew(threads: Array(scenario.scripts.indices) + [TurnstileModel.worker])
    defer { crew.dismiss() }
    var schedules = 0
    var failures: [String] = []
    model.forEachSchedule { schedule in
      schedules += 1
      if failures.isEmpty, let failure = crew.run(schedule, of: model) { failures.append(failure) }
    }
    #expect(failures == [])
    #expect(schedules == scenario.schedules)
  }

  @Test("a closed turnstile drops detached items and lets its worker run the queued ones")
  func closed() {
    let turnstile = Turnstile<String>()
    #expect(turnstile.enter() == .entered)
    onThreads(1) { _ in
      #expect(turnstile.appendDetached("a") == true)
      #expect(turnstile.appendDetached("b") == false)
    }
    turnstile.close()
    onThreads(1) { _ in #expect(turnstile.appendDetached("c") == nil) }
    #expect(turnstile.tryToLeave() == false)
    #expect(turnstile.next() == nil)
    let items = Recorded<String>()
    turnstile.work { items.append($0) }
    #expect(items.all == ["a", "b"])
  }

  @Test("a thread that has the turn of another turnstile does not wait unless it is told to")
  func insideAnotherTurn() {
    let (first, second) = (Turnstile<Int>(), Turnstile<Int>())
    #expect(first.enter() == .entered)
    onThreads(1) { _ in
      #expect(second.enter() == .entered)
      #expect(first.enter() == .wouldDeadlock)
      #expect(second.tryToLeave())
    }
    #expect(first.tryToLeave())
  }

  @Test("a thread with another turn waits neither to enter nor for its items")
  func otherTurn() {
    let turnstile = Turnstile<String>()
    let inside = DispatchSemaphore(value: 0)
    let entered = Recorded<String>()
    onThreads(2) { thread in
      guard thread == 0 else {
        inside.wait()
        #expect(turnstile.enter() == .entered)
        entered.append("other")
        #expect(turnstile.tryToLeave() == false)
        #expect(turnstile.next() == nil)
        return
      }
      let turn = OtherTurn()
      turn.begin()
      #expect(turnstile.enter() == .entered)
      inside.signal()
      while turnstile.waitingThreads == 0 { Thread.sleep(forTimeInterval: 0.001) }
      turnstile.append("a")
      turnstile.append("b")
      onThreads(1) { _ in
        let turn = OtherTurn()
        turn.begin()
        #expect(turnstile.enter() == .wouldDeadlock)
        turn.end()
      }
      #expect(turnstile.tryToLeave() == false)
      while let item = turnstile.next() { entered.append(item) }
      turn.end()
    }
    #expect(entered.all == ["a", "b", "other"])
  }

  @Test("a thread that ends with another turn leaves it to no later one of the same identity")
  func endedThread() {
    let turn = OtherTurn()
    onThreads(1) { _ in turn.begin() }
    for _ in 0..<16 {
      onThreads(1) { _ in #expect(!OtherTurn.isCurrent) }
    }
    turn.end()
  }
}

/// Threads that run the operations of a schedule on a turnstile, one step at a time.
private final class Crew: @unchecked Sendable {
  // Sendable: `condition` guards the variables.
  typealias Event = TurnstileModel.Event
  typealias Command = @Sendable () -> Void

  private let condition = NSCondition()
  private var commands: [Int: Command] = [:]
  private var isDismissed = false
  private var events: [Event] = []
  /// The threads whose command has not reported its event.
  private var busy: Set<Int> = []
  /// The permission for the worker to return from its item.
  private var workerMayGoOn = false

  init(threads: [Int]) {
    for thread in threads {
      Thread { [self] in
        while let command = nextCommand(of: thread) { command() }
      }
      .start()
    }
  }

  func dismiss() {
    condition.withLock {
      isDismissed = true
      condition.broadcast()
    }
  }

  private func nextCommand(of thread: Int) -> Command? {
    condition.withLock {
      while commands[thread] == nil, !isDismissed { condition.wait() }
      return commands.removeValue(forKey: thread)
    }
  }

  /// Runs one schedule on a new turnstile; returns a description of the first difference from the model.
  func run(_ schedule: [Int], of model: TurnstileModel) -> String? {
    var model = model
    let turnstile = Turnstile<String>()
    var workerHasStarted = false
    defer {
      turnstile.close()
      if workerHasStarted { waitUntilIdle() }
    }
    for (index, thread) in schedule.enumerated() {
      let operation = model.operation(of: thread)
      let expected = model.step(thread)
      if let operation {
        give(thread) { [self] in perform(operation, thread, turnstile) }
      } else if workerHasStarted {
        letWorkerGoOn()
      } else {
        workerHasStarted = true
        give(thread) { [self] in
          turnstile.work { runInWorker($0) }
          report(nil, from: TurnstileModel.worker)
        }
      }
      let found = eventsWhenQuiet(turnstile)
      if Set(found) != Set(expected) || found.count != expected.count {
        return "step \(index) of \(schedule): expected \(expected), found \(found)"
      }
    }
    return nil
  }

  private func perform(
    _ operation: TurnstileModel.Operation, _ thread: Int, _ turnstile: Turnstile<String>
  ) {
    switch operation {
    case .enter, .enterAgain:
      switch turnstile.enter() {
      case .entered: report(.entered(thread), from: thread)
      case .nested: report(.nested(thread), from: thread)
      case .wouldDeadlock: report(nil, from: thread)
      }
    case .append(let item):
      turnstile.append(item)
      report(.appended(thread), from: thread)
    case .appendDetached(let item):
      let startsWorker = turnstile.appendDetached(item)
      report(startsWorker.map { .detached(thread, startsWorker: $0) }, from: thread)
    case .leave:
      let item = turnstile.tryToLeave() ? nil : turnstile.next()
      report(item.map { .runs($0, thread) } ?? .left(thread), from: thread)
    }
  }

  private func give(_ thread: Int, _ command: @escaping Command) {
    condition.withLock {
      commands[thread] = command
      busy.insert(thread)
      condition.broadcast()
    }
  }

  private func report(_ event: Event?, from thread: Int) {
    condition.withLock {
      if let event { events.append(event) }
      busy.remove(thread)
      condition.broadcast()
    }
  }

  /// Reports an item from inside `work`, and stays there until the schedule goes on with the worker.
  private func runInWorker(_ item: String) {
    condition.withLock {
      events.append(.runs(item, TurnstileModel.worker))
      busy.remove(TurnstileModel.worker)
      condition.broadcast()
      while !workerMayGoOn { condition.wait() }
      workerMayGoOn = false
    }
  }

  private func letWorkerGoOn() {
    condition.withLock {
      busy.insert(TurnstileModel.worker)
      workerMayGoOn = true
      condition.broadcast()
    }
  }

  /// Waits until every busy thread sleeps in the turnstile; returns the events so far.
  private func eventsWhenQuiet(_ turnstile: Turnstile<String>) -> [Event] {
    while true {
      // In this order: a thread that wakes another one reports after the turnstile has counted it as awake.
      let busyCount = condition.withLock { busy.count }
      if busyCount == turnstile.waitingThreads {
        return condition.withLock {
          defer { events = [] }
          return events
        }
      }
      sched_yield()
    }
  }

  private func waitUntilIdle() {
    condition.withLock {
      while !busy.isEmpty { condition.wait() }
    }
  }
}
