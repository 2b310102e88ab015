import ChatExample
import ExampleProgram
import FluxCore

/// Parses a line: an action of the user, or what happens to the server.
@Sendable func readChatCommand(_ line: String, _ server: LocalServer) -> TerminalProgram.Command {
  if let action = chatAction(line) {
    return .perform { dispatcher in
      if let rejection = dispatcher.dispatch(action).rejection {
        print("\(line): \(rejection.message)")
      }
      await server.settle(dispatcher)
    }
  }
  if let work = work(line) {
    return .perform { dispatcher in
      work.perform(dispatcher)
      if work.isAwaited { await server.settle(dispatcher) }
    }
  }
  if let happening = happening(line, server) {
    return .perform { dispatcher in
      await happening()
      await server.settle(dispatcher)
    }
  }
  return .unknown(
    usage: """
      sign-in USER PASSWORD, sign-out, connect, disconnect, load, open CONVERSATION, close, older, \
      write CONVERSATION TEXT, undo CONVERSATION, redo CONVERSATION, send CONVERSATION TEXT, \
      queue CONVERSATION TEXT, retry, cancel, find, type TEXT, search TEXT, leave, hear CONVERSATION NAME \
      TEXT, typing CONVERSATION NAME, refuse NUMBER, drop, unreachable, reachable, < (back), > (forward)
      """)
}

private func chatAction(_ line: String) -> (any Action)? {
  var words = Words(line)
  switch words.next() {
  case "sign-in":
    return SessionAction.signIn(user: words.next(), password: Secret(words.next()))
  case "sign-out": return SessionAction.signOut
  case "connect": return ConnectionAction.connect
  case "disconnect": return ConnectionAction.disconnect
  case "load": return InboxAction.load
  case "open": return words.number().map(InboxAction.open)
  case "close": return InboxAction.close
  case "older": return TimelineAction.loadOlder
  case "write":
    return words.number().map { DraftsAction.edit(conversation: $0, text: words.remainder()) }
  case "undo": return words.number().map(DraftsAction.undo)
  case "redo": return words.number().map(DraftsAction.redo)
  case "send":
    return words.number().map { OutboxAction.send(conversation: $0, text: words.remainder()) }
  case "find": return Search.Action.open
  case "search": return Search.Action.type(words.remainder())
  case "leave": return Search.Action.close
  default: return nil
  }
}

/// Parses a line whose effects the program does not wait for, or which concerns the last message on its way.
private func work(
  _ line: String
) -> (perform: @Sendable (Dispatcher) -> Void, isAwaited: Bool)? {
  var words = Words(line)
  let verb = words.next()
  switch verb {
  case "type":
    let text = words.remainder()
    return ({ $0.dispatch(Search.Action.type(text)) }, false)
  case "queue":
    guard let conversation = words.number() else { return nil }
    let text = words.remainder()
    return ({ $0.dispatch(OutboxAction.send(conversation: conversation, text: text)) }, false)
  case "retry", "cancel":
    let perform = { @Sendable (dispatcher: Dispatcher) in
      guard let id = dispatcher[OutboxStore.self].queue.last?.id else { return }
      dispatcher.dispatch(OutboxAction.message(id: id, verb == "retry" ? .retry : .cancel))
    }
    return (perform, true)
  default: return nil
  }
}

private func happening(_ line: String, _ server: LocalServer) -> (@Sendable () async -> Void)? {
  var words = Words(line)
  switch words.next() {
  case "hear":
    guard let conversation = words.number() else { return nil }
    let (name, text) = (words.next(), words.remainder())
    return { await server.hear(from: name, in: conversation, text) }
  case "typing":
    guard let conversation = words.number() else { return nil }
    let name = words.next()
    return { await server.type(name, in: conversation) }
  case "refuse":
    guard let count = words.number() else { return nil }
    return {
      await server.fail(Array(repeating: .refused(reason: "too many messages"), count: count))
    }
  case "drop": return { await server.close() }
  case "unreachable": return { await server.setReachable(false) }
  case "reachable": return { await server.setReachable(true) }
  default: return nil
  }
}

extension LocalServer {
  /// Waits until everything the app has begun has ended.
  func settle(_ dispatcher: Dispatcher) async {
    for _ in 1...2 {
      let (position, isReachable) = (position, isReachable)
      for await isQuiet in dispatcher.states({ isSettled($0, position, isReachable) }) where isQuiet
      {
        break
      }
      announce()
    }
  }
}

private func isSettled(
  _ model: borrowing ModelReader, _ position: Int, _ isReachable: Bool
) -> Bool {
  let (session, connection) = (model[SessionStore.self], model[ConnectionStore.self])
  let pagings = [model[InboxStore.self].paging.status, model[TimelineStore.self].paging.status]
  guard (session.user == nil || session.tokens != nil) && !session.isRefreshing,
    !pagings.contains(.loading)
  else { return false }
  guard isReachable else { return true }
  let isSearching =
    switch model[Search.self] {
    case .searching, .waiting: true
    default: false
    }
  let isSending = model[OutboxStore.self].queue.contains { outgoing in
    if case .failed = outgoing.phase { false } else { true }
  }
  return connection.phase == .offline
    || connection.phase == .online && connection.position == position && !isSearching
      && !pagings.contains(.waiting) && !isSending
}
