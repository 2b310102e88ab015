/// The name of an effect, by which a store replaces and cancels it; private to the store.
///
/// A string literal is a name. Declare names as values if a misspelt one must not compile, in an
/// `extension EffectName { static let search: EffectName = "search" }`. A reducer then says `step.cancel(.search)`.
public struct EffectName: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The name as text, as it appears in logs.
  public let rawValue: String

  /// Creates a name from a text.
  public init(_ name: String) { rawValue = name }

  /// Creates a name from a string literal.
  public init(stringLiteral name: String) { rawValue = name }
}
