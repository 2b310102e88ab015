import FluxLog

/// A subcommand for scripts and CI: it reads logs, says what it finds, and needs no session.
package protocol Script: Sendable {
  /// Does the work.
  ///
  /// - Parameters:
  ///   - services: Interruption and progress; nothing else is used.
  ///   - output: Gets results and diagnostics.
  /// - Returns: The code to exit with.
  /// - Throws: ``CommandError``, what the engine throws, and what the output throws.
  func perform(with services: Services, to output: inout ScriptOutput) throws -> Int32
}

extension Script {
  /// Does the work, and says what keeps it from being done.
  ///
  /// - Returns: The code to exit with.
  /// - Throws: What the output throws.
  package func run(with services: Services, to output: inout ScriptOutput) throws -> Int32 {
    let code: Int32
    do {
      code = try perform(with: services, to: &output)
    } catch let error as CommandError {
      code = try output.fail(error)
    } catch let error as LogError {
      code = try output.fail(CommandError(.unreadable, error.message))
    } catch let error as QueryError {
      code = try output.fail(CommandError(.usage, error.message))
    }
    try output.flush()
    return code
  }
}

extension Session {
  /// Opens a log for a script, and waits for its index.
  static func opened(_ path: String, with services: Services) throws -> Session {
    let session = Session(try LogFile.open(path), services: services)
    try session.waitForIndex()
    return session
  }

  /// Whether any line of the log is damaged, as far as the index sees that.
  var isDamaged: Bool {
    get throws(LogError) {
      if log.findings.contains(where: { $0.problem.isDamage }) { return true }
      return try log.hasPatchAfterGap()
    }
  }
}
