import FluxCore
import FluxJSON
import FluxTesting
import FluxXCTest
import XCTest

private enum DoorAction: Action, Equatable { case open, ring(Int), closed }

private struct DoorStore: Store {
  struct State: StateValue {
    var isOpen = false
    var rings = 0
  }

  let id: StoreID = "door"
  let initialState = State()

  func reduce(_ door: inout State, _ action: DoorAction, _ step: inout Step) throws {
    switch action {
    case .open:
      if door.isOpen { throw Rejection("it is open") }
      door.isOpen = true
      step.dispatch(DoorAction.ring(2))
      step.effect("close", .replacing(after: .seconds(5)), then: { (_: Void) in DoorAction.closed })
      {}
    case .ring(let count): door.rings += count
    case .closed: door.isOpen = false
    }
  }
}

final class AssertStepsTests: FailureCatcher {
  private let door = Dispatcher(testing: [DoorStore()]).store(DoorStore.self)

  func testStepsThatAreAllAssertedAreNoFailure() async {
    await assertSteps(of: door) {
      $0.send(.open, effects: ["close"]) { $0.isOpen = true }
      await $0.receive(DoorAction.ring) { $0.rings = $1 }
      $0.send(.open, rejection: "it is open")
      await $0.advance(by: .seconds(5))
      await $0.receive(.closed) { $0.isOpen = false }
    }
    await assertSettled(door.dispatcher)
    await assertSteps(of: door.dispatcher) {
      $0.send(DoorAction.ring(1)) { $0[DoorStore.self].rings = 3 }
    }
    XCTAssertEqual(door.rings, 3)
  }

  func testAFileCanImportTheLibrariesForBothFrameworks() async {
    await assertSteps(of: door) {
      $0.send(.ring(1)) { $0.rings = 1 }
    }
    await expect(door) {
      $0.send(.ring(1)) { $0.rings = 2 }
    }
  }

  func testWhatWasNotExpectedIsAFailureAtItsLine() async {
    let line = #line + 2
    let found = await failures {
      await assertSteps(of: door, timeout: .milliseconds(50)) {
        $0.send(.open, effects: []) { $0.isOpen = true }
      }
    }
    XCTAssertEqual(
      found,
      [
        Failure(
          text: """
            failed - step 1, door/open, asked for different effects:

                + close

            (expected: −, actual: +)
            """, line: line + 1),
        Failure(
          text: """
            failed - these actions were not received:
              2 door/ring {"_0":2}, caused by step 1
            """, line: line),
        Failure(
          text: "failed - these effects are still running: close of door; "
            + "cancel them, or advance the clock", line: line),
      ])
    let settled = await failures {
      await assertSettled(door.dispatcher, timeout: .milliseconds(10))
    }
    XCTAssertEqual(settled.map(\.text), ["failed - not settled: still running: close of door"])
  }

  func testASessionDispatchesRecordedActions() throws {
    let session = try TestSession(stores: { [DoorStore()] })
    try session.dispatch(DoorAction.open)
    XCTAssertEqual(try session.value("door.rings"), 2)
  }
}
