/// What a key that the program has bound does to the line.
package enum KeyAction: Equatable, Sendable {
  /// Nothing.
  case none
  /// The line becomes this one.
  case replace(LineBuffer)
  /// The line becomes this text and is accepted, as if it had been typed.
  case accept(String)
  /// The prompt has changed; the line stays.
  case refreshPrompt
  /// The key has no meaning here.
  case beep
}
