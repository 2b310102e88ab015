import FluxCore
import FluxTesting
import Testing

@Suite struct ReceivedCaseTests {
  private let log = Dispatcher([CaseStore()]).store(CaseStore.self)

  @Test("the values of a case go to a closure without types, however many there are")
  func values() async {
    await expect(log) {
      $0.send(.begin)
      await $0.receive(CaseStore.Action.one) { $0.append("\($1)") }
      await $0.receive(CaseStore.Action.two) { $0.append("\($1 + $2)") }
      await $0.receive(CaseStore.Action.three) { $0.append("\($1 + $2) \($3)") }
      await $0.receive(CaseStore.Action.four) { $0.append("\($1 + $2) \($3) \($4)") }
      await $0.receive(CaseStore.Action.five) {
        (log: inout [String], a: Int, b: Int, c: String, d: Bool, e: Int?) in
        log.append("\(a + b) \(c) \(d) \(e == nil)")
      }
    }
  }

  @Test("also to that of a dispatcher")
  func dispatcher() async {
    await expect(log.dispatcher) {
      $0.send(CaseStore.Action.begin)
      await $0.receive(CaseStore.Action.one) { $0[CaseStore.self].append("\($1)") }
      await $0.receive(CaseStore.Action.two) { $0[CaseStore.self].append("\($1 + $2)") }
      await $0.receive(CaseStore.Action.three) { $0[CaseStore.self].append("\($1 + $2) \($3)") }
      await $0.receive(CaseStore.Action.four) {
        $0[CaseStore.self].append("\($1 + $2) \($3) \($4)")
      }
      await $0.receive(CaseStore.Action.five(1, 2, "x", true, nil)) {
        $0[CaseStore.self].append("3 x true true")
      }
    }
  }
}

private struct CaseStore: Store {
  enum Action: FluxCore.Action {
    case begin, one(Int), two(a: Int, b: Int), three(Int, Int, String), four(
      Int, Int, c: String, Bool)
    case five(Int, Int, String, Bool, Int?)
  }

  let initialState: [String] = []

  func reduce(_ log: inout [String], _ action: Action, _ step: inout Step) {
    switch action {
    case .begin:
      step.dispatch(Action.one(1))
      step.dispatch(Action.two(a: 1, b: 2))
      step.dispatch(Action.three(1, 2, "x"))
      step.dispatch(Action.four(1, 2, c: "x", true))
      step.dispatch(Action.five(1, 2, "x", true, nil))
    case .one(let a): log.append("\(a)")
    case .two(let a, let b): log.append("\(a + b)")
    case .three(let a, let b, let c): log.append("\(a + b) \(c)")
    case .four(let a, let b, let c, let d): log.append("\(a + b) \(c) \(d)")
    case .five(let a, let b, let c, let d, let e):
      log.append("\(a + b) \(c) \(d) \(e == nil)")
    }
  }
}
