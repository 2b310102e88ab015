import FluxInspector
import FluxJSON
import FluxLog

/// Answers the requests that only read.
struct Reader {
  let world: World
  let handles: Handles

  /// The walk up a chain of causes ends there, for a client that asks for the whole stack.
  private static let longestChain = 1000

  // MARK: Stacks

  /// The chain of causes of the step at which a thread stands, this step first.
  func stack(_ arguments: StackTraceArguments) throws -> StackTraceBody {
    let place = try world.place(ofThread: arguments.threadId)
    // Nobody shows as many frames, and no sum overflows.
    let largest = 1 << 24
    let first = min(max(0, arguments.startFrame ?? 0), largest)
    let levels = min(arguments.levels.flatMap { $0 > 0 ? $0 : nil } ?? Self.longestChain, largest)
    var frames: [StackFrame] = []
    var count = 0
    var next: Place? = place
    while let here = next, count < max(Self.longestChain, first + levels) {
      try world.check()
      let isShown = count >= first && count - first < levels
      if isShown { frames.append(try frame(at: here, of: place.thread)) }
      count += 1
      switch try Moment(here, in: world).cause() {
      case .none: next = nil
      case .at(let cause): next = cause
      case .missing(let cause):
        if count >= first, count - first < levels {
          frames.append(missingFrame(cause, at: here, of: place.thread))
        }
        count += 1
        next = nil
      }
    }
    return StackTraceBody(stackFrames: frames, totalFrames: count + (next == nil ? 0 : 1))
  }

  private func frame(at place: Place, of thread: ThreadID) throws -> StackFrame {
    let moment = Moment(place, in: world)
    let (source, line) = try self.source(of: moment)
    let isStep = try moment.step() != nil
    return StackFrame(
      id: handles.number(of: Handles.Frame(thread: thread, place: place)),
      name: try moment.title(), source: source, line: world.format.line(line),
      column: world.format.firstColumn, canRestart: world.hasApp && isStep ? true : nil,
      presentationHint: nil)
  }

  private func missingFrame(
    _ cause: UInt64, at place: Place, of thread: ThreadID
  ) -> StackFrame {
    StackFrame(
      id: handles.number(of: Handles.Frame(thread: thread, place: place, missing: cause)),
      name: "step \(cause) is not in the log", source: nil, line: 0, column: 0, canRestart: nil,
      presentationHint: "label")
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
    return world.places[world.lastThread] ?? world.places[.recording] ?? .recording(-1)
  }

  // MARK: Scopes

  func scopes(_ arguments: FrameArguments) throws -> ScopesBody {
    guard let place = try place(ofFrame: arguments.frameId) else { return ScopesBody(scopes: []) }
    let moment = Moment(place, in: world)
    var scopes: [Scope] = []
    func add(_ name: String, _ hint: String?, _ container: Handles.Container) {
      scopes.append(
        Scope(
          name: name, presentationHint: hint, variablesReference: handles.number(of: container),
          namedVariables: nil, indexedVariables: nil, expensive: false))
    }
    if try moment.step() != nil {
      add("Action", "arguments", .action(place))
      add("Changes", nil, .changes(place))
      if try finding(at: place) != nil { add("Divergence", nil, .finding(place)) }
    }
    for store in try moment.stores() {
      try world.check()
      do {
        guard let state = try moment.state(of: store) else { continue }
        scopes.append(
          Scope(
            name: store, presentationHint: "locals",
            variablesReference: handles.number(of: .store(place, store)), namedVariables: nil,
            indexedVariables: state.kind == .array ? state.count : nil, expensive: false))
      } catch let error as LogError {
        guard case .unknownStates = error.reason else { throw error }
        add(store, "locals", .store(place, store))
      }
    }
    return ScopesBody(scopes: scopes)
  }

  /// The finding of a replay at a place where a move has stopped.
  func finding(at place: Place) throws -> StopHit.Finding? {
    guard case .recording(let position) = place else { return nil }
    return world.findings[position]
  }

  // MARK: Sources

  /// The source of a place: the line that dispatched its action, or the line of the log.
  func source(of moment: Moment) throws -> (source: Source, line: Int) {
    let text = try moment.step()?.source
    guard let text, let line = SourceLine(text) else { return (try logLine(of: moment), 1) }
    guard case .found(let path) = world.sources.resolve(line.file) else {
      return (try logLine(of: moment, problem: world.sources.problem(with: line.file)), 1)
    }
    return (
      Source(name: line.file.base, path: world.format.path(path), origin: line.file.module),
      line.line
    )
  }

  /// The line of the log as a source of its own, at a path that no file has.
  private func logLine(of moment: Moment, problem: String? = nil) throws -> Source {
    let file = SourceMap.absolute(world.log.path)
    let name: String
    switch moment.place {
    case .recording(let position):
      name = position < 0 ? "header" : "step-\(try moment.step()?.number ?? 0)"
    case .fork(let fork, let count): name = "fork-\(fork)-step-\(count)"
    }
    return Source(
      name: "\(name).json", path: world.format.path("\(file)/\(name).json"),
      sourceReference: handles.number(ofLineAt: moment.place), presentationHint: "deemphasize",
      origin: problem ?? "the line of the log")
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
      let bytes = position < 0 ? world.log.headerText : try world.log.lineText(at: position)
      return try JSON.parse(bytes)
    case .fork:
      return try Moment(place, in: world).document().json()
    }
  }
}
