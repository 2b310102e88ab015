import FluxCommands
import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

/// A session of a client: its log, its threads, and its breakpoints.
///
/// Belongs to the worker's thread.
final class DebugSession {
  /// The end of a request.
  enum Outcome {
    case done
    /// A search was interrupted; its thread, of this number, is where it was.
    case interrupted(Int)
    /// The recording's thread goes on with the next steps of the log, once it has them.
    case waiting
  }

  let connection: ClientConnection
  let inbox: Inbox
  let progress: ProgressReport
  let handles: Handles
  private let environment: AdapterWorld

  var phase = SessionPhase.created
  /// `false` if `initialized` waits for a launch with the token: after that event, a client sets breakpoints.
  var announcesAtOnce = true
  private var isAnnounced = false
  var format = ClientFormat()
  var breakpoints = BreakpointTable()
  /// The steps by source line, from the first source breakpoint on.
  var sourceIndex: SourceIndex?
  /// The arguments of the launch, for the first position.
  var opening = LaunchArguments()
  /// The running app, if the client has attached to one.
  private var attached: AttachedApp?
  /// `true` while new lines of the log, or the end of the running app, are looked for.
  var isFollowing = false
  /// `true` if the client knows that the running app has ended.
  var hasAppEnded = false
  /// `true` if the client knows that the log's file was removed.
  var isLogRemoved = false
  /// The request that goes on with the next steps of the log; nil if the recording's thread stands.
  var waiting: Request?
  /// The restarted frames by the numbers of their forks.
  var restarts: [Int: Restart] = [:]
  /// The files that the console has called ambiguous.
  private var ambiguous: Set<SourceFileName> = []
  /// The commands of the session, and its state; nil before the launch.
  var console: Console?
  /// The state that requests read; nil before the launch.
  ///
  /// There is no other copy: the thread that answers during a search reads it here, too. So a message that tells of a
  /// change has to come after the change of this property, and then every request that the client sends sees it.
  var published: Reader? {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }
  private let shared: Monitor<Reader?>

  /// Makes a session that publishes its state in `shared`.
  init(
    _ connection: ClientConnection, _ inbox: Inbox, _ progress: ProgressReport, _ handles: Handles,
    _ environment: AdapterWorld, publishingIn shared: Monitor<Reader?>
  ) {
    (self.connection, self.inbox, self.progress) = (connection, inbox, progress)
    (self.handles, self.environment, self.shared) = (handles, environment, shared)
  }

  // MARK: Requests

  /// Answers a request, and does what it asks for.
  func handle(_ job: Inbox.Job) -> Outcome {
    let request = job.request
    do {
      return try perform(request, isResumed: job.isResumed)
    } catch {
      connection.refuse(request, RequestError(error, in: published?.session))
      return .done
    }
  }

  private func perform(_ request: Request, isResumed: Bool) throws -> Outcome {
    switch request.command {
    case "initialize": try initialize(request)
    case "launch", "attach": return try open(request)
    case "configurationDone": return try configured(request, isResumed: isResumed)
    case "pause":
      // It is answered.
      stopWaiting()
    case "terminate":
      try require(.terminate)
      connection.respond(to: request)
      terminate()
    case "setBreakpoints": try setBreakpoints(request)
    case "setFunctionBreakpoints": try setFunctionBreakpoints(request)
    case "setDataBreakpoints": try setDataBreakpoints(request)
    case "setExceptionBreakpoints": try setExceptionBreakpoints(request)
    default: return try performInLog(request, isResumed: isResumed)
    }
    return .done
  }

  /// Answers a request that needs a log.
  private func performInLog(_ request: Request, isResumed: Bool) throws -> Outcome {
    let answer: (Request) throws -> Void
    switch request.command {
    // Here it may be a command, which is more than the reader evaluates.
    case "evaluate": answer = evaluate
    case "completions": answer = complete
    case "gotoTargets": answer = gotoTargets
    case "breakpointLocations": answer = breakpointLocations
    case "loadedSources": answer = loadedSources
    case "restartFrame": answer = restartFrame
    case "setVariable": answer = setVariable
    case let name:
      if let command = MoveCommand(rawValue: name) {
        try require(.use)
        return try move(command, request, isResumed: isResumed)
      }
      guard let command = ReadCommand(rawValue: name) else {
        throw RequestError("unknown request \(name)")
      }
      answer = { [self] in try command.answer($0, reader(), connection) }
    }
    try require(.use)
    try answer(request)
    return .done
  }

  func require(_ event: SessionPhase.Event) throws(RequestError) {
    if case .refuse(let reason) = phase.receive(event) { throw RequestError(reason) }
  }

  /// The reader of what the worker knows now.
  func reader() throws(RequestError) -> Reader {
    guard let published else { throw RequestError("there is no log: launch or attach first") }
    return published
  }

  // MARK: Beginning

  private func initialize(_ request: Request) throws {
    let arguments = try request.decoded(InitializeArguments.self)
    try require(.initialize)
    format = ClientFormat(arguments)
    if arguments.supportsProgressReporting == true { progress.begin() }
    connection.respond(to: request, Capabilities())
    if announcesAtOnce { announce() }
  }

  /// Tells the client once that it may set breakpoints.
  private func announce() {
    guard !isAnnounced else { return }
    isAnnounced = true
    connection.tell("initialized")
  }

  private func open(_ request: Request) throws -> Outcome {
    var before = phase
    if case .refuse(let reason) = before.receive(.open) { throw RequestError(reason) }
    announce()
    let arguments = try request.decoded(LaunchArguments.self).readingPaths(with: format)
    var services = try services(arguments.app)
    let isAttached = request.command == "attach"
    let live = isAttached ? try arguments.runningApp.map { try attach(to: $0) } : nil
    let named = (isAttached ? arguments.log : nil) ?? arguments.program ?? arguments.log
    guard let path = live?.logPath ?? named else {
      let missing =
        isAttached ? #"name it as "log", or a running app as "process""# : #"name it as "program""#
      throw RequestError("\(request.command): the log is missing; \(missing)")
    }
    let log = try environment.open(path)
    services.live = live
    services.app = services.app ?? live?.replay
    var session = Session(log, services: services)
    if live != nil { _ = try session.follow() }
    let position = try request.firstPosition()
    if let position { _ = try session.move(to: position) }
    opening = arguments
    isFollowing = isAttached
    console = makeConsole(session)
    published = Reader(
      handles: handles, session: session, places: [Place.recordingThread: session.place],
      sources: SourceMap(
        roots: arguments.sourceRoots ?? ["."], modules: arguments.sourceMap ?? [:]),
      format: format, hasApp: session.services.app != nil)
    let action = phase.receive(.opened)
    connection.respond(to: request)
    if session.services.app != nil {
      connection.tell("capabilities", CapabilitiesBody())
    }
    let app = log.header.app.map { ": \($0.title)" }
    connection.print("\(log.path)\(app ?? "")")
    try verifyBreakpoints()
    return action == .begin ? try begin() : .done
  }

  private func attach(to app: AppAddress) throws -> any LiveApp {
    guard let attach = environment.attach else {
      throw RequestError("attach: there are no running apps here")
    }
    let attached = try attach(app, { [connection] in connection.print($0) }) { [inbox] in
      inbox.isInterrupted(.worker)
    }
    self.attached = attached
    return attached.app
  }

  /// Ends the session, and tells the user what is left of it.
  func close() {
    do {
      guard let text = try attached?.close() else { return }
      connection.print(text)
    } catch {
      connection.print("\(error)", .stderr)
    }
  }

  /// Tells the client that the debuggee is over.
  func terminate() {
    (isFollowing, waiting) = (false, nil)
    connection.tell("terminated")
  }

  /// Shows in the views of the running app where the recording stands.
  ///
  /// The console reports a failure, except that the app has ended, which ``follow()`` reports.
  func showInApp(_ thread: Int) {
    guard opening.show != false, thread == Place.recordingThread, let published,
      let live = published.session.services.live, live.ending == nil,
      let place = published.places[thread]
    else { return }
    do {
      var session = try published.at(place)
      _ = try session.show()
    } catch {
      connection.print(RequestError(error, in: published.session).message)
    }
  }

  private func services(_ app: String?) throws -> Services {
    var services = environment.services
    services.isInterrupted = { [inbox] in inbox.isInterrupted(.worker) }
    services.progress = { [progress] in progress.report($0) }
    services.pause = { [inbox] in inbox.sleep($0) }
    services.app = try app.map { path in try environment.app(path, services.isInterrupted) }
    return services
  }

  private func makeConsole(_ session: Session) -> Console {
    var console = Console(session)
    console.settings.color = .never
    console.emit = { [connection] output, settings in
      let (text, output) = try output.text(settings)
      if !text.isEmpty { connection.print(text) }
      return output
    }
    return console
  }

  private func configured(_ request: Request, isResumed: Bool) throws -> Outcome {
    if isResumed { return try begin() }
    let action = phase.receive(.configured)
    if case .refuse(let reason) = action { throw RequestError(reason) }
    connection.respond(to: request)
    return action == .begin ? try begin() : .done
  }

  /// Tells the client where the recording stands, or searches for the first breakpoint.
  private func begin() throws -> Outcome {
    guard opening.stopOnEntry == false else {
      stop(StoppedBody(reason: "entry", threadId: Place.recordingThread))
      return .done
    }
    return search(.continue, Place.recordingThread)
  }

  // MARK: Threads

  /// Tells the client that a thread has stopped.
  func stop(_ body: StoppedBody) {
    if body.threadId == Place.recordingThread { waiting = nil }
    published?.lastThread = body.threadId
    if body.reason != "exception" { published?.exceptions[body.threadId] = nil }
    showInApp(body.threadId)
    explainSource(body.threadId)
    connection.tell("stopped", body)
  }

  /// Says once for each file why the client shows the log instead: most clients do not show the origin of a source.
  private func explainSource(_ thread: Int) {
    guard let published, let place = published.places[thread] else { return }
    do {
      guard let text = try published.at(place).currentStep()?.source,
        let name = SourceLine(text)?.file, case .ambiguous = published.sources.resolve(name),
        let problem = published.sources.problem(with: name), ambiguous.insert(name).inserted
      else { return }
      connection.print(problem)
    } catch {
      // The client asks for the same step, and gets the error.
    }
  }

  /// Tells the client that a search has been interrupted.
  func stopInterrupted(_ thread: Int) {
    stop(StoppedBody(reason: "pause", description: "interrupted; still here", threadId: thread))
  }

  /// Takes over the position and the forks of the console.
  func synchronize() {
    guard let console, var reader = published else { return }
    reader.session = console.session
    reader.places[Place.recordingThread] = .recording(console.session.position)
    reader.places = reader.places.filter { _, place in
      place.fork.map { console.session.history(ofFork: $0) != nil } ?? true
    }
    published = reader
  }
}

extension Request {
  /// The position that a launch begins at, as text or as a number; nil for the start.
  fileprivate func firstPosition() throws(RequestError) -> Position? {
    guard let position = arguments["position"], !position.isNull else { return nil }
    let text = position.string ?? position.text
    guard let read = Position(text) else {
      throw RequestError("\(text) is not a position: write 42, 50%, end, @12.5 or todo/add#3")
    }
    return read
  }
}

extension Inbox {
  /// Waits for some seconds, or until the worker's request is interrupted.
  fileprivate func sleep(_ seconds: Double) {
    let end = ContinuousClock.now + .seconds(max(0, seconds))
    while ContinuousClock.now < end, !isInterrupted(.worker) {
      waitALittle()
    }
  }
}
