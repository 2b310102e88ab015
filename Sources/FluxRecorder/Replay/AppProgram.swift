import FluxCore
import FluxJSON
import FluxLog
import FluxReplay

/// The part of an app that runs its actions.
protocol AppProgram: Sendable {
  /// Adds the stores, the types of actions, and what a session's steps report.
  func describe(in description: inout AppDescription)

  func start(
    _ start: SessionStart, _ evolution: Evolution
  ) throws(ReplayFailure) -> any ReplaySession

  func source(of actions: [JSON], _ evolution: Evolution) -> AppSource
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

  func source(of actions: [JSON], _ evolution: Evolution) -> AppSource {
    let stores = makeStores()
    var coder = ActionCoder(types: Dispatcher(stores, mode: .replay, seed: 0).actionTypes)
    coder.decoder = .replaying
    var modules = SwiftExpression.modules(of: stores)
    let sources = actions.map { recorded -> String? in
      do {
        let action = try coder.decode(try evolution.action(recorded) ?? recorded)
        let text = SwiftExpression.expression(for: action)
        if text != nil { SwiftExpression.addModules(in: action, to: &modules) }
        return text
      } catch {
        return nil
      }
    }
    return AppSource(
      sources, modules: modules,
      stores: SwiftExpression.initializers(of: stores)
        .map { "{ [\($0.joined(separator: ", "))] }" })
  }
}

extension ReplayFailure {
  /// Encodes a value of the app; `what` names it in the failure.
  static func encoding<Value>(
    _ what: @autoclosure () -> String, step: UInt64? = nil, _ encode: () throws -> Value
  ) throws(ReplayFailure) -> Value {
    do {
      return try encode()
    } catch {
      throw ReplayFailure(.cannotEncode(what(), why: EncodingFailure.reason(error)), step: step)
    }
  }
}
