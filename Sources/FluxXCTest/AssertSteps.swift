public import FluxCore
// A test imports this module only, and has `DispatcherExpectation`, `TestClock` and `TestSession` with it.
@_exported public import FluxRecordings
import XCTest

// So that the rules of a test need no other import.
@_exported public import struct FluxRules.RuleSet

/// Asserts exactly these steps, changes, follow-ups and effects of a dispatcher.
///
/// ```swift
/// func testCheckout() async {
///   await assertSteps(of: Dispatcher(testing: makeStores())) { shop in
///     shop.send(CartAction.add("milk")) { $0[CartStore.self].lines = ["milk"] }
///     shop.send(CartAction.pay) { $0[CartStore.self] = CartStore.State() }
///   }
/// }
/// ```
/// It compares the same as FluxTesting's `expect`, and each problem is a failure: a state of any store that differs from
/// the expected one, a step that nobody received, an effect that still runs at the end or sent no action and is not named,
/// and a rejection that was not expected.
///
/// - Parameters:
///   - dispatcher: The dispatcher.
///   - names: The effects that may still run at the end, such as one that reads a socket.
///   - timeout: The time to wait for an effect's action before it is a failure.
///   - file: The file of the failures about the end.
///   - line: The line of these failures.
///   - body: Sends and receives actions.
/// - Throws: The error of `body`.
nonisolated(nonsending) public func assertSteps(
  of dispatcher: Dispatcher, except names: Set<EffectName> = [], timeout: Duration = .seconds(10),
  file: StaticString = #filePath, line: UInt = #line,
  _ body: nonisolated(nonsending) (DispatcherExpectation) async throws -> Void
) async rethrows {
  try await DispatcherExpectation(dispatcher, except: names, timeout: timeout, report: fail)
    .check(at: (file, line), body)
}

/// Asserts exactly these steps, changes, follow-ups and effects of a store's dispatcher.
///
/// The closures change the state of this store. All other states must stay as they are. The rest is as for a
/// dispatcher.
nonisolated(nonsending) public func assertSteps<S: Store>(
  of store: StoreHandle<S>, except names: Set<EffectName> = [], timeout: Duration = .seconds(10),
  file: StaticString = #filePath, line: UInt = #line,
  _ body: nonisolated(nonsending) (StoreExpectation<S>) async throws -> Void
) async rethrows {
  try await assertSteps(
    of: store.dispatcher, except: names, timeout: timeout, file: file, line: line
  ) { try await body(StoreExpectation($0, of: store)) }
}

/// Waits until no effect of a dispatcher runs and nothing is queued.
///
/// It is a function, so a target with tests for both frameworks has no two methods of one name.
///
/// - Parameters:
///   - dispatcher: The dispatcher.
///   - names: The effects that may keep running, such as one that polls.
///   - timeout: The time after which effects that still run are a failure.
///   - file: The file of the failure.
///   - line: The line of the failure.
nonisolated(nonsending) public func assertSettled(
  _ dispatcher: Dispatcher, except names: Set<EffectName> = [], timeout: Duration = .seconds(10),
  file: StaticString = #filePath, line: UInt = #line
) async {
  await dispatcher.settled(
    except: names, timeout: timeout, at: (file, line), report: fail)
}

/// Records a problem as a failure of the running test.
private let fail: Reporter = { problem, place in
  XCTFail(problem, file: place.file, line: place.line)
}
