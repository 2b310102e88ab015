import FluxCore
import FluxTesting
import Testing

@Suite struct ExpectedSecretsTests {
  private let lock = Dispatcher(testing: [LockStore()]).store(LockStore.self)

  private func issues(
    _ body:
      nonisolated(nonsending) @escaping @Sendable (StoreExpectation<LockStore>) async -> Void
  ) async throws -> [String] {
    let lock = lock
    return try await Run().perform { await expect(lock) { await body($0) } }.issues
  }

  @Test("an action and a state with the expected secrets are no issue")
  func same() async {
    await expect(lock) {
      $0.send(.enter(Secret("1234"), Secret("1234")))
      await $0.receive(.opened(Secret("1234"))) { $0.code = Secret("1234") }
    }
  }

  @Test("an action with another secret is an issue, which does not show the secrets")
  func action() async throws {
    #expect(
      try await issues {
        $0.send(.enter(Secret("1234"), Secret("4321")))
        await $0.receive(.opened(Secret("4321"))) { $0.code = Secret("1234") }
      } == [
        """
        step 2 is a different action:

              {
                "type": "lock/opened",
                "payload": {
            −     "_0": "<redacted 0000000000000001>"
            +     "_0": "<redacted 0000000000000002>"
                }
              }

        (expected: −, actual: +)
        """
      ])
  }

  @Test("a state with another secret is an issue, which shows its place")
  func state() async throws {
    #expect(
      try await issues {
        $0.send(.enter(Secret("1234"), Secret("4321")))
        await $0.receive(.opened(Secret("1234"))) { $0.code = Secret("4321") }
      } == [
        """
        step 2, lock/opened {"_0":"<redacted 0000000000000000>"}, left lock in a different state:

              {
            −   "code": "<redacted 0000000000000001>"
            +   "code": "<redacted 0000000000000002>"
              }

        (expected: −, actual: +)
        """
      ])
  }
}

private enum LockAction: Action {
  case enter(Secret<String>, Secret<String>), opened(Secret<String>)
}

private struct LockStore: Store {
  struct State: StateValue { var code: Secret<String>? }

  let initialState = State()

  func reduce(_ lock: inout State, _ action: LockAction, _ step: inout Step) {
    switch action {
    case .enter(let code, _): step.dispatch(LockAction.opened(code))
    case .opened(let code): lock.code = code
    }
  }
}
