public import FluxCore
import Foundation

/// The actions of the queue of messages on their way.
public enum OutboxAction: Action, Equatable {
  case send(conversation: Conversation.ID, text: String)
  case message(id: Message.ID, OutgoingAction)
}

/// The messages on their way: they leave in order, once there is a connection.
public struct OutboxStore: Store {
  /// The queue.
  public struct State: StateValue {
    /// The messages, the next one first.
    public internal(set) var queue: Keyed<Outgoing> = []
  }

  /// No messages.
  public let initialState = State()
  private let delivery: Delivery

  /// Creates the store.
  ///
  /// - Parameter service: The server.
  public init(service: any ChatService) {
    delivery = Delivery(service: service)
  }

  /// Queues, delivers, repeats and cancels messages.
  public func reduce(_ outbox: inout State, _ action: OutboxAction, _ step: inout Step) throws {
    switch action {
    case .send(let conversation, let text):
      guard let author = try step[SessionStore.self].user else { throw Rejection("sign in first") }
      guard !text.isEmpty else { throw Rejection("a message needs a text") }
      let message = Message(
        id: step.uuid().uuidString, conversation: conversation, author: author, text: text,
        date: step.now)
      outbox.queue.append(Outgoing(message: message))
    case .message(let id, .delivered):
      guard outbox.queue.remove(id: id) != nil else { throw Rejection("there is no element \(id)") }
    case .message(let id, .cancel):
      guard outbox.queue[id: id]?.phase != .sending else {
        throw Rejection("the message is being sent")
      }
      guard outbox.queue.remove(id: id) != nil else { throw Rejection("there is no element \(id)") }
    case .message(let id, let action):
      try step.forEach(\.queue, of: &outbox, id, action, as: OutboxAction.message) {
        try delivery.reduce(&$0, $1, &$2)
      }
    }
    try deliverNext(outbox, &step)
  }

  /// Delivers the first message that waits, if none is on its way.
  private func deliverNext(_ outbox: State, _ step: inout Step) throws {
    guard try step[ConnectionStore.self].phase == .online,
      !outbox.queue.contains(where: \.isFirst),
      let next = outbox.queue.first(where: { $0.phase == .waiting })
    else { return }
    step.dispatch(OutboxAction.message(id: next.id, .deliver))
  }

  /// Delivers what had to wait for a connection or for a new token.
  private func resume(_ outbox: inout State, _ step: inout Step) throws {
    for id in outbox.queue.ids where outbox.queue[id: id]?.phase == .suspended {
      outbox.queue[id: id]?.phase = .waiting
    }
    try deliverNext(outbox, &step)
  }

  /// Continues with the connection and with a new token, and ends with the session.
  public var reactions: [Reaction<State>] {
    [
      .on(ConnectionAction.self) { outbox, action, step in
        if action == .opened { try resume(&outbox, &step) }
      },
      .on(SessionAction.self) { outbox, action, step in
        switch action {
        case .refreshed: try resume(&outbox, &step)
        case .signOut: outbox = State()
        default: break
        }
      },
    ]
  }
}
