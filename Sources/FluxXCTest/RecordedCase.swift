public import FluxCore
public import FluxRecorder
import FluxRecordings
import XCTest

/// A test that runs in `XCTestCase.recorded` and can record its dispatchers.
public struct RecordedCase: Sendable {
  let test: RecordedTest

  /// Records a dispatcher into a log of the test, which is kept if the test fails.
  ///
  /// Each dispatcher of a test has a separate log, and steps are recorded with the source lines
  /// that dispatched them.
  ///
  /// - Parameters:
  ///   - dispatcher: The dispatcher.
  ///   - name: The log's name; nil to use the number of the dispatcher.
  ///   - options: The options of the recorder.
  /// - Returns: The recorder, for marks.
  /// - Throws: A file error if the log's folder cannot be created; an error if the test is over.
  @discardableResult
  public func record(
    _ dispatcher: Dispatcher, named name: String? = nil,
    options: Recorder.Options = Recorder.Options()
  ) throws -> Recorder {
    let recorder = try test.recorder(named: name, options: options)
    dispatcher.use(recorder)
    return recorder
  }
}
