import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem
import Foundation

/// A log in the list of a folder: `{"name","bytes"?,"age"?,"condition","steps"?,"divergence"?}`.
///
/// A folder may have thousands of logs, so a glance reads the last bytes of a file, and more only if the log is open.
struct LogGlance: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name, byteCount = "bytes", age, condition, steps, divergence
  }

  /// The outcome of a log, the worst first.
  enum Condition: String, Encodable {
    /// A verification found that replay leads to other states.
    case diverged
    /// The app ended before the lines of all its actions were written.
    case crashed
    /// A verification found every state again.
    case passed
    /// The recording ended as it should.
    case closed
    /// The file has no end: the app is running, or was killed when no action was in flight.
    case open
    /// The file is compressed, or cannot be read.
    case unknown
  }

  private static let tail = 4096

  private let name: String
  private let byteCount: Int?
  /// The seconds since the file was written.
  private let age: Int?
  private let condition: Condition
  private let steps: Int?
  /// The number of the first step that diverged.
  private let divergence: UInt64?

  init(_ name: String, _ path: String?, _ log: PageLog?) {
    self.name = name
    let attributes: [FileAttributeKey: Any]?
    do {
      // Of a link, the file that it leads to.
      attributes = try path.map { path in
        let file = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        return try FileManager.default.attributesOfItem(atPath: file)
      }
    } catch {
      // The file is gone; opening it says so.
      attributes = nil
    }
    byteCount = (attributes?[.size] as? NSNumber)?.intValue
    age = (attributes?[.modificationDate] as? Date).map { max(0, Int(-$0.timeIntervalSinceNow)) }
    let ending = path.map(Self.ending) ?? (.unknown, nil)
    steps = log.flatMap { $0.log.isIndexComplete ? $0.rows().stepCount : nil } ?? ending.steps
    let report = log?.report
    divergence = report?.divergences.first?.step
    if let report, report.verdict == .diverged || report.verdict == .passed {
      condition = report.verdict == .passed ? .passed : .diverged
    } else if let log, log.log.isIndexComplete, ending.condition == .crashed {
      // The file of actions in flight may have none.
      condition = log.rows().firstInFlight == nil ? .open : .crashed
    } else {
      condition = ending.condition
    }
  }

  /// Reads the condition of a log, and the number of its steps if it was closed, from the end of its file.
  private static func ending(_ path: String) -> (condition: Condition, steps: Int?) {
    guard path.hasSuffix(".jsonl") else { return (.unknown, nil) }
    do {
      let file = try Descriptor(opening: path, O_RDONLY)
      let size = try file.status().size
      let bytes = try unsafe [UInt8](unsafeUninitializedCapacity: min(size, tail)) {
        buffer, count in
        count = try unsafe file.read(
          into: UnsafeMutableRawBufferPointer(buffer), at: size - min(size, tail))
      }
      // Lines may end with CRLF, and blank ones may follow.
      let last = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.last ?? []
      if let steps = steps(inEnd: Array(last)) { return (.closed, steps) }
      let isInFlight = LogFileNames.inFlightPaths(of: path).contains {
        FileManager.default.fileExists(atPath: $0)
      }
      return (isInFlight && !LogFile.isBeingRecorded(path) ? .crashed : .open, nil)
    } catch {
      return (.unknown, nil)
    }
  }

  /// The number of steps that the last line of a closed log names; nil for another line, or a part of one.
  private static func steps(inEnd line: [UInt8]) -> Int? {
    guard line.starts(with: "{\"end\":".utf8) else { return nil }
    do {
      let end = try JSON.parse(line)["end"]
      return end?["steps"]?.number?.int64.flatMap { Int(exactly: $0) }
    } catch {
      return nil
    }
  }
}
