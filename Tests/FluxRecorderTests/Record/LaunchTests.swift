import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures
import Testing

/// Recorders that record each launch of an app in a file of its own.
@Suite struct LaunchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The size of all files, some of which may be deleted meanwhile.
  private func byteCount() throws -> Int {
    try folder.names().reduce(0) { sum, name in
      var status = stat()
      return unsafe sum + (stat(folder.path(name), &status) == 0 ? Int(status.st_size) : 0)
    }
  }

  @Test("Four launches with a limit of 1 MB leave 1 MB, and the newest launch is first in the list")
  func bounded() throws {
    var options = Recorder.Options()
    options.launchLimits = [.bytes(1 << 20)]
    var ids: [String] = []
    for launch in 1...4 {
      let dispatcher = Dispatcher([NotesStore()])
      let recorder = Recorder(in: folder.url, name: "notes", options: options)
      dispatcher.use(recorder)
      for number in 1...4000 {
        dispatcher.dispatch(NotesAction.write("launch \(launch), note \(number)"))
      }
      try recorder.flush()
      let newest = try #require(recorder.logs.first)
      #expect(newest.isRecording && newest.urls.last == recorder.url)
      #expect(recorder.logs.dropFirst().allSatisfy { !$0.isRecording })
      try recorder.close()
      #expect(recorder.failure == nil)
      #expect(recorder.logs.allSatisfy { !$0.isRecording })
      #expect(try byteCount() <= 1 << 20)
      ids.append(newest.id)
    }
    let launches = try RecordedLaunch.all(in: folder.url, name: "notes")
    #expect(launches.map(\.id).sorted() == Array(ids.suffix(launches.count)).sorted())
    #expect(launches.reduce(0) { $0 + $1.byteCount } == (try byteCount()))
    #expect(launches.count >= 2)
    for launch in launches {
      for url in launch.urls { #expect(try openTimeline(url).log.end != nil) }
      try launch.delete()
    }
    #expect(try folder.names().isEmpty)
  }

  @Test("A recorder without a dispatcher records launches, too")
  func started() throws {
    for number in 1...3 {
      let recorder = Recorder(in: folder.url, name: "any")
      recorder.start(states: ["n": 0])
      recorder.record(NotesAction.write("x"), states: ["n": number])
      #expect(recorder.logs.count == number && recorder.logs.contains { $0.isRecording })
      try recorder.close()
    }
  }

  @Test("A name that cannot be used is a failure, and the app runs without a log")
  func unusableName() throws {
    let messages = LogMessages()
    let dispatcher = Dispatcher([NotesStore()])
    let recorder = Recorder(in: folder.url, name: "", logger: messages.logger)
    dispatcher.use(recorder)
    #expect(dispatcher.dispatch(NotesAction.write("x")).step == 1)
    let message = """
      \(folder.url.path): cannot record: the name of its logs is empty; choose one such as todo
      """
    #expect(recorder.failure?.message == message)
    #expect(messages.texts == ["error: recording failed: \(message)"])
    try recorder.close()
  }

  @Test("A folder that cannot be listed is a warning")
  func unreadable() throws {
    let dispatcher = Dispatcher([NotesStore()])
    let recorder = Recorder(in: folder.url("logs"), name: "notes")
    dispatcher.use(recorder)
    try FileManager.default.moveItem(at: folder.url("logs"), to: folder.url("moved"))
    try folder.write("x", to: "logs")
    #expect(recorder.logs.isEmpty)
    #expect(
      recorder.warnings.map(\.message) == [
        """
        \(folder.url("logs").path): cannot list the folder: Not a directory; the logs of earlier \
        launches are neither listed nor deleted; make the folder readable
        """
      ])
    try FileManager.default.removeItem(at: folder.url("logs"))
    try FileManager.default.moveItem(at: folder.url("moved"), to: folder.url("logs"))
    try recorder.close()
  }

  /// The number of launches, two of which run at once.
  private static let count = ProcessInfo.processInfo.environment["FLUX_SOAK"] == nil ? 50 : 1000
  private static let seed =
    ProcessInfo.processInfo.environment["FLUX_SEED"].flatMap { UInt64($0) } ?? 5

  @Test(
    "Killed at any moment, two launches at a time stay within the limit and leave only sound logs")
  func killed() throws {
    print("seed \(Self.seed): FLUX_SEED sets another")
    var random = SplitMix64(seed: Self.seed, step: 1)
    var options = Recorder.Options()
    options.launchLimits = [.bytes(512 << 10)]
    let dispatcher = Dispatcher([NotesStore()])
    let bystander = Recorder(in: folder.url, name: "basket", options: options)
    dispatcher.use(bystander)
    for round in 0..<(Self.count / 2) {
      let comment: Comment = "seed \(Self.seed), round \(round)"
      let launches = try (0..<2).map { _ in try Launch(in: folder.url) }
      for launch in launches {
        try launch.wait(for: Int.random(in: 0...1_500, using: &random))
        #expect(try byteCount() <= 512 << 10, comment)
        launch.kill()
      }
      dispatcher.dispatch(NotesAction.write("round \(round)"))
      try bystander.flush()
      #expect(try byteCount() <= 512 << 10, comment)
      let list = bystander.logs
      #expect(list.count { $0.isRecording } == 1, comment)
      #expect(list.count >= 2, comment)
      for url in list.flatMap(\.urls) {
        let log = try LogFile.open(url.path)
        try log.waitForIndex()
        #expect(log.findings.allSatisfy { $0.problem.severity == .note }, comment)
        _ = try log.inFlight()
      }
    }
    try bystander.close()
    let own = try openTimeline(bystander.url)
    #expect(own.log.count == Self.count / 2 && own.log.end?.isComplete == true)
    // A launch has a few segments, and at most one file of actions in flight and one of the lock.
    #expect(try folder.names().count <= 60)
  }

  /// A process of the example app, which dispatches until it is killed.
  private final class Launch {
    private let process: Process
    private let output = Pipe()

    init(in folder: URL) throws {
      process = try CrashExample.start("launch", folder, output: output)
    }

    /// Waits until at least this many dispatches have returned.
    func wait(for steps: Int) throws {
      var count = 0
      while count < steps {
        let piece = output.fileHandleForReading.availableData
        if piece.isEmpty { break }
        count += piece.count { $0 == UInt8(ascii: "\n") }
      }
    }

    func kill() {
      #expect(Foundation.kill(process.processIdentifier, SIGKILL) == 0)
      process.waitUntilExit()
    }
  }
}
