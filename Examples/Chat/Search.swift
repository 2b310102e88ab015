public import FluxCore

/// The search for messages: present while its field is on the screen.
public struct Search: Feature {
  /// The phases of a search.
  public enum Phase: StateValue {
    case empty
    case searching(text: String)
    /// The search begins again when the session has a new token.
    case waiting(text: String)
    case found(text: String, messages: [Message])
    case failed(text: String, reason: String)
  }

  /// The actions of a search.
  public enum Action: FluxCore.Action, Equatable {
    case open
    case type(String)
    case found([Message])
    case failed(ChatFailure)
    case close
  }

  private let service: any ChatService

  /// Creates the feature; it is absent until its field is opened.
  ///
  /// - Parameter service: The server.
  public init(service: any ChatService) {
    self.service = service
  }

  /// Searches when the user has not typed for a moment.
  public func reduce(_ search: inout Phase?, _ action: Action, _ step: inout Step) throws {
    switch (search, action) {
    case (nil, .open): search = .empty
    case (.some, .type("")):
      search = .empty
      step.cancel("search")
    case (.some, .type(let text)): begin(text, &search, &step)
    case (.searching(let text), .found(let messages)):
      search = .found(text: text, messages: messages)
    case (.searching(let text), .failed(.unauthorized)): search = .waiting(text: text)
    case (.searching(let text), .failed(let failure)):
      search = .failed(text: text, reason: "\(failure)")
    case (.some, .close):
      search = nil
      step.cancel("search")
    default: throw Rejection.impossible
    }
  }

  private func begin(_ text: String, _ search: inout Phase?, _ step: inout Step) {
    search = .searching(text: text)
    step.effect("search", .replacing(after: .milliseconds(300))) { [service] send in
      await send.request(then: Action.found, catch: Action.failed) { token in
        try await service.search(text, token: token)
      }
    }
  }

  /// Searches again with a new token, and ends with the session.
  public var reactions: [Reaction<Phase?>] {
    [
      .on(SessionAction.self) { search, action, step in
        switch (search, action) {
        case (.waiting(let text), .refreshed): begin(text, &search, &step)
        case (.some, .signOut):
          search = nil
          step.cancel("search")
        default: break
        }
      }
    ]
  }
}
