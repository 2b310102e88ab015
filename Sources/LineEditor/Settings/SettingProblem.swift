/// A line of the user's editor settings that does nothing.
package struct SettingProblem: Equatable, Sendable, CustomStringConvertible {
  /// The file.
  package var path: String
  /// The line, from 1; nil where the whole file cannot be read.
  package var line: Int?
  /// The line's text, or why the file cannot be read.
  package var text: String

  /// A message for the user.
  package var description: String {
    guard let line else { return "\(path): cannot be read: \(text)" }
    return "\(path):\(line): not understood and passed over: \(text.sanitised) (see editrc(5))"
  }
}
