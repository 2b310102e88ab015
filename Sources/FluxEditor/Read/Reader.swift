import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

/// The last stop of a thread, for `exceptionInfo`.
struct StopReport: Sendable {
  let kind: ExceptionKind
  let description: String
  let message: String
}

extension Place {
  /// The number of the recording's thread.
  static let recordingThread = 1

  /// The number of the thread that steps over the places of the recording, or of a fork.
  var thread: Int { fork.map(Self.thread) ?? Self.recordingThread }

  static func thread(ofFork number: Int) -> Int { number + 1 }
}

/// The state that requests read, as a value, and the answers to those that only read.
///
/// The worker makes a new one after each change, so a second thread can read while the worker searches.
struct Reader: Sendable {
  let handles: Handles
  /// Reads the log and the forks; its own place does not matter.
  var session: Session
  /// The place of each thread.
  var places: [Int: Place]
  var sources: SourceMap
  var format: ClientFormat
  var hasApp: Bool
  /// The findings of a replay at the steps of the recording where a move has stopped.
  var findings: [Int: StopHit.Finding] = [:]
  /// The exceptions that threads have stopped at.
  var exceptions: [Int: StopReport] = [:]
  /// The thread of the last stop, for requests that name none.
  var lastThread = Place.recordingThread

  /// The walk up a chain of causes ends there, for a client that asks for the whole stack.
  private static let longestChain = 1000

  var log: LogFile { session.timeline.log }

  // MARK: Threads

  func at(_ place: Place) throws(RequestError) -> Session {
    do throws(CommandError) {
      return try session.standing(at: place)
    } catch {
      throw RequestError("fork \(place.fork ?? 0) is gone")
    }
  }

  func place(ofThread number: Int) throws(RequestError) -> Place {
    guard let place = places[number] else {
      throw RequestError("there is no thread \(number); 1 is the recording")
    }
    return place
  }

  /// The threads, the recording first.
  var threads: [ThreadValue] {
    places.sorted { $0.key < $1.key }.map { ThreadValue(id: $0.key, name: name(of: $0.value)) }
  }

  private func name(of place: Place) -> String {
    guard let fork = place.fork else {
      let file = log.path.lastPathName
      return log.header.app.map { "\($0.name) (\(file))" } ?? file
    }
    let base = session.history(ofFork: fork).map { $0.first &- 1 }
    return "fork \(fork)" + (base.map { " after step \($0)" } ?? "")
  }

  // MARK: Stacks

  /// The chain of causes of the step at which a thread stands, this step first.
  func stack(_ arguments: StackTraceArguments) throws -> StackTraceBody {
    let session = try at(place(ofThread: arguments.threadId))
    let thread = session.place.thread
    // Nobody shows as many frames, and no sum overflows.
    let largest = 1 << 24
    let first = min(max(0, arguments.startFrame ?? 0), largest)
    let levels = min(arguments.levels.flatMap { $0 > 0 ? $0 : nil } ?? Self.longestChain, largest)
    var frames: [StackFrame] = []
    var count = 0
    func add(_ frame: @autoclosure () throws -> StackFrame) rethrows {
      if count >= first, count - first < levels { frames.append(try frame()) }
      count += 1
    }
    guard try session.currentStep() != nil else {
      try add(frame(try title(of: session), at: session.place, nil, of: thread))
      return StackTraceBody(stackFrames: frames, totalFrames: count)
    }
    let work = Work(
      limit: max(Self.longestChain, first + levels),
      isCancelled: session.services.isInterrupted)
    let end = try session.chain().run(work) { link in
      try add(frame("\(link.number) \(link.type)", at: link.place, link, of: thread))
    }
    if let cause = end.trailer.missingCause {
      add(
        StackFrame(
          id: handles.number(
            of: Handles.Frame(thread: thread, place: session.place, missing: cause)),
          name: "step \(cause) is not in the log", line: 0, column: 0, presentationHint: "label"))
    }
    return StackTraceBody(stackFrames: frames, totalFrames: count + (end.next == nil ? 0 : 1))
  }

  private func frame(
    _ name: String, at place: Place, _ link: ChainLink?, of thread: Int
  ) throws -> StackFrame {
    let (source, line) = try source(link?.source, at: place)
    return StackFrame(
      id: handles.number(of: Handles.Frame(thread: thread, place: place)), name: name,
      source: source, line: format.line(line), column: format.firstColumn,
      canRestart: hasApp && link != nil ? true : nil)
  }

  /// The name of a place: the number and the type of its step.
  func title(of session: Session) throws -> String {
    if let step = try session.currentStep() { return "\(step.number) \(step.type)" }
    guard session.place.fork != nil else { return "start" }
    return "start of the fork, after step \(session.numberHere)"
  }

  /// The place of a frame; nil for one that stands for a missing step.
  func place(ofFrame number: Int) throws(RequestError) -> Place? {
    guard let frame = handles.frame(number) else {
      throw RequestError("there is no frame \(number)")
    }
    return frame.missing == nil ? frame.place : nil
  }

  /// The place that a request means: its frame, or where the last thread that stopped stands.
  func place(ofFrame number: Int?) throws(RequestError) -> Place {
    if let number, let place = try place(ofFrame: number) { return place }
    return places[lastThread] ?? places[Place.recordingThread] ?? .recording(Timeline.start)
  }

  // MARK: Scopes

  func scopes(_ arguments: FrameArguments) throws -> ScopesBody {
    guard let place = try place(ofFrame: arguments.frameId) else { return ScopesBody(scopes: []) }
    let session = try at(place)
    var scopes: [Scope] = []
    func add(
      _ name: String, _ hint: String?, _ container: Handles.Container, indexed count: Int? = nil
    ) {
      scopes.append(
        Scope(
          name: name, presentationHint: hint, variablesReference: handles.number(of: container),
          indexedVariables: count))
    }
    if try session.currentStep() != nil {
      add("Action", "arguments", .action(place))
      add("Changes", nil, .changes(place))
      if finding(at: place) != nil { add("Divergence", nil, .finding(place)) }
    }
    for store in session.storeNames {
      try session.checkInterruption()
      do {
        guard let state = try session.currentState(of: store) else { continue }
        let origin = try session.rebuiltHere([store]) == nil ? "" : " (rebuilt by replay)"
        add(
          store + origin, "locals", .store(place, BytewiseName(store)),
          indexed: state.kind == .array ? state.count : nil)
      } catch let error as LogError {
        guard case .unknownStates = error.reason else { throw error }
        add(store, "locals", .store(place, BytewiseName(store)))
      }
    }
    return ScopesBody(scopes: scopes)
  }

  /// The finding of a replay at a place where a move has stopped.
  func finding(at place: Place) -> StopHit.Finding? {
    guard case .recording(let position) = place else { return nil }
    return findings[position]
  }

  // MARK: Sources

  /// The source of a place: the line that dispatched its action, or the line of the log.
  private func source(
    _ text: String?, at place: Place
  ) throws -> (source: Source, line: Int) {
    guard let text, let line = SourceLine(text) else { return (logLine(at: place), 1) }
    guard case .found(let path) = sources.resolve(line.file) else {
      return (logLine(at: place, problem: sources.problem(with: line.file)), 1)
    }
    return (
      Source(name: line.file.base, path: format.path(path), origin: line.file.module), line.line
    )
  }

  /// The line of the log as a separate source, at a path that no file has.
  private func logLine(at place: Place, problem: String? = nil) -> Source {
    let file = SourceMap.absolute(log.path)
    let name: String
    switch place {
    case .recording(let position):
      name = position < 0 ? "header" : "step-\(log.number(at: position) ?? 0)"
    case .fork(let fork, let count): name = "fork-\(fork)-step-\(count)"
    }
    return Source(
      name: "\(name).json", path: format.path("\(file)/\(name).json"),
      sourceReference: handles.number(ofLineAt: place), presentationHint: "deemphasize",
      origin: problem ?? "the line of the log")
  }

  /// The line that dispatched the action which wrote a value; the step is only searched for here.
  func location(_ arguments: LocationsArguments) throws -> LocationsBody {
    guard
      case .value(let place, .document, let elements)? =
        handles.container(arguments.locationReference)
    else { throw RequestError("there is no location \(arguments.locationReference)") }
    let session = try at(place)
    let path = try Path(Location(elements).normalizedPath)
    let work = Work(limit: 1, isCancelled: session.services.isInterrupted)
    guard let write = try session.blame(path).collect(work).rows.first else {
      throw RequestError("no step is known that wrote \(Location(elements).shorthand)")
    }
    let origin = Place.recording(write.position)
    let (source, line) = try source(at(origin).currentStep()?.source, at: origin)
    return LocationsBody(source: source, line: format.line(line))
  }

  /// A text is cut off there.
  private static let largestSource = 1 << 20

  func content(_ arguments: SourceContentArguments) throws -> SourceBody {
    let reference =
      arguments.sourceReference != 0
      ? arguments.sourceReference : arguments.source?.sourceReference ?? 0
    guard let place = handles.placeOfLine(reference) else {
      throw RequestError("there is no source \(reference)")
    }
    var text = try line(at: place).pretty()
    if text.utf8.count > Self.largestSource {
      text =
        String(decoding: text.utf8.prefix(Self.largestSource - 100), as: UTF8.self)
        + "\n… \(text.utf8.count) bytes in all; the rest is left out\n"
    }
    return SourceBody(content: text, mimeType: "application/json")
  }

  private func line(at place: Place) throws -> JSON {
    switch place {
    case .recording(let position):
      let bytes = position < 0 ? log.headerText : try log.lineText(at: position)
      return try JSON.parse(bytes)
    case .fork:
      return try at(place).document.json()
    }
  }
}
