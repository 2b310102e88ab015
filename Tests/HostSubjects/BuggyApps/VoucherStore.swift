public import FluxCore
public import Foundation

/// The actions of a shop's vouchers.
public enum VoucherAction: Action {
  case add(String)
  case redeem(String)
}

/// Vouchers with a hidden clock: the moment of a redemption does not come from the step.
public struct VoucherStore: Store {
  /// A voucher, and when it was redeemed.
  public struct Voucher: StateValue {
    /// The text on the voucher.
    public let code: String
    /// The moment of the redemption; nil before.
    public var redeemed: Date?
  }

  /// No vouchers.
  public let initialState: [Voucher] = []
  private let isFixed: Bool

  /// Creates the vouchers.
  ///
  /// - Parameter isFixed: `true` to take the time from the step.
  public init(isFixed: Bool) { self.isFixed = isFixed }

  /// Adds a voucher, or notes when it was redeemed.
  public func reduce(
    _ vouchers: inout [Voucher], _ action: VoucherAction, _ step: inout Step
  ) throws {
    switch action {
    case .add(let code): vouchers.append(Voucher(code: code))
    case .redeem(let code):
      guard let index = vouchers.firstIndex(where: { $0.code == code }) else {
        throw Rejection("there is no voucher \(code)")
      }
      vouchers[index].redeemed = isFixed ? step.now : Date()
    }
  }
}

/// Makes the store of the vouchers, without its bug if `FIXED` is set.
public let makeVoucherStores: @Sendable () -> [any Store] = { [VoucherStore(isFixed: isFixed)] }
