package import FluxLog

extension RuleCheck {
  /// Groups logs into recordings: the segments of one recording are one trace.
  ///
  /// Segments have the same `log` in their headers, and each begins after the last step of the one before. A log
  /// that repeats steps of another one, such as a copy or an export, is no segment of the same trace, and stays apart. A
  /// log that cannot be read is a separate recording.
  ///
  /// - Returns: The paths of each recording, in the order of the first path of each.
  public static func recordings(of paths: [String]) -> [[String]] {
    recordings(of: paths) { LogPlace($0) }
  }

  /// Groups logs into recordings, if they may be stored in other files than the user named.
  package static func recordings(
    of paths: [String], place: (String) throws -> LogPlace
  ) -> [[String]] {
    let headers = paths.map { path -> LogHeader? in
      do {
        return try LogFile.header(of: place(path))
      } catch {
        // The check of this recording reports it.
        return nil
      }
    }
    let recordings = recordings(of: headers) { index in
      do {
        let log = try LogFile.open(place(paths[index]))
        try log.waitForIndex()
        return log.missingAtEnd.from
      } catch {
        // The check of this recording reports it.
        return nil
      }
    }
    return recordings.map { $0.map { paths[$0] } }
  }

  /// Groups logs into recordings by their headers.
  ///
  /// - Parameters:
  ///   - headers: The headers; nil for a log that cannot be read.
  ///   - next: Returns the number that follows the last step or gap of the log at an index; nil if it is unknown. Called
  ///     only for logs that may be segments of one recording.
  /// - Returns: The indices of each recording, in the order of the first index of each.
  package static func recordings(
    of headers: [LogHeader?], next: (Int) throws -> UInt64?
  ) rethrows -> [[Int]] {
    var recordings: [[Int]] = []
    var segments: [String: [(index: Int, first: UInt64)]] = [:]
    for (index, header) in headers.enumerated() {
      guard let header, let log = header.log else {
        recordings.append([index])
        continue
      }
      segments[log, default: []].append((index, header.first))
    }
    for logs in segments.values {
      guard logs.count > 1 else {
        recordings.append(logs.map(\.index))
        continue
      }
      var traces: [(segments: [Int], first: UInt64, next: UInt64)] = []
      for log in logs.sorted(by: { ($0.first, $0.index) < ($1.first, $1.index) }) {
        let next = try next(log.index) ?? log.first
        if let trace = traces.firstIndex(where: { $0.first < log.first && $0.next <= log.first }) {
          let segments = traces[trace].segments + [log.index]
          traces[trace] = (segments, log.first, next)
        } else {
          traces.append(([log.index], log.first, next))
        }
      }
      recordings += traces.map(\.segments)
    }
    let ordered = recordings.map { (first: $0.min() ?? 0, segments: $0) }
    return ordered.sorted { $0.first < $1.first }.map(\.segments)
  }
}
