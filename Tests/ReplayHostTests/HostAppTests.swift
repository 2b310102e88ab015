import Counter
import FluxHost
import FluxJSON
import FluxLog
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// A host that follows the protocol, in a process of its own.
@Suite(.waiting) struct HostAppTests {
  @Test("an app describes itself")
  func description() throws {
    #expect(try Subjects.counter().describe() == CounterApp().describe())
  }

  @Test("a session in another process returns the same steps as one in this process")
  func session() throws {
    var actions: [ReplayAction] = .recorded(
      "counter/add", "counter/add", "counter/double", "counter/add", "counter/remove")
    actions[3].action = ["type": "counter/add", "payload": ["amount": -100]]
    for mode in SessionStart.Mode.allCases {
      var start = SessionStart.replay()
      start.mode = mode
      if mode == .simulate {
        for index in actions.indices { actions[index].number = nil }
      }
      let near = try CounterApp().start(start)
      let far = try Subjects.counter().start(start)
      #expect(try far.dispatch(actions) == near.dispatch(actions))
      #expect(try far.states() == near.states())
      far.end()
    }
  }

  @Test("an undecodable action takes no step number in a simulation")
  func unreadable() throws {
    var start = SessionStart.replay()
    start.mode = .simulate
    var actions: [ReplayAction] = .recorded(
      "counter/add", "counter/add", "counter/add", "counter/add")
    for index in [1, 3] { actions[index].action = ["type": "counter/add"] }
    for index in actions.indices { actions[index].number = nil }
    for session in [
      try Subjects.counter().start(start), try CounterApp().start(start),
    ] {
      #expect(try session.dispatch(actions).map(\.number) == [1, 2, 2, 3])
      #expect(try session.dispatch(Array(actions[2...2])).map(\.number) == [3])
    }
  }

  @Test("the app gets the initial states and the states to upcast")
  func states() throws {
    var start = SessionStart.replay()
    start.states = ["number": 41]
    let session = try Subjects.counter().start(start)
    #expect(try session.dispatch(.additions(1)).first?.changes.first?.state == ["count": 42])
    #expect(try session.upcast([.init(store: "number", state: 7)]) == [["count": 7]])
    #expect(try session.states() == ["counter": ["count": 42]])
  }

  @Test("states that do not fit fail as they do in this process")
  func unfitStates() throws {
    var start = SessionStart.replay()
    start.states = ["counter": "many"]
    let near = #expect(throws: ReplayFailure.self) { try CounterApp().start(start) }
    var far = #expect(throws: ReplayFailure.self) { try Subjects.counter().start(start) }
    far?.app = nil
    #expect(far == near)
  }

  @Test("the steps of many actions in many messages all arrive")
  func manyActions() throws {
    let session = try Subjects.counter().start(.replay())
    let steps = try session.dispatch(.additions(5000))
    #expect(steps.map(\.number) == (1...5000).map { UInt64($0) })
    #expect(steps.last?.changes.first?.state == ["count": 5000])
  }

  @Test("actions with line breaks reach the host as one line")
  func lines() throws {
    let session = try Subjects.counter().start(.replay())
    let action = try JSON.parse("{\n\"type\":\r\n\"counter/add\",\n\"payload\":{\"amount\":\n3}}")
    let steps = try session.dispatch([.init(time: LogTime(microseconds: 0), action: action)])
    #expect(steps.first?.changes.first?.state == ["count": 3])
  }

  @Test("an app's output, before and after it serves, is not read as an answer")
  func prints() throws {
    let session = try Subjects.counter("--chatty").start(.replay())
    let steps = try session.dispatch(
      .recorded("counter/print", "counter/add", "counter/complain", "counter/add"))
    #expect(steps.last?.changes.first?.state == ["count": 2])
  }

  @Test("an app that reads from standard input does not get the protocol")
  func reads() throws {
    let session = try Subjects.counter().start(.replay())
    let steps = try session.dispatch(.recorded("counter/read", "counter/add"))
    #expect(steps.last?.changes.first?.state == ["count": 1])
  }

  @Test("sessions are independent, and each has a process of its own")
  func independence() throws {
    let app = Subjects.counter()
    _ = try app.describe()
    let first = try app.start(.replay())
    let second = try app.start(.replay())
    _ = try first.dispatch(.additions(3))
    #expect(try second.states() == ["counter": ["count": 0]])
    first.end()
    first.end()
    let failure = #expect(throws: ReplayFailure.self) { try first.dispatch(.additions(1)) }
    #expect(failure?.reason == .ended)
    #expect(try second.dispatch(.additions(1)).count == 1)
  }

  @Test("the time limit applies to each step of a request")
  func progress() throws {
    let session = try Subjects.counter(limits: .call(1.4)).start(.replay())
    let actions: [ReplayAction] = .recorded(
      "counter/sleep", "counter/sleep", "counter/sleep", "counter/sleep", "counter/sleep")
    #expect(try session.dispatch(actions).count == 5)
  }

  @Test("cancelling stops waiting for the app")
  func cancellation() throws {
    let app = Subjects.counter { true }
    let failure = #expect(throws: ReplayFailure.self) { try app.describe() }
    #expect(failure?.reason == .cancelled)
  }
}
