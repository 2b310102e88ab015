import FluxLog

/// `stats LOG...`: logs in numbers, one result for each log.
package struct StatsScript: Script {
  private let paths: [String]

  /// Makes the script.
  package init(_ paths: [String]) { self.paths = paths }

  package func perform(with services: Services, to output: inout ScriptOutput) throws -> Int32 {
    var code: Int32 = 0
    for path in paths {
      do {
        let session = try Session.opened(path, with: services)
        let file = paths.count > 1 ? path : nil
        try output.write(.statistics(try Statistics(of: session.log, file: file)))
        try output.note(ofTornEnd: session.log)
      } catch let error as LogError {
        code = max(code, try output.fail(CommandError(.unreadable, error.message)))
      }
    }
    return code
  }
}
