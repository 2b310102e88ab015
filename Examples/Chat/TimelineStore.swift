public import FluxCore

/// The actions of the open conversation.
public enum TimelineAction: Action, Equatable {
  /// Fetches the page of messages before the oldest one.
  case loadOlder
  case loaded(Page<Message>)
  case failed(ChatFailure)
}

/// The messages of the open conversation, those on their way included.
public struct TimelineStore: Store {
  /// The messages of a conversation.
  public struct State: StateValue {
    /// The open conversation.
    public internal(set) var conversation: Conversation.ID?
    /// The messages, the latest last.
    public internal(set) var messages: Keyed<Message> = []
    /// The progress of fetching.
    public internal(set) var paging = Paging()
  }

  /// No conversation.
  public let initialState = State()
  private let service: any ChatService

  /// Creates the store.
  ///
  /// - Parameter service: The server.
  public init(service: any ChatService) {
    self.service = service
  }

  /// Fetches messages.
  public func reduce(
    _ timeline: inout State, _ action: TimelineAction, _ step: inout Step
  ) throws {
    switch action {
    case .loadOlder:
      guard timeline.conversation != nil else { throw Rejection("no conversation is open") }
      try timeline.paging.begin()
      fetch(timeline, &step)
    case .loaded(let page):
      let old = page.items.filter { !timeline.messages.contains(id: $0.id) }
      timeline.messages = Keyed(old + timeline.messages.elements)
      timeline.paging.end(page.next)
    case .failed(let failure): timeline.paging.fail(failure)
    }
  }

  private func fetch(_ timeline: State, _ step: inout Step) {
    guard let conversation = timeline.conversation else { return }
    step.effect("page") { [service, cursor = timeline.paging.cursor] send in
      await send.request(then: TimelineAction.loaded, catch: TimelineAction.failed) { token in
        try await service.messages(of: conversation, before: cursor, token: token)
      }
    }
  }

  /// Shows the open conversation, its new messages, and those that the user sends.
  public var reactions: [Reaction<State>] {
    [
      .on(InboxAction.self) { timeline, action, step in
        switch action {
        case .open(let id):
          let queue = try step[OutboxStore.self].queue
          let mine = queue.map(\.message).filter { $0.conversation == id }
          timeline = State(conversation: id, messages: Keyed(mine))
          try timeline.paging.begin()
          fetch(timeline, &step)
        case .close:
          timeline = State()
          step.cancel("page")
        default: break
        }
      },
      .on(ConnectionAction.self) { timeline, action, step in
        guard case .received(let event) = action, case .message(let message) = event.content,
          message.conversation == timeline.conversation
        else { return }
        timeline.messages.updateOrAppend(message)
      },
      .on(OutboxAction.self) { timeline, action, step in
        switch action {
        case .send(timeline.conversation, _):
          guard let sent = try step[OutboxStore.self].queue.last else { return }
          timeline.messages.append(sent.message)
        case .message(let id, .cancel): timeline.messages.remove(id: id)
        default: break
        }
      },
      .on(SessionAction.self) { timeline, action, step in
        switch action {
        case .refreshed: if timeline.paging.resume() { fetch(timeline, &step) }
        case .signOut:
          timeline = State()
          step.cancel("page")
        default: break
        }
      },
    ]
  }
}
