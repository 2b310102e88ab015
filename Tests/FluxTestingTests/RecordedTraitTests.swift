import FluxCore
import FluxLog
import FluxRecorder
import FluxTesting
import Foundation
import TestFixtures
import Testing

@Suite struct RecordedTraitTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.path }

  init() throws { folder = try TemporaryFolder() }

  private struct Failed: Error {}

  /// Runs a test with the trait, as the library would.
  private func run(
    _ trait: RecordedTrait = .recorded, _ test: @escaping @Sendable () async throws -> Void
  ) async throws -> Run {
    let current = try #require(Test.current)
    return try await Run().perform(["FLUX_RECORDINGS": path]) {
      try await trait.provideScope(
        for: current, testCase: Test.Case.current, performing: test)
    }
  }

  @Sendable private func use() {
    let dispatcher = Dispatcher(makeStores())
    dispatcher.record()
    dispatcher.dispatch(MeterAction.add(1))
  }

  @Test("a test that passes leaves nothing")
  func passing() async throws {
    let run = try await run { use() }
    #expect(run.issues == [] && run.messages == [])
    #expect(try folder.names() == [])
  }

  @Test("a test that fails leaves a log of each dispatcher, and the commands that open them")
  func failing() async throws {
    let run = try await run {
      use()
      let second = Dispatcher(makeStores())
      second.record(named: "second")?.mark("here")
      Issue.record("wrong")
    }
    let name = "FluxTestingTests-RecordedTraitTests.failing"
    #expect(run.issues == ["wrong"])
    #expect(
      run.messages
        == ["1", "second"].map { log in
          """
          kept the log of the test \(name): \
          \(path)/\(name)/\(log).jsonl
            it has all actions and states in plain text, nothing redacted; look for secrets \
          before you commit or share it
            step through it: swift run flux-inspect \(path)/\(name)/\(log).jsonl -g end
          """
        })
    #expect(try folder.files().keys.sorted() == ["\(name)/1.jsonl", "\(name)/second.jsonl"])
  }

  @Test("the trait of a test takes the place of its suite's, which has no logs to miss")
  func nested() async throws {
    let run = try await run {
      let current = try #require(Test.current)
      try await RecordedTrait.recorded.provideScope(
        for: current, testCase: Test.Case.current
      ) {
        use()
        Issue.record("wrong")
      }
    }
    #expect(run.messages.count == 1)
    #expect(run.messages.first?.hasPrefix("kept the log of the test") == true)
  }

  @Test("a test that throws has failed")
  func throwing() async throws {
    await #expect(throws: Failed.self) {
      _ = try await run {
        use()
        throw Failed()
      }
    }
    #expect(try folder.files().count == 1)
  }

  @Test("a log that cannot be attached is an issue, and does not hide what the test throws")
  func unreadable() async throws {
    let current = try #require(Test.current)
    let run = try await Run().perform(["FLUX_RECORDINGS": path]) {
      await #expect(throws: Failed.self) {
        try await RecordedTrait.recorded.provideScope(
          for: current, testCase: Test.Case.current
        ) {
          let recorder = try #require(Dispatcher(makeStores()).record())
          try recorder.close()
          try FileManager.default.removeItem(at: recorder.url)
          try FileManager.default.createDirectory(
            at: recorder.url, withIntermediateDirectories: false)
          throw Failed()
        }
      }
    }
    let log = "\(path)/FluxTestingTests-RecordedTraitTests.unreadable/1.jsonl"
    #expect(run.issues.count == 1)
    #expect(run.issues.first?.hasPrefix("\(log) cannot be attached: ") == true)
  }

  @Test("warnings and known issues are no failures")
  func harmless() async throws {
    _ = try await run {
      use()
      Issue.record("careful", severity: .warning)
      withKnownIssue { Issue.record("known") }
    }
    #expect(try folder.names() == [])
  }

  @Test("an issue of a task of the test is one of the test")
  func tasks() async throws {
    _ = try await run {
      use()
      await Task { _ = Issue.record("wrong") }.value
    }
    #expect(try folder.files().count == 1)
  }

  @Test("the trait says where logs are kept, from the folder of the test's source")
  func argument() async throws {
    let other = try TemporaryFolder()
    _ = try await run(.recorded(in: other.url.path)) {
      use()
      Issue.record("wrong")
    }
    #expect(try folder.names() == [])
    #expect(try other.files().count == 1)
  }

  @Test("without the trait nothing is recorded, and the test is told so")
  func absent() async throws {
    let line = #line + 2
    let run = try await Run().perform {
      #expect(Dispatcher(makeStores()).record() == nil)
    }
    #expect(
      run.issues == [
        "nothing is recorded: give the test the trait .recorded, and call this within the test's task"
      ])
    #expect(run.lines == [line])
    #expect {
      try Recorder.ofTest()
    } throws: { error in
      "\(error)" == run.issues.first
    }
  }

  @Test("an app without a dispatcher is recorded as well")
  func withoutDispatcher() async throws {
    _ = try await run(.recorded) {
      let recorder = try Recorder.ofTest(named: "cart")
      recorder.start(states: ["cart": ["milk"]])
      recorder.record(MeterAction.add(1), states: ["cart": ["milk", "eggs"]])
      Issue.record("wrong")
    }
    let file = try #require(try folder.files().keys.first)
    #expect(file.hasSuffix("/cart.jsonl"))
    #expect(try LogFile.open(folder.path(file)).step(at: 0).type == "meter/add")
  }

  @Test("a test case that is recorded by the library itself", .recorded, arguments: 1...8)
  func real(_ amount: Int) throws {
    let dispatcher = Dispatcher(makeStores())
    let recorder = try #require(dispatcher.record())
    dispatcher.dispatch(MeterAction.add(amount))
    try recorder.flush()
    #expect(FileManager.default.fileExists(atPath: recorder.url.path))
    #expect(recorder.url.path.contains("FluxTestingTests-RecordedTraitTests.real"))
  }
}
