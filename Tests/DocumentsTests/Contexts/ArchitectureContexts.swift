import FluxRecorder
import Foundation
import Observation

// The contexts of the pages about other architectures: what their libraries declare, with the same signatures.

/// The essentials of the Composable Architecture 1, and a feature that is not `Encodable`.
struct RecordingTCAContext {
  @resultBuilder enum ReducerBuilder<State, Action> {
    static func buildBlock<R: Reducer<State, Action>>(_ reducer: R) -> R { reducer }
  }

  protocol Reducer<State, Action> {
    associatedtype State
    associatedtype Action
    associatedtype Body

    @available(*, deprecated, message: "Don't invoke a reducer directly.")
    func reduce(into state: inout State, action: Action) -> Effect<Action>
    func _reduce(into state: inout State, action: Action) -> Effect<Action>
    @ReducerBuilder<State, Action> var body: Body { get }
  }

  struct Effect<Action> { static var none: Self { Self() } }

  final class Store<State, Action> {
    init<R: Reducer<State, Action>>(
      initialState: @autoclosure () -> R.State, @ReducerBuilder<State, Action> reducer: () -> R
    ) {}
  }

  struct UUIDGenerator: Sendable { init(_ generate: @escaping @Sendable () -> UUID) {} }

  struct DateGenerator: Sendable {
    init(_ generate: @escaping @Sendable () -> Date) {}
  }

  struct DependencyValues: Sendable {
    var uuid = UUIDGenerator { UUID() }
    var date = DateGenerator { Date() }
  }

  static func withDependencies<R>(
    _ update: (inout DependencyValues) -> Void, operation: () -> R
  ) -> R {
    var values = DependencyValues()
    update(&values)
    return operation()
  }

  struct Todos: Reducer {
    struct State { var title = "" }
    enum Action { case titleChanged(String) }

    func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
  }
}

extension RecordingTCAContext.Reducer {
  func _reduce(into state: inout State, action: Action) -> RecordingTCAContext.Effect<Action> {
    .none
  }
}

extension RecordingTCAContext.Reducer where Body == Never {
  var body: Never { fatalError("this reducer has no body") }
}

/// The essentials of ReSwift 6.
struct RecordingReSwiftContext {
  protocol Action {}
  typealias DispatchFunction = (any Action) -> Void
  typealias Middleware<State> = (@escaping DispatchFunction, @escaping () -> State?) -> (
    @escaping DispatchFunction
  ) -> DispatchFunction
  typealias Reducer<State> = (_ action: any Action, _ state: State?) -> State

  final class Store<State> {
    init(
      reducer: @escaping Reducer<State>, state: State?, middleware: [Middleware<State>] = [],
      automaticallySkipsRepeats: Bool = true
    ) {}
  }

  struct AppState { var count = 0 }

  let reducer: Reducer<AppState>
}

/// The essentials of Mobius.swift.
struct RecordingMobiusContext {
  struct First<Model, Effect> {
    let model: Model
    let effects: [Effect]
  }

  struct Next<Model, Effect> {
    let model: Model?
    let effects: [Effect]
  }

  protocol MobiusLogger {
    associatedtype Model
    associatedtype Event
    associatedtype Effect

    func willInitiate(model: Model)
    func didInitiate(model: Model, first: First<Model, Effect>)
    func willUpdate(model: Model, event: Event)
    func didUpdate(model: Model, event: Event, next: Next<Model, Effect>)
  }

  struct Login { var problem: String? }
  enum LoginEvent { case submitted }
  enum LoginEffect: Hashable { case send }
}

extension RecordingMobiusContext.MobiusLogger {
  func willInitiate(model: Model) {}
}

/// An app with an observable object.
struct RecordingObservableContext {
  struct Item { let name: String }

  @Observable final class Cart {
    var items: [Item] = []
    var total = 0
  }
}

/// The essentials of Combine.
struct RecordingObservableObjectContext {
  final class AnyCancellable {}

  struct ObservableObjectPublisher {
    struct ReceiveOn {
      func sink(receiveValue: @escaping (()) -> Void) -> AnyCancellable { AnyCancellable() }
    }

    func receive(on scheduler: RunLoop) -> ReceiveOn { ReceiveOn() }
  }

  @MainActor final class CartModel {
    let objectWillChange = ObservableObjectPublisher()
    var items: [String] = []
    var total = 0
  }
}

/// The essentials of UIKit.
struct RecordingUIKitContext {
  @MainActor class UIViewController {
    func viewDidLoad() {}
    func viewDidDisappear(_ animated: Bool) {}
  }

  struct Note { var text: String }
}
