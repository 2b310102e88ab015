import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import Harness
import Inputs

/// Work whose peak of memory is measured in a process that does nothing else.
enum MemoryTask: String, CaseIterable {
  /// Opens a log and waits for its whole index.
  case index
  /// Seeks to a thousand random steps of a log of todos.
  case seek
  /// Records a session with so many todos and so many steps.
  case record
  /// Dispatches all steps of a text session but one on a fork, and compares it with the recording.
  case redispatch

  /// What the work took.
  struct Cost: Codable {
    let seconds: Double
    /// The most bytes of memory that the process has had; nil where the system does not tell.
    let peak: Int?
  }

  /// Does the work in this process.
  func run(_ url: URL, _ numbers: [Int]) throws -> Cost {
    let seconds = try Stopwatch.seconds {
      switch self {
      case .index: try LogFile.open(url.filePath).waitForIndex()
      case .seek: try seek(in: try LogFile.open(url.filePath))
      case .redispatch: try redispatch(try LogFile.open(url.filePath))
      case .record:
        guard numbers.count == 2 else {
          throw ExternalProgram.Failure(description: "record needs a number of todos and of steps")
        }
        try TodoSession(todos: numbers[0], seed: Conditions.usualSeed)
          .record(to: url, steps: numbers[1])
      }
    }
    return Cost(seconds: seconds, peak: try peakMemory())
  }

  private func seek(in log: LogFile) throws {
    try log.waitForIndex()
    let timeline = Timeline(log)
    var random = SeededGenerator(seed: Conditions.usualSeed)
    for _ in 0..<1_000 {
      _ = try timeline.state(of: "todo", at: .random(in: 0..<log.count, using: &random))
    }
  }

  private func redispatch(_ log: LogFile) throws {
    try log.waitForIndex()
    let app = AppDefinition {
      TextSession(lines: Self.textLines, seed: Conditions.usualSeed).stores()
    }
    let fork = try Fork.redispatching(0..<log.count, of: Timeline(log), in: app, skipping: [100])
    guard fork.steps.count == log.count - 1, try fork.compare().first?.step == 100 else {
      throw ExternalProgram.Failure(description: "the fork does not have the steps of the log")
    }
  }

  /// The lines of the text of ``redispatch``.
  static let textLines = 1_000

  /// Does the work in a process of its own.
  func inOwnProcess(_ url: URL, _ numbers: Int...) throws -> Cost {
    let output = try ExternalProgram.own().run(
      ["memory", rawValue, url.filePath] + numbers.map { String($0) })
    return try JSONDecoder().decode(Cost.self, from: output)
  }

  /// The most bytes of memory that a process of its own has had while it did the work.
  func peak(of url: URL) throws -> Int {
    guard let peak = try inOwnProcess(url).peak else {
      throw ExternalProgram.Failure(description: "this system does not tell a process's memory")
    }
    return peak
  }
}

/// The most bytes of memory that this process has had; nil where the system does not tell.
///
/// `VmHWM` rather than `getrusage`, whose peak begins with that of the process that started this one.
private func peakMemory() throws -> Int? {
  #if os(Linux)
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kilobytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    return kilobytes.map { $0 << 10 }
  #else
    return nil
  #endif
}
