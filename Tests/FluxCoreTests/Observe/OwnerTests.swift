import Foundation
import Testing

@testable import FluxCore

@Suite("Rule 5: values on their way to an owner") @MainActor struct OwnerTests {
  private let counter = Dispatcher([CounterStore()]).store(CounterStore.self)

  @Test("a value for a released owner does not reach another owner at the same address")
  func reusedAddress() async {
    var first: Label? = Label()
    let address = first.map { ObjectIdentifier($0) }
    if let first { counter.observe(for: first, { $0 }) { $0.text = "\($1)" } }
    dispatchFromAnotherThread()
    first = nil
    var others: [Label] = []
    var second = Label()
    while ObjectIdentifier(second) != address, others.count < 10_000 {
      others.append(second)
      second = Label()
    }
    counter.observe(for: second, { $0 }) { $0.text = "\($1)" }
    await Task { @MainActor in }.value
    counter.dispatch(.increase)
    #expect(second.text == "2")
  }

  @Test("a replaced observation does not call back, even with values on their way")
  func replaced() async {
    let label = Label()
    counter.observe(for: label, { $0 }) { $0.text += "old \($1), " }
    dispatchFromAnotherThread()
    counter.observe(for: label, { $0 }) { $0.text += "new \($1), " }
    await Task { @MainActor in }.value
    #expect(label.text == "old 0, new 1, ")
  }

  @Test("the values of a callback's dispatch arrive after values on their way")
  func reentered() async {
    let label = Label()
    let counter = counter
    counter.observe(for: label, { $0 }) { label, value in
      label.text += "\(value) "
      if value == 1 { counter.dispatch(.set(2)) }
      label.text += "(\(value)) "
    }
    dispatchFromAnotherThread()
    await Task { @MainActor in }.value
    #expect(label.text == "0 (0) 1 (1) 2 (2) ")
  }

  @Test("the observation of a released owner ends with the next step, whatever it selects")
  func deadOwners() {
    let evaluations = Recorded<Int>()
    for _ in 0..<10 {
      let label = Label()
      counter.observe(
        for: label,
        { count in
          evaluations.append(count)
          return 0
        }
      ) { _, _ in }
    }
    let before = evaluations.count
    counter.dispatch(.increase)
    counter.dispatch(.increase)
    #expect(evaluations.count == before)
    #expect(counter.dispatcher.engine.observers.value.observers(of: 0).isEmpty)
  }

  private func dispatchFromAnotherThread() {
    let counter = counter
    onThreads(1) { _ in counter.dispatch(.increase) }
  }
}

@MainActor final class Label {
  var text = ""
}
