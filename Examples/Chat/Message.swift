public import FluxCore
public import Foundation

/// A message of a conversation.
public struct Message: StateValue, Identifiable {
  /// The identifier, which the device that sends the message makes.
  public let id: String
  /// The conversation.
  public let conversation: Conversation.ID
  /// The name of the sender.
  public let author: String
  /// The text.
  public let text: String
  /// The time at which it was written.
  public let date: Date

  /// Creates a message.
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - conversation: The conversation.
  ///   - author: The name of the sender.
  ///   - text: The text.
  ///   - date: The time at which it was written.
  public init(
    id: String, conversation: Conversation.ID, author: String, text: String, date: Date
  ) {
    self.id = id
    self.conversation = conversation
    self.author = author
    self.text = text
    self.date = date
  }
}

/// A conversation, as a list shows it.
public struct Conversation: StateValue, Identifiable {
  /// The identifier.
  public let id: Int
  /// The displayed name.
  public let title: String
  /// The text of the latest message.
  public internal(set) var preview: String
  /// The number of messages that the user has not seen.
  public internal(set) var unread = 0

  /// Creates a conversation in which everything has been seen.
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - title: The displayed name.
  ///   - preview: The text of the latest message.
  public init(id: Int, title: String, preview: String) {
    self.id = id
    self.title = title
    self.preview = preview
  }
}
