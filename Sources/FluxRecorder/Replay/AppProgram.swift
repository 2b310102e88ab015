import FluxCore
import FluxJSON
import FluxReplay

/// The part of an app that runs its actions.
protocol AppProgram: Sendable {
  /// Adds the stores, the types of actions, and what a session's steps report.
  func describe(in description: inout AppDescription)

  func start(
    _ start: SessionStart, _ evolution: Evolution
  ) throws(ReplayFailure) -> any ReplaySession

  /// Returns a Swift expression for each action; nil for one that has none.
  func source(of actions: [JSON], _ evolution: Evolution) -> [String?]

  /// Returns the Swift source that makes the stores in a test.
  func storeSource() -> StoreSource
}

/// The stores of a dispatcher.
struct StoreProgram: AppProgram {
  let makeStores: @Sendable () -> [any Store]

  func describe(in description: inout AppDescription) {
    let dispatcher = Dispatcher(makeStores(), mode: .replay, seed: 0)
    description.stores = dispatcher.context.stores.map {
      AppDescription.Store(name: $0.id.rawValue, type: $0.typeName, isFeature: $0.isFeature)
    }
    description.actionTypes = dispatcher.actionTypes.keys.filter { $0 != Batch.kind }.sorted()
    description.tells = [.effects, .cancels, .messages]
  }

  func start(
    _ start: SessionStart, _ evolution: Evolution
  ) throws(ReplayFailure) -> any ReplaySession {
    try DispatcherSession(makeStores(), evolution, start)
  }

  func storeSource() -> StoreSource {
    let stores = makeStores()
    let texts = stores.compactMap(SwiftExpression.initializer(of:))
    return StoreSource(
      modules: SwiftExpression.modules(of: stores),
      stores: texts.count == stores.count ? "{ [\(texts.joined(separator: ", "))] }" : nil)
  }

  func source(of actions: [JSON], _ evolution: Evolution) -> [String?] {
    let dispatcher = Dispatcher(makeStores(), mode: .replay, seed: 0)
    var coder = ActionCoder(types: dispatcher.actionTypes)
    coder.decoder = .replaying
    return actions.map { recorded in
      do {
        let action = try coder.decode(try evolution.action(recorded) ?? recorded)
        return SwiftExpression.expression(for: action)
      } catch {
        return nil
      }
    }
  }
}
