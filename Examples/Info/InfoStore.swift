public import FluxCore

/// The actions of an info store.
public enum InfoAction: Action, Equatable {
  /// Asks the service, unless a request is already running.
  case fetch
  /// The service's answer.
  case fetched([InfoSection])
  /// The service's failure.
  case failed(reason: String)
}

/// The state of an info store.
public struct InfoState: StateValue {
  /// The state of the request.
  public enum Status: StateValue {
    case idle
    case fetching
    case completed
    case failed(reason: String)
  }

  /// The state of the request.
  public var status = Status.idle
  /// The fetched sections; a failure does not change them.
  public var sections: [InfoSection] = []

  /// Creates the state before the first request.
  public init() {}
}

/// Fetches the info from a service and keeps it.
public struct InfoStore: Store {
  /// An idle state without sections.
  public let initialState = InfoState()
  private let service: any InfoService

  /// Creates the store.
  ///
  /// - Parameter service: The source of the info.
  public init(service: any InfoService) {
    self.service = service
  }

  /// Fetches the info and keeps the answer.
  public func reduce(_ info: inout InfoState, _ action: InfoAction, _ step: inout Step) {
    switch action {
    case .fetch:
      info.status = .fetching
      step.effect(
        "fetch", .keeping,
        then: InfoAction.fetched, catch: { .failed(reason: "\($0)") }
      ) { [service] in
        try await service.sections()
      }
    case .fetched(let sections):
      info.status = .completed
      info.sections = sections
    case .failed(let reason):
      info.status = .failed(reason: reason)
    }
  }
}
