import FluxCore
import FluxRecorder
import Foundation

@testable import ChatExample
@testable import FluxRecordings

/// A long session of the chat, in which time passes on a test clock: the same seed gives the same steps.
@MainActor final class ChatSession {
  private let server = LocalServer(conversations: 30, messages: 50, requestsPerToken: 40)
  private let clock = TestClock(beginning: Date(timeIntervalSince1970: 1_795_000_000))
  private let chat: Dispatcher
  private var random: SplitMix64
  private var position = 0

  /// Creates a session that is recorded; nil records nothing.
  init(seed: UInt64, recorder: Recorder?) {
    random = SplitMix64(state: seed)
    chat = Dispatcher(
      makeChat(service: server), seed: seed, clock: clock, now: { [clock] in clock.date })
    if let recorder { chat.use(recorder) }
  }

  /// The number of steps until now.
  var steps: UInt64 { chat.model.step ?? 0 }

  /// Uses the chat for a number of rounds, of a few steps each.
  func run(rounds: Int) async {
    await dispatch(SessionAction.signIn(user: "ada", password: Secret("open-sesame")))
    await dispatch(InboxAction.load)
    for _ in 0..<rounds {
      await round()
      await pass(.milliseconds(number(1...40) * 100))
    }
    await pass(.seconds(200))
    await dispatch(SessionAction.signOut)
  }

  private func round() async {
    switch number(1...100) {
    case ...45: await write()
    case ...70: await server.hear(from: LocalServer.name(number(0...6)), in: number(1...30), text())
    case ...78: await server.type(LocalServer.name(number(0...6)), in: number(1...30))
    case ...84: await search()
    case ...88: await dispatch(InboxAction.open(number(1...30)))
    case ...91: await dispatch(TimelineAction.loadOlder)
    case ...95: await server.fail(Array(repeating: .refused(reason: "busy"), count: number(1...4)))
    case ...96: await server.close()
    case ...97: await tunnel()
    case ...98:
      await dispatch(ConnectionAction.disconnect)
      await write()
      await dispatch(ConnectionAction.connect)
    default: await decide()
    }
    await settle()
  }

  /// Writes a message word by word, changes its mind at times, and sends it.
  private func write() async {
    let conversation = chat[TimelineStore.self].conversation ?? number(1...30)
    var draft = ""
    for word in text().split(separator: " ") {
      draft += draft.isEmpty ? "\(word)" : " \(word)"
      await dispatch(DraftsAction.edit(conversation: conversation, text: draft))
      await pass(.milliseconds(number(1...9) * 50))
    }
    if number(1...6) == 1 {
      await dispatch(DraftsAction.undo(conversation: conversation))
      await dispatch(DraftsAction.redo(conversation: conversation))
    }
    if number(1...8) > 1 {
      await dispatch(OutboxAction.send(conversation: conversation, text: draft))
    }
    if number(1...12) == 1, let id = chat[OutboxStore.self].queue.last?.id {
      await dispatch(OutboxAction.message(id: id, .cancel))
    }
  }

  private func search() async {
    await dispatch(Search.Action.open)
    for text in ["tr", "trai", "train"] {
      await dispatch(Search.Action.type(text))
      await pass(.milliseconds(number(1...8) * 50))
    }
    await pass(.milliseconds(300))
    await dispatch(Search.Action.close)
  }

  /// Writes while the server cannot be reached.
  private func tunnel() async {
    await server.setReachable(false)
    await settle()
    for _ in 0...number(1...3) { await write() }
    await server.setReachable(true)
  }

  /// Decides about the messages that were refused too often.
  private func decide() async {
    for outgoing in chat[OutboxStore.self].queue {
      guard case .failed = outgoing.phase else { continue }
      let action: OutgoingAction = number(1...2) == 1 ? .retry : .cancel
      await dispatch(OutboxAction.message(id: outgoing.id, action))
    }
  }

  private func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

  private func text() -> String { LocalServer.text(number(0...99)) }

  private func dispatch(_ action: some Action) async {
    chat.dispatch(action)
    await settle()
  }

  /// Lets time pass; whatever ends meanwhile comes to its end before the next does.
  private func pass(_ duration: Duration) async {
    await clock.advance(to: clock.now.advanced(by: duration)) { await settle() }
    await server.announce()
    await settle()
  }

  /// Waits until every effect sleeps, and until the app has read everything that the server has sent.
  private func settle() async {
    var time = WaitingTime(left: .seconds(60))
    while await !isSettled(), !time.isOver, !Task.isCancelled { await time.pause() }
  }

  private func isSettled() async -> Bool {
    let (sent, isConnected) = await (server.position, server.isConnected)
    let connection = chat[ConnectionStore.self]
    let running = chat.runningEffects.filter {
      $0.name != "socket" || connection.phase != .online || !isConnected
    }
    return chat.isIdle && clock.sleepingEffects.isSuperset(of: running.compactMap(\.task))
      && (connection.phase != .online || connection.position == sent)
  }
}
