/// The name of an effect, by which a store replaces and cancels it; private to the store.
///
/// A string literal is a name. To let the compiler find misspelled names, declare them as values:
/// `extension EffectName { static let search: EffectName = "search" }`. A reducer then writes `step.cancel(.search)`.
public struct EffectName: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The name as text, as it appears in logs.
  public let rawValue: String

  /// Creates a name from a text.
  public init(_ name: String) { rawValue = name }

  /// Creates a name from a string literal.
  public init(stringLiteral name: String) { rawValue = name }
}

/// The rule for an effect that starts while another one with the same name and store is running.
public enum EffectPolicy: Sendable, Equatable {
  /// Up to a number of effects run at once, at least one; more of them wait, and start in the order of their requests.
  case concurrent(atMost: Int)
  /// Cancels the earlier one; the new one starts after the duration. This debounces.
  case replacing(after: Duration)
  /// Drops the new one until the earlier one has ended and the duration since its start is over. This
  /// throttles.
  case keeping(for: Duration)
  /// Follows another policy, and is never cancelled; see ``uncancellable-swift.property``.
  indirect case uncancellable(policy: EffectPolicy)

  /// Both run.
  public static let concurrent = EffectPolicy.concurrent(atMost: .max)
  /// The new one waits until the earlier ones have ended.
  public static let serial = EffectPolicy.concurrent(atMost: 1)
  /// Cancels the earlier one; the new one starts at once.
  public static let replacing = EffectPolicy.replacing(after: .zero)
  /// Drops the new one while the earlier one is running.
  public static let keeping = EffectPolicy.keeping(for: .zero)
  /// Replaces the earlier one, which still runs to its end if it is uncancellable itself.
  public static let uncancellable = EffectPolicy.replacing.uncancellable

  /// The same policy for an effect that runs to its end once it has been requested, for example a payment.
  ///
  /// Neither ``Step/cancel(_:)``, nor a later effect of the same name, nor ``Dispatcher/cancelEffects()`` cancels
  /// it, and its actions are accepted. It still ends with ``Dispatcher/restore(_:)`` and with the dispatcher.
  public var uncancellable: EffectPolicy { .uncancellable(policy: self) }

  /// The policy, without the protection from cancellation.
  var withoutProtection: EffectPolicy {
    if case .uncancellable(let policy) = self { policy.withoutProtection } else { self }
  }
}
