/// How a command ends the session.
public enum Ending: Sendable, Equatable {
  /// With the code that the commands so far give.
  case plain
  /// With this code, whatever happened before.
  case code(Int32)
}
