public import FluxCore
public import FluxRecordings
import Testing

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
///   - fileID: The module and the file of the issues about the end.
///   - filePath: The path of that file.
///   - line: The line of these issues.
///   - column: The column of these issues.
///   - body: Sends and receives actions.
/// - Throws: The error of `body`.
nonisolated(nonsending) public func expect(
  _ dispatcher: Dispatcher, except names: Set<String> = [], timeout: Duration = .seconds(10),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column,
  _ body: nonisolated(nonsending) (DispatcherExpectation) async throws -> Void
) async rethrows {
  try await DispatcherExpectation(dispatcher, except: names, timeout: timeout, report: recordIssue)
    .check(at: TestPlace(fileID, filePath, line, column), body)
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
  _ store: StoreHandle<S>, except names: Set<String> = [], timeout: Duration = .seconds(10),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column,
  _ body: nonisolated(nonsending) (StoreExpectation<S>) async throws -> Void
) async rethrows {
  try await DispatcherExpectation(
    store.dispatcher, except: names, timeout: timeout, report: recordIssue
  )
  .check(store, at: TestPlace(fileID, filePath, line, column), body)
}

extension Dispatcher {
  /// Waits until no effect runs and nothing is queued.
  ///
  /// - Parameters:
  ///   - names: The effects that may keep running, such as one that polls.
  ///   - timeout: The time after which effects that still run are an issue.
  ///   - fileID: The module and the file of the issue.
  ///   - filePath: The path of that file.
  ///   - line: The line of the issue.
  ///   - column: The column of the issue.
  nonisolated(nonsending) public func settled(
    except names: Set<String> = [], timeout: Duration = .seconds(10),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await settled(
      except: names, timeout: timeout, at: TestPlace(fileID, filePath, line, column),
      report: recordIssue)
  }
}

/// Records a problem as an issue of the running test.
private let recordIssue: Reporter = { problem, place in
  Issue.record(
    Comment(rawValue: problem),
    sourceLocation: Testing.SourceLocation(
      fileID: place.fileID.description, filePath: place.filePath.description,
      line: Int(place.line), column: Int(place.column)))
}
