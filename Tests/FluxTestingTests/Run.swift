import FluxCore
import FluxRecorder
import FluxRecordings
import Foundation
import Testing

/// The messages and issues of a part of a test.
final class Run: @unchecked Sendable {
  // Sendable: guarded by `lock`.
  private let lock = Lock()
  private var said: [String] = []
  private var recorded: [Issue] = []

  /// Performs a piece of a test as under an environment; its issues are caught.
  @discardableResult
  func perform(
    _ environment: [String: String] = [:], _ body: @Sendable () async throws -> Void
  ) async throws -> Run {
    let settings = TestSettings(environment: environment) { text in
      self.lock.withLock { self.said.append(text) }
    }
    let test = try #require(Test.current)
    let catcher: IssueHandlingTrait = .compactMapIssues { issue in
      self.lock.withLock { self.recorded.append(issue) }
      return nil
    }
    try await catcher.provideScope(for: test, testCase: Test.Case.current) {
      try await TestSettings.$current.withValue(settings) { try await body() }
    }
    return self
  }

  /// The printed messages.
  var messages: [String] { lock.withLock { said } }
  /// The texts of the issues.
  var issues: [String] {
    lock.withLock { recorded.map { $0.comments.map(\.rawValue).joined(separator: "\n") } }
  }
  /// The lines of the issues.
  var lines: [Int?] { lock.withLock { recorded.map { $0.sourceLocation?.line } } }
}

/// Records what is done with a dispatcher.
func record(
  to url: URL, options: Recorder.Options = Recorder.Options(),
  _ stores: [any Store] = makeStores(), _ use: (Dispatcher, Recorder) -> Void
) throws {
  let dispatcher = Dispatcher(stores)
  let recorder = Recorder(to: url, options: options)
  dispatcher.use(recorder)
  use(dispatcher, recorder)
  try recorder.close()
}

/// Records two small actions.
func recordSample(to url: URL) throws {
  try record(to: url) { dispatcher, _ in
    dispatcher.dispatch(MeterAction.refuse)
    dispatcher.dispatch(MeterAction.add(2))
  }
}
