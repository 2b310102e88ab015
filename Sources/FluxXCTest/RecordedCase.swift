public import FluxCore
public import FluxRecorder
import FluxRecordings
import XCTest

/// A test that runs in `XCTestCase.recorded`, and takes dispatchers to record.
public struct RecordedCase: Sendable {
  let test: RecordedTest

  /// Records a dispatcher into a log of the test, which is kept where the test fails.
  ///
  /// Each dispatcher of a test has a log of its own, and steps are written with the lines of the source
  /// that dispatched them.
  ///
  /// - Parameters:
  ///   - dispatcher: The dispatcher.
  ///   - name: The log's name; the number of the dispatcher where there is none.
  ///   - options: How to record.
  /// - Returns: The recorder, for marks.
  /// - Throws: What goes wrong in making the log's folder; an error where the test is over.
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
