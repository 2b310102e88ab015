package import FluxLog

extension RuleCheck {
  /// Groups logs into recordings: the segments of one recording are one trace.
  ///
  /// Segments have the same `log` in their headers, and are ordered by their first steps. Logs with the same first step
  /// are copies, and stay apart. A log that cannot be read is a separate recording.
  ///
  /// - Returns: The paths of each recording, in the order of the first path of each.
  public static func recordings(of paths: [String]) -> [[String]] {
    recordings(of: paths) { LogPlace($0) }
  }

  /// Groups logs into recordings, if they may be stored in other files than the user named.
  package static func recordings(
    of paths: [String], place: (String) throws -> LogPlace
  ) -> [[String]] {
    var groups: [String: [(path: String, first: UInt64)]] = [:]
    var order: [String] = []
    for (index, path) in paths.enumerated() {
      var key = "\(index)"
      var first: UInt64 = 0
      do {
        let header = try LogFile.header(of: place(path))
        first = header.first
        if let log = header.log { key = "log \(log)" }
      } catch {
        // The check of this recording reports it.
      }
      if groups[key]?.contains(where: { $0.first == first }) == true { key = "\(index)" }
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append((path, first))
    }
    return order.compactMap { groups[$0]?.sorted { $0.first < $1.first }.map(\.path) }
  }
}
