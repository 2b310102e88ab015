import FluxLog
import FluxSystem
import Foundation

/// The last steps of a recording as text, for a debugger.
///
/// See ``Recorder/where``.
public struct RecentSteps: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The steps that are shown.
  static let count = 10

  /// A line with the log and its size, a line for each of the last steps, and one for each action in flight.
  public let description: String

  /// The same text: `po` prints it without quotes and without members.
  public var debugDescription: String { description }

  /// A mirror without members.
  public var customMirror: Mirror { Mirror(self, children: []) }

  init(_ description: String) { self.description = description }

  init(of log: LogFile) throws(LogError) {
    let count = log.count
    var lines = ["\(log.path): \(count.counted("step"))"]
    for position in max(0, count - Self.count)..<count {
      lines.append("  \(Self.line(try log.step(at: position)))")
    }
    for action in try log.inFlight() {
      let type = action.type ?? "an action of an unknown type"
      let state =
        action.isDropped
        ? "and those after it were dropped: the recorder is too far behind"
        : action.isCommitted ? "committed, and its line is not written yet" : "in flight"
      lines.append("  \(action.number) +\(action.time)s \(type), \(state)")
    }
    self.init(lines.joined(separator: "\n"))
  }

  private static func line(_ step: LogStep) -> String {
    var line = "\(step.number) +\(step.time)s \(step.type)"
    if let effect = step.effect { line += ", by the effect \(effect)" }
    if let cause = step.cause {
      line += step.effect == nil ? ", after step \(cause)" : " of step \(cause)"
    }
    if let rejection = step.rejection { line += ", rejected: \(rejection.message)" }
    if let source = step.source { line += " (\(source))" }
    return line
  }
}

extension Recorder {
  /// The last ten steps and the actions in flight, for a debugger.
  ///
  /// ```
  /// (lldb) po recorder.where
  /// groceries-20261120T120000Z-1a2b3c4d.jsonl: 12 steps
  ///   11 +3.512004s grocery/add (Groceries/GroceryList.swift:41)
  ///   12 +3.920117s grocery/toggle (Groceries/GroceryList.swift:20)
  ///   13 +4.100225s grocery/checkOut, in flight
  /// ```
  /// It reads the log's file and waits for nothing, so it works at a breakpoint in a reducer. Redacted values are missing, as
  /// in the file. A recorder in memory has no file: its writing thread must be able to run.
  public var `where`: RecentSteps {
    do {
      let log = try recording()
      if case .memory = destination { return try RecentSteps(of: try timeline().log) }
      var options = LogFile.Options()
      options.threads = 1
      let file = try LogFile.open(log.url.path, options: options)
      try file.waitForIndex()
      return try RecentSteps(of: file)
    } catch {
      return RecentSteps("\(error)")
    }
  }
}
