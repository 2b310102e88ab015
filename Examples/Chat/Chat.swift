public import FluxCore

/// Makes the stores of the chat for the app, its tests and its replay.
///
/// - Parameter service: The server.
/// - Returns: The stores, in the order in which they handle actions.
public func makeChat(service: any ChatService) -> [any Store] {
  [
    SessionStore(service: service), ConnectionStore(service: service), InboxStore(service: service),
    TimelineStore(service: service), OutboxStore(service: service), DraftsStore(),
    Search(service: service), TypingStore(),
  ]
}

/// A row of the open conversation.
public struct ChatRow: Equatable, Sendable {
  /// The message.
  public let message: Message
  /// The phase of its delivery; nil if the server has it.
  public let delivery: Outgoing.Phase?
}

/// Selects the rows of the open conversation from the stores that contain parts of them.
///
/// - Parameter model: The states of all stores.
/// - Returns: The rows, the latest last.
public func chatRows(_ model: borrowing ModelReader) -> [ChatRow] {
  let queue = model[OutboxStore.self].queue
  return model[TimelineStore.self].messages.map {
    ChatRow(message: $0, delivery: queue[id: $0.id]?.phase)
  }
}
