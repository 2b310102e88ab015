import Observation
import Synchronization
import Testing

@testable import FluxRecorder

/// The state of attached inspectors, as an app can show it.
@Suite struct AppPresentationTests {
  typealias Values = AppPresentation.Values

  @Test(
    "a badge says who shows what, and that the user is ignored",
    arguments: [
      (Values(), ""),
      (Values(clients: ["flux-inspect"]), "flux-inspect is attached"),
      (
        Values(isPresenting: true, step: 12, clients: ["flux-inspect"]),
        "flux-inspect shows step 12"
      ),
      (
        Values(isPresenting: true, step: 12, ignoresUser: true, clients: ["flux-inspect", "b"]),
        "flux-inspect shows step 12; your actions are ignored"
      ),
      (
        Values(isPresenting: true, ignoresUser: true, clients: ["flux-inspect"]),
        "flux-inspect has paused the app; your actions are ignored"
      ),
      (Values(isPresenting: true), "an inspector shows the app"),
    ])
  @MainActor func summary(_ values: Values, _ expected: String) async {
    let presentation = AppPresentation()
    presentation.update(values)
    await settle(presentation, values)
    #expect(presentation.summary == expected)
    #expect(presentation.isPresenting == values.isPresenting)
    #expect(presentation.step == values.step)
    #expect(presentation.ignoresUser == values.ignoresUser)
    #expect(presentation.clients == values.clients)
  }

  @Test("a view that reads it is notified of a change, and of no other call")
  @MainActor func observed() async {
    let presentation = AppPresentation()
    let count = Mutex(0)
    withObservationTracking {
      _ = presentation.isPresenting
    } onChange: {
      count.withLock { $0 += 1 }
    }
    presentation.update(Values())
    for _ in 0..<100 { await Task.yield() }
    #expect(count.withLock { $0 } == 0)
    let shown = Values(isPresenting: true, step: 1)
    presentation.update(shown)
    await settle(presentation, shown)
    #expect(count.withLock { $0 } == 1)
  }

  @Test("the last of many updates from another thread is shown")
  @MainActor func order() async {
    let presentation = AppPresentation()
    let last = Values(isPresenting: true, step: 1000)
    await Task.detached {
      for step in 1...1000 { presentation.update(Values(isPresenting: true, step: UInt64(step))) }
    }.value
    await settle(presentation, last)
    #expect(presentation.step == 1000)
  }

  @MainActor private func settle(_ presentation: AppPresentation, _ values: Values) async {
    func isShown() -> Bool {
      presentation.isPresenting == values.isPresenting && presentation.step == values.step
        && presentation.ignoresUser == values.ignoresUser && presentation.clients == values.clients
    }
    while !isShown() { await Task.yield() }
  }
}
