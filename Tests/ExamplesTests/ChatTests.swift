import FluxCore
import FluxTesting
import Foundation
import TestFixtures
import Testing

@testable import ChatExample

@Suite(.hangLimit) struct ChatTests {
  private let clock = TestClock()
  private let server = LocalServer(conversations: 3, messages: 30)
  private let chat: Dispatcher
  private let outbox: StoreHandle<OutboxStore>

  init() {
    chat = Dispatcher(testing: makeChat(service: server), clock: clock)
    outbox = chat.store(OutboxStore.self)
  }

  /// Waits until the app is connected and everything else has ended.
  private func wait() async {
    for await state in chat.store(ConnectionStore.self).states() where state.phase == .online {
      break
    }
    await chat.settled(except: ["socket"])
  }

  private func signIn() async {
    chat.dispatch(SessionAction.signIn(user: "ada", password: Secret("open-sesame")))
    await wait()
  }

  /// Sends a message to the first conversation.
  private func send(_ text: String) throws -> Message.ID {
    chat.dispatch(OutboxAction.send(conversation: 1, text: text))
    return try #require(outbox.queue.last).id
  }

  @Test("without a session there is no connection")
  func connectSignedOut() async {
    await expect(chat) {
      $0.send(ConnectionAction.connect, rejection: "nobody is signed in")
    }
  }

  @Test("the server does not count what it told a client that had disconnected")
  func typingWhileDisconnected() async {
    await signIn()
    chat.dispatch(ConnectionAction.disconnect)
    await server.type("ben", in: 1)
    #expect(await server.position == chat[ConnectionStore.self].position)
  }

  // MARK: Sending

  @Test("a message is shown at once, leaves after a second, and its echo is not shown again")
  func send() async throws {
    await signIn()
    chat.dispatch(InboxAction.open(1))
    await wait()
    try await expect(chat, except: ["socket"]) { chat in
      chat.send(OutboxAction.send(conversation: 1, text: "hello")) {
        let message = Message(
          id: $0.preview { $0.uuid().uuidString }, conversation: 1, author: "ada", text: "hello",
          date: $0.now)
        $0[OutboxStore.self].queue = [Outgoing(message: message)]
        $0[TimelineStore.self].messages.append(message)
      }
      let message = try #require(outbox.queue.first).message
      await chat.receive(OutboxAction.message(id: message.id, .deliver)) {
        $0[OutboxStore.self].queue[id: message.id]?.phase = .scheduled
      }
      await chat.advance(by: .seconds(1))
      await chat.receive(OutboxAction.message(id: message.id, .began)) {
        $0[OutboxStore.self].queue[id: message.id]?.phase = .sending
      }
      await chat.receive(OutboxAction.message(id: message.id, .delivered)) {
        $0[OutboxStore.self].queue = []
      }
      await server.announce()
      let echo = ServerEvent(position: 1, content: .message(message))
      await chat.receive(ConnectionAction.received(echo)) {
        $0[ConnectionStore.self].position = 1
        $0[InboxStore.self].conversations[id: 1]?.preview = "hello"
      }
    }
  }

  @Test("a refused message is sent again, later each time, until the user decides")
  func retry() async throws {
    await signIn()
    let busy = ChatFailure.refused(reason: "busy")
    await server.fail([busy, busy, busy])
    let id = try send("hello")
    await expect(outbox, except: ["socket"]) {
      for (refusals, seconds) in [(1, 1), (2, 2), (3, 4)] {
        await $0.advance(by: .seconds(seconds))
        await $0.receive(.message(id: id, .began)) { $0.queue[id: id]?.phase = .sending }
        await $0.receive(.message(id: id, .failed(busy))) {
          $0.queue[id: id]?.refusals = refusals
          $0.queue[id: id]?.phase = refusals == 3 ? .failed(reason: "busy") : .scheduled
        }
      }
      $0.send(.message(id: id, .retry)) {
        $0.queue[id: id]?.phase = .waiting
        $0.queue[id: id]?.refusals = 0
      }
      await $0.receive(.message(id: id, .deliver)) { $0.queue[id: id]?.phase = .scheduled }
      await $0.advance(by: .seconds(1))
      await $0.receive(.message(id: id, .began)) { $0.queue[id: id]?.phase = .sending }
      await $0.receive(.message(id: id, .delivered)) { $0.queue = [] }
    }
  }

  @Test("a message can be cancelled until it is being sent")
  func cancel() async throws {
    await signIn()
    let first = try send("a typo")
    await expect(outbox, except: ["socket"]) {
      $0.send(.message(id: first, .cancel)) { $0.queue = [] }
      await $0.advance(by: .seconds(1))
    }
    let second = try send("no typo")
    let cancellation = outbox.onChange { [chat] change in
      guard change.new.queue.first?.phase == .sending else { return }
      chat.dispatch(OutboxAction.message(id: second, .cancel))
    }
    await expect(outbox, except: ["socket"]) {
      await $0.advance(by: .seconds(1))
      await $0.receive(.message(id: second, .began)) { $0.queue[id: second]?.phase = .sending }
      await $0.receive(.message(id: second, .cancel), rejection: "the message is being sent")
      await $0.receive(.message(id: second, .delivered)) { $0.queue = [] }
    }
    cancellation.cancel()
  }

  @Test("messages wait for a connection, and leave in order")
  func offline() async throws {
    await signIn()
    chat.dispatch(ConnectionAction.disconnect)
    let ids = [try send("one"), try send("two")]
    await expect(chat, except: ["socket"]) {
      $0.send(ConnectionAction.connect, effects: ["socket"]) {
        $0[ConnectionStore.self].phase = .connecting(attempt: 1)
      }
      await $0.receive(ConnectionAction.opened) { $0[ConnectionStore.self].phase = .online }
      for id in ids {
        await $0.receive(OutboxAction.message(id: id, .deliver)) {
          $0[OutboxStore.self].queue[id: id]?.phase = .scheduled
        }
        await $0.advance(by: .seconds(1))
        await $0.receive(OutboxAction.message(id: id, .began)) {
          $0[OutboxStore.self].queue[id: id]?.phase = .sending
        }
        await $0.receive(OutboxAction.message(id: id, .delivered)) {
          $0[OutboxStore.self].queue.remove(id: id)
        }
      }
    }
  }

  @Test("a row has the message and its way, from two stores")
  func rows() async throws {
    await signIn()
    chat.dispatch(InboxAction.open(1))
    await wait()
    _ = try send("hello")
    let rows = await chat.states { chatRows($0) }.first { _ in true }
    #expect(rows?.count == 21)
    #expect(rows?.suffix(2).map(\.delivery) == [nil, .scheduled])
    chat.cancelEffects()
  }

  // MARK: The session

  @Test("what needs a new token waits for it, and the exchange runs to its end")
  func refresh() async {
    await signIn()
    await server.fail([.unauthorized])
    chat.dispatch(InboxAction.open(1))
    await wait()
    #expect(chat[TimelineStore.self].messages.count == 20)
    #expect(chat[SessionStore.self].tokens?.access == Secret("access 2"))
    await server.fail([.unauthorized])
    chat.dispatch(TimelineAction.loadOlder)
    chat.cancelEffects()
    await chat.settled(except: ["socket"])
    #expect(chat[SessionStore.self].isRefreshing == false)
  }

  @Test("a wrong password signs nobody in, and the device keeps its key")
  func refuse() async {
    chat.dispatch(SessionAction.signIn(user: "eve", password: Secret("please")))
    await chat.settled()
    let device = chat[SessionStore.self].device
    #expect(device != nil)
    #expect(chat[SessionStore.self].notice == "wrong password")
    await signIn()
    #expect(chat[SessionStore.self].device == device)
    chat.dispatch(SessionAction.signOut)
    await chat.settled()
    #expect(chat[SessionStore.self].device == device)
    #expect(chat[InboxStore.self] == InboxStore.State())
  }

  // MARK: The socket

  @Test("a connection that closes opens again, with the messages that came meanwhile")
  func reconnect() async {
    await signIn()
    await server.close()
    while clock.sleepingTasks == 0, !Task.isCancelled { await Task.yield() }
    await server.hear(from: "ben", in: 2, "are you there?")
    await clock.advance(by: .seconds(2))
    for await inbox in chat.store(InboxStore.self).states() where inbox.unread == 1 { break }
    #expect(chat[InboxStore.self].conversations.first?.preview == "are you there?")
    #expect(chat[ConnectionStore.self].phase == .online)
    #expect(chat[ConnectionStore.self].problem == nil)
  }

  @Test("somebody who is writing stops with the message, or after five seconds")
  func typing() async {
    await signIn()
    let typing = chat.store(TypingStore.self)
    await expect(typing, except: ["socket"]) {
      for position in [1, 2] {
        await server.type("ben", in: 1)
        let event = ServerEvent(
          position: position, content: .typing(conversation: 1, author: "ben"))
        await $0.dispatcher.receive(ConnectionAction.received(event)) {
          $0[ConnectionStore.self].position = position
          $0[TypingStore.self] = [TypingStore.Writer(conversation: 1, author: "ben")]
        }
        await $0.advance(by: .seconds(3))
      }
      await $0.advance(by: .seconds(2))
      await $0.receive(.stopped(id: "1/ben")) { $0 = [] }
    }
  }

  // MARK: Writing and searching

  @Test("a draft is undone edit by edit, and ends when it is sent")
  func drafts() async throws {
    await signIn()
    for text in ["h", "he", "hello"] {
      chat.dispatch(DraftsAction.edit(conversation: 1, text: text))
    }
    chat.dispatch(DraftsAction.undo(conversation: 1))
    #expect(chat[DraftsStore.self][id: 1]?.text.present == "he")
    chat.dispatch(DraftsAction.redo(conversation: 1))
    #expect(chat[DraftsStore.self][id: 1]?.text.present == "hello")
    _ = try send("hello")
    let outcome = chat.dispatch(DraftsAction.undo(conversation: 1))
    #expect(outcome.rejection?.message == "there is nothing to undo")
    chat.cancelEffects()
  }

  @Test("a search begins when the user has not typed for 300 ms")
  func search() async throws {
    await signIn()
    let token = try #require(chat[SessionStore.self].tokens).access
    try await expect(chat.store(Search.self), except: ["socket"]) {
      $0.send(.open) { $0 = .empty }
      $0.send(.type("tr")) { $0 = .searching(text: "tr") }
      await $0.advance(by: .milliseconds(299))
      $0.send(.type("train")) { $0 = .searching(text: "train") }
      await $0.advance(by: .milliseconds(300))
      let found = try await server.search("train", token: token)
      #expect(found.count == 10)
      await $0.receive(.found(found)) { $0 = .found(text: "train", messages: found) }
      $0.send(.close) { $0 = nil }
    }
  }
}
