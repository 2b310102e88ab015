import FluxSystem
import Foundation

/// The names of the files that belong to a log's path.
///
/// For `todo.jsonl` these are the path itself, `todo~1.jsonl`, `todo~2.jsonl`, … for logs that had
/// to make room or found none, and `todo.0001.jsonl`, `todo.0002.jsonl`, … for a flight recorder's
/// segments.
package struct LogFileNames {
  /// A row of numbered names.
  enum Series {
    /// `todo~1.jsonl`
    case numbered
    /// `todo.0001.jsonl`
    case segments

    fileprivate var separator: String { self == .numbered ? "~" : "." }
    fileprivate var digitCount: Int { self == .numbered ? 1 : 4 }
  }

  /// The path as the app gave it.
  let path: String
  private let folder: String
  private let stem: Substring
  private let suffix: Substring

  init(path: String) {
    self.path = path
    folder = SymbolicLink.folder(of: path)
    let name = Substring(path.utf8.dropFirst(folder.utf8.count))
    let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) ?? name.startIndex
    // The dot of a hidden file begins its name, not its extension.
    let end = dot > name.startIndex ? dot : name.endIndex
    (stem, suffix) = (name[..<end], name[end...])
  }

  /// Returns the path of the index that earlier versions saved next to a log.
  static func indexPath(of log: String) -> String { log + ".idx" }

  /// Returns the path of the actions in flight next to a log.
  ///
  /// The name begins with a dot, so that the patterns of log rotation skip it.
  static func inFlightPath(of log: String) -> String { hiddenPath(of: log) + ".inflight" }

  /// Returns the path of the lock over the segments of a log.
  static func lockPath(of log: String) -> String { hiddenPath(of: log) + ".lock" }

  /// Returns the path that earlier recorders gave to the actions in flight.
  static func olderInFlightPath(of log: String) -> String { log + ".inflight" }

  /// Returns both paths of actions in flight, the current one first.
  package static func inFlightPaths(of log: String) -> [String] {
    [inFlightPath(of: log), olderInFlightPath(of: log)]
  }

  private static func hiddenPath(of path: String) -> String {
    let folder = SymbolicLink.folder(of: path)
    return folder + "." + Substring(path.utf8.dropFirst(folder.utf8.count))
  }

  /// Returns the path of the segment that was recorded before another one; `nil` if there is none.
  static func segment(before log: String) -> String? {
    let names = LogFileNames(path: log)
    guard let dot = names.stem.lastIndex(of: ".") else { return nil }
    let series = LogFileNames(path: names.folder + names.stem[..<dot] + names.suffix)
    let numbers = series.numbers(.segments)
    guard let index = numbers.firstIndex(where: { series.path(.segments, $0) == log }), index > 0
    else { return nil }
    return series.path(.segments, numbers[index - 1])
  }

  /// Returns the path of a number, from 1 on.
  func path(_ series: Series, _ number: Int) -> String {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, series.digitCount - digits.utf8.count))
    return "\(folder)\(stem)\(series.separator)\(zeros)\(digits)\(suffix)"
  }

  /// Returns the numbers that have a file, in ascending order.
  func numbers(_ series: Series) -> [Int] {
    let files: [String]
    do {
      files = try FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    } catch {
      // Without the list, every number is tried in turn, and creating the file reports the reason.
      return []
    }
    let prefix = "\(stem)\(series.separator)"
    let numbers = files.compactMap { file -> Int? in
      guard file.hasPrefix(prefix), file.hasSuffix(suffix) else { return nil }
      return Self.number(file.dropFirst(prefix.count).dropLast(suffix.count))
    }
    return numbers.sorted()
  }

  /// Reads the number in a name; `nil` for other text.
  static func number(_ digits: Substring) -> Int? {
    // Ten digits and more are not from a recorder, and adding one might overflow.
    guard digits.utf8.count < 10, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int(digits)
  }

  /// Returns the number above the largest that has a file.
  func next(_ series: Series) -> Int { (numbers(series).last ?? 0) + 1 }
}
