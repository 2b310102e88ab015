/// What a command found out, written for people and for programs.
///
/// What may be long is written item by item and drained in between.
package protocol Answer: Sendable {
  /// The code that a batch of this one command exits with: 0, or 1 where nothing matched.
  var exitCode: Int32 { get }

  /// Writes the answer for people.
  ///
  /// - Throws: What the output or the reading of a log throws.
  func write(to text: inout TextOutput) throws

  /// Writes the answer as one JSON value.
  ///
  /// - Throws: What the output or the reading of a log throws.
  func write(to json: inout JSONOutput) throws
}

extension Answer {
  /// All is well.
  package var exitCode: Int32 { 0 }
}
