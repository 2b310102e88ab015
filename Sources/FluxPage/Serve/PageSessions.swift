import FluxCommands
import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

/// The consoles of the clients, one for each tab.
final class PageSessions: Sendable {
  private static let largestCount = 8
  /// The time after which a tab that asks for no events has left.
  private static let patience = Duration.seconds(60)

  /// The clients that receive events at a time: browsers make six connections to a server, and need some for requests.
  private static let largestStreamCount = 4

  private let sessions = Monitor<[String: PageSession]>([:])
  /// The number of clients that have begun to receive events.
  private let streams = Monitor(0)

  /// Begins to send events to a client.
  ///
  /// - Returns: A test of whether the client has to make room for those that began later; it may ask again then.
  func beginEvents() -> @Sendable () -> Bool {
    let number = streams.withLock { count in
      count += 1
      return count
    }
    return { [streams] in streams.withLock { $0 - number >= Self.largestStreamCount } }
  }

  /// Returns the session of a tab that has one.
  func begun(_ name: String) -> PageSession? { sessions.withLock { $0[name] } }

  /// Returns the session of a tab, which begins with its first command or request for events.
  func session(_ name: String) throws(PageError) -> PageSession {
    guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(\.isNameByte) else {
      throw PageError(.badRequest, "X-Flux-Session: expected 1 to 64 letters, digits, _ and -")
    }
    return try sessions.withLock { (sessions) throws(PageError) in
      if let session = sessions[name] {
        session.touch()
        return session
      }
      for (name, session) in sessions where session.isIdle(for: Self.patience) {
        session.end()
        sessions[name] = nil
      }
      guard sessions.count < Self.largestCount else {
        throw PageError(
          .tooManySessions, "\(Self.largestCount) tabs have a console; close one, and try again")
      }
      let session = PageSession()
      sessions[name] = session
      return session
    }
  }
}

extension UInt8 {
  fileprivate var isNameByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }
}

/// The console of a tab: a session for each log, and the command that is running.
final class PageSession: Sendable {
  private struct State {
    /// The consoles by the names of their logs, with the openings that they are about.
    var consoles: [BytewiseName: (opening: Int, console: PageConsole)] = [:]

    func console(of log: PageLog) -> PageConsole? {
      consoles[BytewiseName(log.name)].flatMap { $0.opening == log.opening ? $0.console : nil }
    }
    var job: PageJob?
    var jobCount = 0
    var touched = ContinuousClock.now
  }

  private let state = Monitor(State())

  func touch() { state.withLock { $0.touched = .now } }

  func isIdle(for time: Duration) -> Bool {
    state.withLock { ContinuousClock.now - $0.touched > time }
  }

  /// Cancels the command that is running.
  func end() { state.withLock { $0.job }?.cancel() }

  func console(of log: PageLog) -> PageConsole? { state.withLock { $0.console(of: log) } }

  /// Answers `run` and `complete`.
  func answer(
    _ name: String, _ members: JSON, _ log: PageLog, _ services: Services
  ) throws(PageError) -> [UInt8] {
    let request = try PageRequest(members, deadline: .now + PageLog.patience)
    touch()
    do {
      let answer =
        name == "run" ? try run(request, log, services) : try complete(request, log, services)
      return try LogEncoder(order: .declaration).bytes(of: answer)
    } catch {
      throw PageError(error, in: log.timeline)
    }
  }

  private func complete(
    _ request: PageRequest, _ log: PageLog, _ services: Services
  ) throws -> Answer {
    let line = try request.required("line")
    let cursor = try request.integer("cursor") ?? line.unicodeScalars.count
    let console = console(of: log) ?? PageConsole(log, services)
    let found = console.commands.completions(of: line, cursor: cursor)
    return Answer { members in
      try members.set("from", found.start)
      try members.set("to", max(found.start, min(cursor, line.unicodeScalars.count)))
      try members.set(
        "candidates",
        found.candidates.prefix(PageRequest.largestCount).map { text in
          Answer { try $0.set("text", text) }
        })
    }
  }

  private func run(
    _ request: PageRequest, _ log: PageLog, _ services: Services
  ) throws -> Answer {
    let job = try job(request, log, services)
    if try request.flag("cancel") { job.cancel() }
    job.wait(until: request.deadline)
    return job.answer
  }

  /// Returns the command that a request asks about, or begins the one that it asks for.
  private func job(
    _ request: PageRequest, _ log: PageLog, _ services: Services
  ) throws -> PageJob {
    if let number = try request.integer("job") {
      guard let job = state.withLock({ $0.job }), job.number == number else {
        throw PageError(.notFound, "there is no job \(number)")
      }
      return job
    }
    let line = try request.required("line")
    let word = String(line.drop { $0 == " " }.prefix { $0 != " " })
    let name = word.hasPrefix("!") ? "!" : word
    if let command = CommandRegistry.standard.table.exactly(name), command.needsTerminal {
      throw CommandError(
        .usage, "\(name) needs a terminal, which a page does not have",
        hint: "run it in \(services.invocation) \(log.log.path.shellPath)")
    }
    return try state.withLock { state in
      if let job = state.job, !job.isDone, !job.isAbandoned {
        throw CommandError(.usage, "'\(job.line)' is still running", hint: "cancel it first")
      }
      state.jobCount += 1
      var console = state.console(of: log) ?? PageConsole(log, services)
      if request.has("row") {
        let place = try PageRequest(
          request.members, deadline: request.deadline, console: console.session)
        let rows = try log.rows(of: place)
        try console.session.stand(at: log.place("row", of: place, rows).session.place)
      }
      let job = PageJob(state.jobCount, line, console, log) { [weak self] console in
        self?.state.withLock { $0.consoles[BytewiseName(log.name)] = (log.opening, console) }
      }
      try job.start()
      state.job = job
      return job
    }
  }
}
