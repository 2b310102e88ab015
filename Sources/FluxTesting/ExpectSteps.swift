public import FluxCore
// A test imports this module only, and has `DispatcherExpectation`, `TestClock` and `TestSession` with it.
@_exported public import FluxRecordings
import Testing

// So that the rules of a test need no other import.
@_exported public import struct FluxRules.RuleSet

/// Expects exactly these steps, changes, follow-ups and effects of a dispatcher.
///
/// ```swift
/// await expect(dispatcher) { shop in
///   shop.send(WishAction.add("tea")) { $0[WishStore.self].append("tea") }
///   shop.send(Checkout.Action.pay) { $0[Checkout.self] = .paying }
///   await shop.receive(Checkout.Action.paid(receipt: "42")) { $0[Checkout.self] = .done }
/// }
/// ```
/// Each step is compared with the states right after it, even if more steps have run since. These are issues:
/// - a state, in any store, that differs from the one that `send` or `receive` expects
/// - a step that nobody received: a follow-up, an action of an effect, of an observer or of another thread
/// - an effect that still runs at the end, or that sent no action and is not named
/// - a rejection that was not expected
///
/// - Parameters:
///   - dispatcher: The dispatcher.
///   - names: The effects that may still run at the end, such as one that reads a socket.
///   - timeout: The time to wait for an effect's action before it is an issue.
///   - file: The file of the issues about the end.
///   - line: The line of these issues.
///   - body: Sends and receives actions.
/// - Throws: The error of `body`.
nonisolated(nonsending) public func expect(
  _ dispatcher: Dispatcher, except names: Set<EffectName> = [], timeout: Duration = .seconds(10),
  file: StaticString = #filePath, line: UInt = #line,
  _ body: nonisolated(nonsending) (DispatcherExpectation) async throws -> Void
) async rethrows {
  try await DispatcherExpectation(dispatcher, except: names, timeout: timeout, report: recordIssue)
    .check(at: (file, line), body)
}

/// Expects exactly these steps, changes, follow-ups and effects of a store's dispatcher.
///
/// ```swift
/// await expect(todos) {
///   $0.send(.add(title: "milk")) { $0.append("milk") }
///   await $0.receive(.saved)
/// }
/// ```
/// The closures change the state of this store. All other states must stay as they are. The rest is as for a
/// dispatcher.
nonisolated(nonsending) public func expect<S: Store>(
  _ store: StoreHandle<S>, except names: Set<EffectName> = [], timeout: Duration = .seconds(10),
  file: StaticString = #filePath, line: UInt = #line,
  _ body: nonisolated(nonsending) (StoreExpectation<S>) async throws -> Void
) async rethrows {
  try await expect(
    store.dispatcher, except: names, timeout: timeout, file: file, line: line
  ) { try await body(StoreExpectation($0, of: store)) }
}

extension Dispatcher {
  /// Waits until no effect runs and nothing is queued.
  ///
  /// - Parameters:
  ///   - names: The effects that may keep running, such as one that polls.
  ///   - timeout: The time after which effects that still run are an issue.
  ///   - file: The file of the issue.
  ///   - line: The line of the issue.
  nonisolated(nonsending) public func settled(
    except names: Set<EffectName> = [], timeout: Duration = .seconds(10),
    file: StaticString = #filePath, line: UInt = #line
  ) async {
    await settled(except: names, timeout: timeout, at: (file, line), report: recordIssue)
  }
}

/// Records a problem as an issue of the running test.
private let recordIssue: Reporter = { problem, place in
  let path = "\(place.file)"
  // The column is unknown, and the last two parts of the path are as good as the module and the file.
  Issue.record(
    Comment(rawValue: problem),
    sourceLocation: Testing.SourceLocation(
      fileID: path.split(separator: "/").suffix(2).joined(separator: "/"), filePath: path,
      line: Int(place.line), column: 1))
}
