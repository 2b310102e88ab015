public import FluxCore
public import FluxRecorder
import FluxRecordings
public import Testing

extension Dispatcher {
  /// Records the dispatcher into a log of the running test, which needs the trait
  /// ``RecordedTrait``.
  ///
  /// The log is kept if the test fails. Each dispatcher of a test has a separate log, and steps are
  /// recorded with the source lines that dispatched them. Call this in a task of the test: a
  /// detached task does not know its test.
  ///
  /// - Parameters:
  ///   - name: The log's name; nil to use the number of the dispatcher.
  ///   - options: The options of the recorder.
  ///   - sourceLocation: The location of the issue if the dispatcher cannot be recorded.
  /// - Returns: The recorder, for marks; nil if the dispatcher cannot be recorded, which is an
  ///   issue.
  @discardableResult
  public func record(
    named name: String? = nil, options: Recorder.Options = Recorder.Options(),
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) -> Recorder? {
    guard let test = RecordedTest.current else {
      Issue.record(
        "nothing is recorded: give the test the trait .recorded, and call this in a task of the test",
        sourceLocation: sourceLocation)
      return nil
    }
    do {
      let recorder = try test.recorder(named: name, options: options)
      use(recorder)
      return recorder
    } catch {
      Issue.record(error, "nothing is recorded", sourceLocation: sourceLocation)
      return nil
    }
  }
}
