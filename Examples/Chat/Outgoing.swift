public import FluxCore

/// The actions of a message on its way.
public enum OutgoingAction: Action, Equatable {
  case deliver
  /// The message is being sent, and can no longer be cancelled.
  case began
  case delivered
  case failed(ChatFailure)
  case retry
  case cancel
}

/// A message on its way to the server.
public struct Outgoing: StateValue, Identifiable {
  /// The phases of a message on its way.
  public enum Phase: StateValue {
    /// Others are delivered first, or there is no connection.
    case waiting
    /// It is sent shortly; until then it can be cancelled.
    case scheduled
    case sending
    /// It waits for a connection or a new token.
    case suspended
    /// The server has refused it too often.
    case failed(reason: String)
  }

  /// The message, as the conversation shows it.
  public let message: Message
  /// The phase.
  public internal(set) var phase = Phase.waiting
  /// The number of attempts that were refused.
  public internal(set) var refusals = 0

  /// The identifier of the message.
  public var id: Message.ID { message.id }

  /// `true` if later messages have to wait for this one.
  var isFirst: Bool {
    switch phase {
    case .scheduled, .sending, .suspended: true
    case .waiting, .failed: false
    }
  }
}

/// The reducer of a message on its way.
struct Delivery: Sendable {
  /// The number of refusals after which the user decides.
  static let maximumRefusals = 3

  let service: any ChatService

  func reduce(_ outgoing: inout Outgoing, _ action: OutgoingAction, _ step: inout Step) throws {
    switch (outgoing.phase, action) {
    case (.waiting, .deliver): schedule(&outgoing, &step)
    case (.scheduled, .began): outgoing.phase = .sending
    case (.sending, .failed(.refused(let reason))):
      outgoing.refusals += 1
      if outgoing.refusals < Self.maximumRefusals {
        schedule(&outgoing, &step)
      } else {
        outgoing.phase = .failed(reason: reason)
      }
    case (.sending, .failed): outgoing.phase = .suspended
    case (.failed, .retry):
      outgoing.phase = .waiting
      outgoing.refusals = 0
    default: throw Rejection.impossible
    }
  }

  /// Sends the message after a second, in which it can be cancelled; after a refusal, it waits longer.
  private func schedule(_ outgoing: inout Outgoing, _ step: inout Step) {
    outgoing.phase = .scheduled
    step.effect("deliver") {
      [service, message = outgoing.message, seconds = 1 << outgoing.refusals] send in
      do {
        try await send.sleep(for: .seconds(seconds))
      } catch {
        return
      }
      await send.commit {
        send(OutgoingAction.began)
        await send.request(
          then: { OutgoingAction.delivered }, catch: OutgoingAction.failed
        ) { token in try await service.post(message, token: token) }
      }
    }
  }
}
