import ChatExample
import ExampleProgram
import FluxCore

/// The conversations, the open one, and everything that is on its way; it can show the screen as it was.
@MainActor func chatView(_ dispatcher: Dispatcher) -> TerminalProgram.Screen {
  let screen = dispatcher.observed { chatScreen($0) }
  return { screen.value }
}

private func chatScreen(_ model: borrowing ModelReader) -> String {
  let session = model[SessionStore.self]
  let inbox = model[InboxStore.self]
  let writers = model[TypingStore.self].map { "\($0.author) is writing" }
  let conversations = inbox.conversations.prefix(5).map {
    "\($0.id) \($0.title): \($0.preview)\($0.unread > 0 ? " (\($0.unread))" : "")"
  }
  let rows = chatRows(model).suffix(5).map {
    "  \($0.message.author): \($0.message.text)\($0.delivery.map { " [\($0)]" } ?? "")"
  }
  let user = session.user.map { "signed in as \($0)" } ?? "nobody is signed in"
  let notes = [session.notice ?? user, "\(model[ConnectionStore.self].phase)"]
  return (conversations + rows + writers + notes).joined(separator: "\n")
}
