/// The name of an effect, by which a store replaces and cancels it; private to the store.
///
/// A string literal is a name. To let the compiler find misspelt names, declare them as values:
/// `extension EffectName { static let search: EffectName = "search" }`. A reducer then writes `step.cancel(.search)`.
public struct EffectName: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The name as text, as it appears in logs.
  public let rawValue: String

  /// Creates a name from a text.
  public init(_ name: String) { rawValue = name }

  /// Creates a name from a string literal.
  public init(stringLiteral name: String) { rawValue = name }
}
