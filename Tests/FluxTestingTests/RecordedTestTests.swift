import FluxCore
import FluxLog
import FluxRecorder
import FluxRecordings
import Foundation
import TestFixtures
import Testing

@Suite struct RecordedTestTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func use(_ test: RecordedTest, named name: String? = nil) throws {
    let recorder = try test.recorder(named: name, options: Recorder.Options())
    let dispatcher = Dispatcher(makeStores())
    dispatcher.use(recorder)
    dispatcher.dispatch(MeterAction.add(1))
  }

  @Test("the logs of a test that passes are removed, and their folder")
  func passes() throws {
    let test = RecordedTest(name: "A.b", in: folder.url("logs"))
    try use(test)
    #expect(
      try folder.names() == ["logs", "logs/A.b", "logs/A.b/.1.jsonl.inflight", "logs/A.b/1.jsonl"])
    #expect(try folder.permissions(of: "logs") == 0o700)
    #expect(try folder.permissions(of: "logs/A.b") == 0o700)
    #expect(try folder.permissions(of: "logs/A.b/1.jsonl") == 0o600)
    let ending = test.end(failed: false)
    #expect(ending.logs.isEmpty && ending.problems.isEmpty)
    #expect(try folder.names() == [])
  }

  @Test(
    "the folder of all tests stays as long as a test has logs in it, and if it was there before")
  func sharedFolder() throws {
    let tests = ["A", "B"].map { RecordedTest(name: $0, in: folder.url("logs")) }
    for test in tests { try use(test) }
    _ = tests[0].end(failed: false)
    #expect(try folder.names().contains("logs/B"))
    _ = tests[1].end(failed: false)
    #expect(try folder.names() == [])
    let test = RecordedTest(name: "A", in: folder.url)
    try use(test)
    _ = test.end(failed: false)
    #expect(FileManager.default.fileExists(atPath: folder.path("")))
  }

  @Test("the logs of a test that fails are kept, whole, with the lines that dispatched")
  func fails() throws {
    let test = RecordedTest(name: "A.b", in: folder.url)
    try use(test)
    try use(test, named: "the server")
    let ending = test.end(failed: true)
    #expect(ending.problems.isEmpty)
    #expect(try folder.names() == ["A.b", "A.b/1.jsonl", "A.b/the-server.jsonl"])
    #expect(
      ending.messages
        == ["1", "the-server"].map { log in
          """
          kept the log of the test A.b: \
          \(folder.url.path)/A.b/\(log).jsonl
            it has all actions and states in plain text, nothing redacted; look for secrets \
          before you commit or share it
            step through it: swift run flux-inspect \(folder.url.path)/A.b/\(log).jsonl -g end
          """
        })
    let log = try LogFile.open(ending.logs[0].path)
    try log.waitForIndex()
    #expect(
      try log.step(at: 0).source?.hasPrefix("FluxTestingTests/RecordedTestTests.swift:") == true)
  }

  @Test("a test without a dispatcher leaves nothing, not even a folder", arguments: [false, true])
  func nothing(_ failed: Bool) throws {
    let ending = RecordedTest(name: "A.b", in: folder.url("logs")).end(failed: failed)
    #expect(ending.logs.isEmpty && ending.problems.isEmpty)
    #expect(
      ending.messages
        == (failed
          ? ["no log of the test A.b: nothing in it asked for a recorder of the test"] : []))
    #expect(try folder.names() == [])
  }

  @Test("tests of one name, such as the cases of one, have folders with numbers")
  func numbers() throws {
    for _ in 1...3 { try use(RecordedTest(name: "A.b", in: folder.url)) }
    #expect(try folder.names().filter { !$0.contains("/") } == ["A.b", "A.b-2", "A.b-3"])
  }

  @Test("a recording that fails is reported, and the other logs are kept though the test passed")
  func problem() throws {
    let test = RecordedTest(name: "A.b", in: folder.url)
    try use(test, named: "first")
    let path = "\(folder.url.path)/A.b/second.jsonl"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try use(test, named: "second")
    let ending = test.end(failed: false)
    let why = "this is a folder; pass the URL of a file in it, or use Recorder(in:name:)"
    #expect(ending.problems == ["\(path): cannot record: \(why)"])
    #expect(ending.logs.first?.path == "\(folder.url.path)/A.b/first.jsonl")
  }

  @Test("dispatchers of one name have logs of their own")
  func sameName() throws {
    let test = RecordedTest(name: "A.b", in: folder.url)
    try use(test, named: "twice")
    try use(test, named: "twice")
    let ending = test.end(failed: true)
    #expect(ending.problems == [])
    #expect(ending.logs.map(\.lastPathComponent) == ["twice.jsonl", "twice~1.jsonl"])
    #expect(
      ending.messages.last == """
        kept the log of the test A.b: \
        \(folder.url.path)/A.b/twice~1.jsonl
          it has all actions and states in plain text, nothing redacted; look for secrets \
        before you commit or share it
          step through it: swift run flux-inspect '\(folder.url.path)/A.b/twice~1.jsonl' -g end
        """)
  }

  @Test("a dispatcher that comes after the end is refused")
  func over() throws {
    let test = RecordedTest(name: "A.b", in: folder.url)
    _ = test.end(failed: false)
    let error = #expect(throws: RecordedTest.Ended.self) { try use(test) }
    #expect(
      error?.description
        == "the test A.b has ended: a dispatcher that outlives its test needs a separate Recorder"
    )
    #expect(try folder.names() == [])
  }

  @Test(
    "folders are named after tests, in characters that every file system takes",
    arguments: [
      ("Shop/CartTests.total()", "Shop-CartTests.total"),
      ("Shop/CartTests.total(of:_:)", "Shop-CartTests.total-of"),
      ("-[CartTests testTotal]", "CartTests-testTotal"),
      ("../../etc/passwd", "etc-passwd"), ("...", "test"), ("", "test"), ("a\u{0}b\nc", "a-b-c"),
      ("Straße 12", "Straße-12"),
      (String(repeating: "x", count: 300), String(repeating: "x", count: 60)),
    ])
  func names(_ name: String, _ expected: String) throws {
    try use(RecordedTest(name: name, in: folder.url))
    #expect(try folder.names().first == expected)
  }
}
