public import FluxCore

/// What can happen to the info.
public enum InfoAction: Action, Equatable {
  /// Asks the service; while it is being asked, nothing.
  case fetch
  /// The service's answer.
  case fetched([InfoSection])
  /// The service's failure.
  case failed(reason: String)
}

/// What an info store holds.
public struct InfoState: StateValue {
  /// How far the fetching is.
  public enum Status: StateValue {
    case idle
    case fetching
    case completed
    case failed(reason: String)
  }

  /// How far the fetching is.
  public var status = Status.idle
  /// What has been fetched; a failure leaves it as it was.
  public var sections: [InfoSection] = []

  /// Creates the state before anything was fetched.
  public init() {}
}

/// Fetches the info through a service and keeps it.
public struct InfoStore: Store {
  /// Idle, and without sections.
  public let initialState = InfoState()
  private let service: any InfoService

  /// Creates the store.
  ///
  /// - Parameter service: Where the info comes from.
  public init(service: any InfoService) {
    self.service = service
  }

  /// Fetches, and keeps what comes of it.
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
