/// A step as it is handed over: an object, so that the hand-over costs the app one reference.
///
/// The thread that writes the log makes the record of it, and so pays for all that this takes.
package protocol StepSource: AnyObject, Sendable {
  /// The step's number.
  var number: UInt64 { get }

  /// The step as it is written.
  func record() -> StepRecord
}

/// A step whose record was made by who hands it over.
final class RecordedStep: StepSource {
  private let content: StepRecord

  init(_ content: consuming StepRecord) {
    self.content = content
  }

  var number: UInt64 { content.number }

  func record() -> StepRecord { content }
}
