public import FluxCore

/// A purchase: present from the request to the receipt.
public struct Checkout: Feature {
  /// The phases of a purchase.
  public enum Phase: StateValue {
    /// The customer reviews the price, in cents.
    case reviewing(total: Int)
    /// The payment is running.
    case paying(total: Int, attempt: Int)
    /// The payment failed.
    case failed(total: Int, attempt: Int, reason: String)
    /// The payment succeeded.
    case done(receipt: String)
  }

  /// The actions of a purchase.
  public enum Action: FluxCore.Action, Equatable {
    case begin
    case pay
    case paid(receipt: String)
    case failed(reason: String)
    case cancel
    case close
  }

  /// The maximum number of payment attempts.
  public static let attempts = 3

  private let service: any ShopService

  /// Creates the feature; it is absent until a purchase begins.
  ///
  /// - Parameter service: The service that handles payments.
  public init(service: any ShopService) {
    self.service = service
  }

  /// Moves from phase to phase, and rejects everything that has no case.
  public func reduce(_ checkout: inout Phase?, _ action: Action, _ step: inout Step) throws {
    switch (checkout, action) {
    case (nil, .begin):
      checkout = .reviewing(total: try Self.payable(&step))
    case (.reviewing(let total), .pay):
      try pay(total, attempt: 1, &checkout, &step)
    case (.failed(let total, let attempt, _), .pay) where attempt < Self.attempts:
      try pay(total, attempt: attempt + 1, &checkout, &step)
    case (.paying, .paid(let receipt)):
      checkout = .done(receipt: receipt)
    case (.paying(let total, let attempt), .failed(let reason)):
      checkout = .failed(total: total, attempt: attempt, reason: reason)
    case (.reviewing, .cancel), (.failed, .cancel), (.done, .close):
      checkout = nil
    default:
      throw Rejection.impossible
    }
  }

  private static func payable(_ step: inout Step) throws -> Int {
    let total = try step[CartStore.self].total
    guard total > 0 else { throw Rejection("the cart is empty") }
    return total
  }

  private func pay(
    _ total: Int, attempt: Int, _ checkout: inout Phase?, _ step: inout Step
  ) throws {
    guard let token = try step[SessionStore.self].token else { throw Rejection("sign in first") }
    checkout = .paying(total: total, attempt: attempt)
    step.effect("pay", then: Action.paid, catch: { .failed(reason: "\($0)") }) { [service] in
      try await service.pay(total, token: token)
    }
  }

  /// Ends the purchase when the customer is signed out.
  public var reactions: [Reaction<Phase?>] {
    [
      .on(SessionAction.self) { checkout, action, step in
        guard action == .expire || action == .signOut else { return }
        checkout = nil
        step.cancel("pay")
      }
    ]
  }
}
