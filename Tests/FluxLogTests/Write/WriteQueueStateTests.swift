import FluxJSON
import TestFixtures
import Testing

@testable import FluxLog

/// The state machine of the queue, without locks and threads.
@Suite struct WriteQueueStateTests {
  private static func step(_ number: UInt64, _ changes: [(String, Int64)] = []) -> StepRecord {
    StepRecord(
      number: number, time: LogTime(microseconds: number),
      action: LogValue(json: ["type": "t"]),
      changes: changes.map {
        .init(store: $0.0, state: LogValue(json: JSON(integerLiteral: $0.1)))
      })
  }

  private static let full = LogError(path: "a", reason: .exists)

  /// `3` for a step, `(3-5)` for skipped steps, `"x"` for a mark.
  private static func text(_ events: [WriteQueue.Event]) -> String {
    events.map { event in
      switch event {
      case .step(let step): "\(step.number)"
      case .skip(let skipped): "(\(skipped.gap.from)-\(skipped.gap.through))"
      case .mark(let mark): "\"\(mark.text)\""
      case .restore(let record): "restore \(record.next)"
      case .examine: "examine"
      case .done: "done"
      }
    }.joined(separator: " ")
  }

  /// The phase, the writing thread, the events and the waiting threads.
  private static func text(_ state: borrowing WriteQueueState) -> String {
    let phase =
      switch state.phase {
      case .open: "open"
      case .dropping(let skipped): "dropping \(skipped.gap.from)-\(skipped.gap.through)"
      case .draining(let closing): "draining to \(closing)"
      case .failed(_, let closing): closing.map { "failed, to \($0)" } ?? "failed"
      case .ended(let error): error == nil ? "ended" : "ended after a failure"
      }
    let waiters = state.waiterCount > 0 ? ", \(state.waiterCount) wait" : ""
    return "\(phase), \(state.writer), [\(text(state.events))]\(waiters)"
  }

  /// Performs one event, given as a word; returns the action.
  private static func perform(_ event: String, on state: inout WriteQueueState) -> String {
    switch event {
    case "step?": return "\(state.admission(isStep: true))"
    case "mark?": return "\(state.admission(isStep: false))"
    case "mark":
      return "\(state.add(.mark(LogMark(text: "x", time: LogTime(microseconds: 0)))))"
    case "drop": state.drop(step(state.total + 1))
    case "wait": return "\(state.beginWait())"
    case "room?": return "\(state.isOver(.room))"
    case "written?": return "\(state.isOver(.written(state.total)))"
    case "end wait": state.endWait()
    case "close": return "\(state.close(.close))"
    case "abandon": return "\(state.close(.abandon))"
    case "sleep": state.fallAsleep()
    case "nap over?": return "\(state.isReady(isIdle: false))"
    case "awake?": return "\(state.isReady(isIdle: true))"
    case "take":
      var events: [WriteQueue.Event] = []
      let (batch, action) = state.take(&events)
      let closing = batch.closing.map { ", \($0)" } ?? ""
      return "\(action), [\(text(events))] of \(batch.total)\(closing)"
    case "take 1":
      var events: [WriteQueue.Event] = []
      let (batch, action) = state.take(&events, atMost: 1)
      return "\(action), [\(text(events))] of \(batch.total)"
    case "release": return "\(state.release())"
    case "written": return finish(on: &state, spent: [])
    case "written, x spent": return finish(on: &state, spent: [Token("x")])
    case "written, y spent": return finish(on: &state, spent: [Token("y")])
    case "spent": return "\(state.takeSpent().compactMap { ($0 as? Token)?.name })"
    case "accepts?": return "\(state.isAccepting)"
    case "widen": return "\(state.limit(to: 9))"
    case "fail":
      let (action, released) = state.fail(full)
      return "\(action), [\(text(released))] released"
    case "end": return "\(state.end())"
    default: return "\(state.add(.step(QueuedStep(step(UInt64(event) ?? 0)))))"
    }
    return "-"
  }

  /// Something large that is written.
  private final class Token: Sendable {
    let name: String

    init(_ name: String) { self.name = name }
  }

  /// Returns the action, and what the writing thread releases.
  private static func finish(
    on state: inout WriteQueueState, spent: [WriteQueue.Spent]
  ) -> String {
    var spent = spent
    let action = state.finish(state.total, spent: &spent)
    let names = spent.compactMap { ($0 as? Token)?.name }
    return names.isEmpty ? "\(action)" : "\(action), \(names)"
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let before: [String]
    let event: String
    let action: String
    let after: String
    var testDescription: String { "\(before.joined(separator: ", ")); \(event)" }

    init(_ before: [String], _ event: String, _ action: String, _ after: String) {
      (self.before, self.event, self.action, self.after) = (before, event, action, after)
    }
  }

  private static func check(_ transition: Case, _ overflow: LogWriter.Options.Overflow) {
    var state = WriteQueueState(capacity: 4, overflow: overflow)
    for event in transition.before { _ = perform(event, on: &state) }
    #expect(perform(transition.event, on: &state) == transition.action)
    #expect(text(state) == transition.after)
  }

  @Test(
    "The thread of the next step releases what is written while steps wait, and otherwise the writing thread does",
    arguments: [
      Case([], "written, x spent", #"none, ["x"]"#, "open, awake, []"),
      Case(["1"], "written, x spent", "none", "open, awake, [1]"),
      Case(["1", "written, x spent"], "accepts?", "false", "open, awake, [1]"),
      Case(["1", "written, x spent"], "spent", #"["x"]"#, "open, awake, [1]"),
      Case(["1", "written, x spent", "spent"], "accepts?", "true", "open, awake, [1]"),
      // The app has not come for it.
      Case(["1", "written, x spent"], "written, y spent", #"none, ["x"]"#, "open, awake, [1]"),
      Case(
        ["1", "written, x spent", "take"], "written, y spent", #"none, ["x", "y"]"#,
        "open, awake, []"),
    ])
  func spent(transition: Case) {
    Self.check(transition, .thin)
  }

  @Test(
    "Every event in every state has one action and one next state",
    arguments: [
      Case([], "step?", "add", "open, awake, []"),
      Case([], "1", "none", "open, awake, [1]"),
      Case(["1"], "2", "signal", "open, called, [1 2]"),
      Case(["1", "2"], "3", "none", "open, called, [1 2 3]"),
      Case(["sleep"], "1", "signal", "open, called, [1]"),
      Case(["1"], "sleep", "-", "open, awake, [1]"),
      Case(["wait"], "sleep", "-", "open, called, [], 1 wait"),
      Case(["1", "2", "3", "4"], "step?", "wait", "open, called, [1 2 3 4]"),
      Case(["1", "2", "3", "4"], "mark?", "wait", "open, called, [1 2 3 4]"),
      Case(["1", "2", "3", "4"], "wait", "signal", "open, called, [1 2 3 4], 1 wait"),
      Case(["1", "2", "3", "4", "wait"], "room?", "false", "open, called, [1 2 3 4], 1 wait"),
      Case(
        ["1", "2", "3", "4", "wait"], "take", "signal, [1 2 3 4] of 4", "open, awake, [], 1 wait"),
      Case(["1", "2", "3", "4", "wait", "take"], "room?", "true", "open, awake, [], 1 wait"),
      Case(["1", "2", "3", "4", "wait"], "widen", "signal", "open, called, [1 2 3 4], 1 wait"),
      Case(
        ["1", "2", "3", "4", "wait", "widen"], "room?", "true", "open, called, [1 2 3 4], 1 wait"),
      Case(["wait"], "end wait", "-", "open, called, []"),
      Case(["1", "wait"], "written?", "false", "open, called, [1], 1 wait"),
      Case(["1", "wait", "take"], "written?", "false", "open, awake, [], 1 wait"),
      Case(
        ["1", "2", "3", "4", "take", "5"], "step?", "wait", "open, awake, [5]"),
      Case(
        ["1", "2", "3", "4", "take", "5", "wait"], "release", "signal",
        "open, called, [5], 1 wait"),
      Case(
        ["1", "2", "3", "4", "take", "5", "wait", "release"], "room?", "true",
        "open, called, [5], 1 wait"),
      Case(["1", "2", "3"], "take 1", "none, [1] of 1", "open, called, [2 3]"),
      Case(["1", "2", "3", "take 1"], "take 1", "none, [2] of 2", "open, called, [3]"),
      Case(["1", "2", "3", "take 1"], "4", "none", "open, called, [2 3 4]"),
      Case(
        ["1", "2", "close"], "take 1", "none, [1] of 1", "draining to close, called, [2]"),
      Case(["1", "wait", "take"], "written", "signal", "open, awake, [], 1 wait"),
      Case(["1", "wait", "take", "written"], "written?", "true", "open, awake, [], 1 wait"),
      Case(["1", "take"], "written", "none", "open, awake, []"),
      Case(["1"], "take", "none, [1] of 1", "open, awake, []"),
      Case(["1"], "nap over?", "false", "open, awake, [1]"),
      Case(["1"], "awake?", "true", "open, awake, [1]"),
      Case(["sleep"], "awake?", "false", "open, asleep, []"),
      Case(["1", "2"], "nap over?", "true", "open, called, [1 2]"),
      Case(["1"], "close", "signal", "draining to close, awake, [1]"),
      Case(["1"], "abandon", "signal", "draining to abandon, awake, [1]"),
      Case(["close"], "abandon", "signal", "draining to close, awake, []"),
      Case(["close"], "step?", "refuse", "draining to close, awake, []"),
      Case(["close"], "nap over?", "true", "draining to close, awake, []"),
      Case(
        ["1", "2", "3", "4", "wait", "close"], "room?", "true",
        "draining to close, called, [1 2 3 4], 1 wait"),
      Case(["1", "close", "wait"], "written?", "false", "draining to close, called, [1], 1 wait"),
      Case(["1", "close"], "take", "none, [1] of 1, close", "draining to close, awake, []"),
      Case(["1", "close", "take"], "end", "signal", "ended, awake, []"),
      Case(["1", "2"], "fail", "signal, [1 2] released", "failed, called, []"),
      Case(["1", "fail"], "fail", "none, [] released", "failed, awake, []"),
      Case(["fail"], "step?", "refuse", "failed, awake, []"),
      Case(["fail", "wait"], "written?", "true", "failed, called, [], 1 wait"),
      Case(["1", "2", "3", "4", "wait", "fail"], "room?", "true", "failed, called, [], 1 wait"),
      Case(["fail"], "nap over?", "false", "failed, awake, []"),
      Case(["fail"], "close", "signal", "failed, to close, awake, []"),
      Case(["fail", "close"], "take", "none, [] of 0, close", "failed, to close, awake, []"),
      Case(["fail", "close"], "end", "signal", "ended after a failure, awake, []"),
      Case(["close"], "fail", "signal, [] released", "failed, to close, awake, []"),
      Case(["end"], "step?", "refuse", "ended, awake, []"),
      Case(["end"], "close", "signal", "ended, awake, []"),
      Case(["end"], "fail", "none, [] released", "ended, awake, []"),
      Case(["1", "end", "wait"], "written?", "true", "ended, called, [1], 1 wait"),
    ])
  func blocking(_ transition: Case) { Self.check(transition, .block) }

  @Test(
    "Steps without room are dropped, and their record precedes the next event",
    arguments: [
      Case(["1", "2", "3", "4"], "step?", "drop", "open, called, [1 2 3 4]"),
      Case(["1", "2", "3", "4"], "mark?", "add", "open, called, [1 2 3 4]"),
      Case(["1", "2", "3", "4"], "drop", "-", "dropping 5-5, called, [1 2 3 4]"),
      Case(["1", "2", "3", "4", "drop"], "step?", "drop", "dropping 5-5, called, [1 2 3 4]"),
      Case(["1", "2", "3", "4", "drop"], "mark", "none", "open, called, [1 2 3 4 (5-5) \"x\"]"),
      Case(
        ["1", "2", "3", "4", "drop"], "take", "none, [1 2 3 4] of 4", "dropping 5-5, awake, []"),
      Case(["1", "2", "3", "4", "drop", "take"], "step?", "add", "dropping 5-5, awake, []"),
      Case(["1", "2", "3", "4", "drop", "take"], "6", "signal", "open, called, [(5-5) 6]"),
      Case(
        ["1", "2", "3", "4", "drop"], "close", "signal",
        "draining to close, called, [1 2 3 4 (5-5)]"),
      Case(
        ["1", "2", "3", "4", "drop"], "fail", "signal, [1 2 3 4] released", "failed, called, []"),
      Case(["close"], "drop", "-", "draining to close, awake, []"),
      Case(["fail"], "drop", "-", "failed, awake, []"),
      Case(["end"], "drop", "-", "ended, awake, []"),
    ])
  func dropping(_ transition: Case) { Self.check(transition, .drop) }

  @Test("Of the dropped steps, each store's newest state is kept")
  func droppedStates() throws {
    var state = WriteQueueState(capacity: 1, overflow: .drop)
    state.drop(Self.step(1, [("a", 1), ("b", 1)]))
    state.drop(Self.step(2, [("c", 2), ("a", 2)]))
    guard case .dropping(let skipped) = state.phase else { throw Self.full }
    #expect(skipped.gap == LogGap(from: 1, through: 2, why: .dropped))
    let states = try skipped.changes.map { "\($0.store) \(try $0.state?.state(of: "").text ?? "")" }
    #expect(states == ["a 2", "b 1", "c 2"])
  }

  // MARK: Model

  /// The same rules as lists and flags.
  private struct Model {
    var (isOpen, hasFailed, hasEnded) = (true, false, false)
    var closing: WriteQueue.Closing?
    var waiting: [String] = []
    var taken = 0
    var dropped: ClosedRange<UInt64>?
    var (total, written): (UInt64, UInt64) = (0, 0)
    var (isAsleep, isCalled) = (false, false)

    mutating func add(_ event: String, _ capacity: Int) -> Bool {
      if let dropped {
        waiting.append("(\(dropped.lowerBound)-\(dropped.upperBound))")
        total += 1
      }
      dropped = nil
      waiting.append(event)
      total += 1
      let wakes = isAsleep || waiting.count == capacity / 2
      if wakes { (isAsleep, isCalled) = (false, true) }
      return wakes
    }
  }

  @Test(
    "Random events have the results of a naive model",
    arguments: [LogWriter.Options.Overflow.block, .drop])
  func model(_ overflow: LogWriter.Options.Overflow) {
    var random = SeededGenerator()
    for _ in 0..<300 {
      var capacity = Int.random(in: 2...6, using: &random)
      var state = WriteQueueState(capacity: capacity, overflow: overflow)
      var model = Model()
      var number: UInt64 = 0
      for _ in 0..<60 {
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<20:
          number += 1
          let isFull = model.waiting.count + model.taken >= capacity
          let admission: WriteQueueState.Admission =
            if !model.isOpen {
              .refuse
            } else if !isFull {
              .add
            } else {
              overflow == .block ? .wait : .drop
            }
          #expect(state.admission(isStep: true) == admission)
          #expect(state.isAccepting == (admission == .add && model.dropped == nil))
          if admission == .add {
            let action = state.add(.step(QueuedStep(Self.step(number))))
            #expect((action == .signal) == model.add("\(number)", capacity))
          } else if admission == .drop {
            state.drop(Self.step(number))
            model.dropped = (model.dropped?.lowerBound ?? number)...number
          }
        case 20..<28:
          var events: [WriteQueue.Event] = []
          let (batch, action) = state.take(&events)
          #expect(batch == WriteQueue.Batch(total: model.total, closing: model.closing))
          #expect(action == .none)
          #expect(Self.text(events) == model.waiting.joined(separator: " "))
          model.taken = max(0, events.count - 1)
          (model.waiting, model.isAsleep, model.isCalled) = ([], false, false)
        case 28..<32:
          if Bool.random(using: &random) {
            _ = state.release()
            model.taken = max(0, model.taken - 1)
          } else {
            _ = Self.finish(on: &state, spent: [])
            (model.written, model.taken) = (model.total, 0)
          }
        case 32..<34:
          state.fallAsleep()
          if model.waiting.isEmpty, !model.isCalled { model.isAsleep = true }
        case 34..<36:
          capacity = Int.random(in: 2...6, using: &random)
          _ = state.limit(to: capacity)
        case 36:
          _ = state.fail(Self.full)
          if !model.hasEnded {
            model.hasFailed = true
            (model.isOpen, model.waiting, model.dropped) = (false, [], nil)
            model.taken = 0
          }
        case 37:
          _ = state.close(.close)
          if model.isOpen, let dropped = model.dropped {
            model.waiting.append("(\(dropped.lowerBound)-\(dropped.upperBound))")
            model.total += 1
            model.dropped = nil
          }
          if !model.hasEnded, model.closing == nil { model.closing = .close }
          model.isOpen = false
        case 38 where model.closing != nil:
          _ = state.end()
          (model.hasEnded, model.isOpen, model.closing) = (true, false, nil)
        default:
          #expect(state.beginWait() == .signal)
          (model.isAsleep, model.isCalled) = (false, true)
          state.endWait()
        }
        let isOver = model.hasFailed || model.hasEnded
        #expect(state.isOver(.written(model.total)) == (isOver || model.written >= model.total))
        #expect(
          state.isOver(.room)
            == (isOver || model.closing != nil || model.waiting.count + model.taken < capacity))
        #expect(state.isReady(isIdle: false) == (model.isCalled || model.closing != nil))
        #expect(
          state.isReady(isIdle: true)
            == (model.isCalled || model.closing != nil || !model.waiting.isEmpty))
        #expect((state.failure != nil) == model.hasFailed)
        #expect(state.hasEnded == model.hasEnded)
        #expect(Self.text(state.events) == model.waiting.joined(separator: " "))
      }
    }
  }
}
