public import FluxCore
public import FluxRecorder
import FluxRecordings
public import Testing

extension Dispatcher {
  /// Records the dispatcher into a log of the test that runs, which has the trait ``RecordedTrait``.
  ///
  /// The log is kept where the test fails. Each dispatcher of a test has a log of its own, and steps are
  /// written with the lines of the source that dispatched them. To be called in a task of the test:
  /// a detached one does not know of the test.
  ///
  /// - Parameters:
  ///   - name: The log's name; the number of the dispatcher where there is none.
  ///   - options: How to record.
  ///   - sourceLocation: Where a test that cannot be recorded is told so.
  /// - Returns: The recorder, for marks; nil, with an issue, where there is no test to record.
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
