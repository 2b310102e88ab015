import FluxCommands
import FluxInspector
import FluxJSON
import FluxLog
import FluxSystem

// The client's breakpoints, as stop points of the session.
extension DebugSession {
  func setBreakpoints(_ request: Request) throws {
    let arguments = try request.decoded(SetBreakpointsArguments.self)
    let source = arguments.source
    let path = format.path(fromClient: source.path ?? source.name ?? "")
    let asked =
      arguments.breakpoints ?? (arguments.lines ?? []).map { SourceBreakpoint(line: $0) }
    let breakpoints = asked.map { asked in
      breakpoint(
        .source(path: path, line: format.line(fromClient: asked.line)), asked.condition,
        asked.hitCondition, logMessage: asked.logMessage, source: source, line: asked.line)
    }
    try replace(.source(path), breakpoints, request)
  }

  func setFunctionBreakpoints(_ request: Request) throws {
    let asked = try request.decoded(SetFunctionBreakpointsArguments.self).breakpoints
    try replace(
      .function, asked.map { breakpoint(.function($0.name), $0.condition, $0.hitCondition) },
      request)
  }

  func setDataBreakpoints(_ request: Request) throws {
    let asked = try request.decoded(SetDataBreakpointsArguments.self).breakpoints
    try replace(
      .data, asked.map { breakpoint(.data($0.dataId), $0.condition, $0.hitCondition) }, request)
  }

  func setExceptionBreakpoints(_ request: Request) throws {
    let arguments = try request.decoded(SetExceptionBreakpointsArguments.self)
    let names = arguments.filters + (arguments.filterOptions ?? []).map(\.filterId)
    let breakpoints = try names.map { name in
      guard let kind = ExceptionKind(rawValue: name) else {
        let known = ExceptionKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw RequestError("\(name) is not an exception filter; the filters are \(known)")
      }
      return breakpoint(.exception(kind))
    }
    try replace(.exception, breakpoints, request)
  }

  private func breakpoint(
    _ kind: ClientBreakpoint.Kind, _ condition: String? = nil, _ hitCondition: String? = nil,
    logMessage: String? = nil, source: SourceArgument? = nil, line: Int? = nil
  ) -> ClientBreakpoint {
    ClientBreakpoint(
      kind, condition, hitCondition, logMessage: logMessage,
      Breakpoint(id: breakpoints.newID(), verified: false, source: source, line: line))
  }

  private func replace(
    _ group: BreakpointTable.Group, _ new: [ClientBreakpoint], _ request: Request
  ) throws {
    try require(.breakpoints)
    for old in breakpoints.replace(group, new) { remove(old) }
    // Before the launch they wait; events tell what becomes of them.
    if console != nil {
      var new = new
      for place in new.indices { try resolve(&new[place]) }
      _ = breakpoints.replace(group, new)
    }
    let answers = (breakpoints.groups[group] ?? []).map(\.answer)
    connection.respond(to: request, BreakpointsBody(breakpoints: answers))
  }

  private func remove(_ breakpoint: ClientBreakpoint) {
    guard let number = breakpoint.number else { return }
    do {
      _ = try console?.session.removeStopPoint(number)
    } catch {
      // A command of the console has deleted it.
    }
  }

  // MARK: Meaning

  /// Finds the steps that a breakpoint means, and has the session stop there.
  private func resolve(_ breakpoint: inout ClientBreakpoint) throws {
    do {
      let (kind, message) = try target(of: breakpoint)
      guard !isInstalled(kind, breakpoint) else { return }
      breakpoint.answer.message = nil
      breakpoint.answer.verified = message == nil
      breakpoint.answer.message = message
      var target = ClientBreakpoint.Target(kind: kind)
      target.condition = try breakpoint.condition.map(QueryExpression.init)
      target.hits = try breakpoint.hitCondition.map(HitCondition.init)
      target.message = try breakpoint.logMessage.map(LogMessage.init)
      target.found = breakpoint.target?.found
      breakpoint.target = target
      try install(&breakpoint)
    } catch {
      let error = RequestError(error, in: published?.session)
      remove(breakpoint)
      (breakpoint.number, breakpoint.target) = (nil, nil)
      breakpoint.answer.verified = false
      breakpoint.answer.message =
        error.isCancelled ? "interrupted; set the breakpoint again" : error.message
    }
  }

  /// `true` if the session stops at just these steps already, for a log that has grown.
  private func isInstalled(_ kind: StopPoint.Kind, _ breakpoint: ClientBreakpoint) -> Bool {
    guard breakpoint.answer.verified, breakpoint.target != nil else { return false }
    if case .steps(let new, _) = kind, case .steps(let old, _)? = breakpoint.target?.kind {
      return new == old
    }
    return true
  }

  /// The kind of stop point for a breakpoint, and the reason why no step matches now.
  private func target(
    of breakpoint: ClientBreakpoint
  ) throws -> (StopPoint.Kind, message: String?) {
    switch breakpoint.kind {
    case .source(let path, let line):
      let found = try steps(of: line, in: path)
      return (.steps(found.positions, Self.subject(of: breakpoint)), found.problem)
    case .function(let name): return (.breakpoint(Glob(name)), nil)
    case .data(let path): return (.watchpoint(try ValueQuery(path)), nil)
    case .exception(.rejected): return (.rejection, nil)
    case .exception(.gap): return (.gap, nil)
    case .exception(.divergence):
      guard published?.hasApp == true else { throw RequestError.noApp }
      return (.divergence, nil)
    case .exception(.damaged):
      let log = console?.session.timeline.log
      let positions = log?.breaks.map(\.position).filter { log?.isDamaged(before: $0) == true }
      return (.steps(positions ?? [], "damaged"), nil)
    }
  }

  /// Adds the stop point of a breakpoint whose steps are known without a search, in place of its old one.
  private func install(_ breakpoint: inout ClientBreakpoint) throws {
    guard breakpoint.logMessage == nil, let target = breakpoint.target, target.hits == nil else {
      return
    }
    try add(target.kind, target.condition, of: &breakpoint)
  }

  private func add(
    _ kind: StopPoint.Kind, _ condition: QueryExpression?, of breakpoint: inout ClientBreakpoint
  ) throws {
    remove(breakpoint)
    let added = try console?.session.addStopPoint(kind, if: condition)
    breakpoint.number = added?.number
    if case .exception = breakpoint.kind { return }
    guard let note = added?.notes.first?.line else { return }
    breakpoint.answer.message = note
    // A value that is absent here may exist at other steps, and the client sets its breakpoints again wherever it stands.
    if case .data = breakpoint.kind { return }
    breakpoint.answer.verified = false
  }

  /// Finds all steps of the breakpoints with a hit condition, before a move that could stop there.
  func prepareBreakpoints() throws {
    guard let log = console?.session.timeline.log else { return }
    try breakpoints.update { breakpoint in
      if case .exception(.damaged) = breakpoint.kind, !log.isIndexComplete {
        try waitForIndex(of: log)
        try resolve(&breakpoint)
      }
      guard breakpoint.logMessage == nil, let hits = breakpoint.target?.hits,
        try find(&breakpoint) || breakpoint.number == nil
      else { return }
      let positions = hits.filter(breakpoint.target?.found?.positions ?? [])
      let number = breakpoint.number
      try add(.steps(positions, Self.subject(of: breakpoint)), nil, of: &breakpoint)
      if number == nil { breakpoint.answer.verified = true }
    }
  }

  private static func subject(of breakpoint: ClientBreakpoint) -> String {
    switch breakpoint.kind {
    case .source(let path, let line): "\(path.lastPathName):\(line)"
    case .function(let name), .data(let name): name
    case .exception(let kind): kind.rawValue
    }
  }

  /// Finds all steps that a breakpoint means, hit condition aside; returns `true` if there are new ones.
  func find(_ breakpoint: inout ClientBreakpoint) throws -> Bool {
    guard let target = breakpoint.target, var session = console?.session else { return false }
    let count = session.timeline.log.count
    let known = target.found.flatMap { $0.count <= count ? $0 : nil }
    if let known, known.count == count, session.timeline.log.isIndexComplete { return false }
    let more = try session.positions(
      of: target.kind, if: target.condition, beyond: (known?.count ?? 0) - 1)
    breakpoint.target?.found = ((known?.positions ?? []) + more, session.timeline.log.count)
    return known == nil || !more.isEmpty
  }

  // MARK: Source lines

  /// The positions of the steps that a line dispatched, or the reason why there are none.
  private func steps(
    of line: Int, in path: String
  ) throws -> (positions: [Int], problem: String?) {
    let (index, names, problem) = try files(at: path)
    guard !names.isEmpty else { return ([], problem) }
    let positions = index.positions(of: line, in: names)
    guard positions.isEmpty else { return (positions, nil) }
    // Of two lines that are as near, the first.
    let lines = index.lines(of: names).sorted { (abs($0 - line), $0) < (abs($1 - line), $1) }
    let nearest = lines.prefix(3).sorted().map { String($0) }.joined(separator: ", ")
    return ([], "no step was dispatched on line \(line); lines near it are \(nearest)")
  }

  /// The names by which the log knows the file at a path, or the reason why it does not know it.
  private func files(
    at path: String
  ) throws -> (index: SourceIndex, names: Set<SourceFileName>, problem: String?) {
    let index = try extendedSourceIndex()
    guard let sources = published?.sources else { return (index, [], nil) }
    sources.open(path)
    let file = SourceMap.absolute(path)
    let base = path.lastPathName
    let named = index.files[base] ?? []
    let names = named.filter { sources.resolve($0) == .found(file) }
    guard names.isEmpty else { return (index, names, nil) }
    if let name = named.sorted(by: { $0.description < $1.description }).first {
      return (index, [], sources.problem(with: name) ?? "\(name) is another file of that name")
    }
    return (
      index, [],
      index.files.isEmpty
        ? "the log names no source lines; record with recordsSource"
        : "no step was dispatched in \(base)"
    )
  }

  /// The index of source lines, up to the end of the log.
  func extendedSourceIndex() throws -> SourceIndex {
    guard let session = console?.session else { return SourceIndex() }
    let log = session.timeline.log
    try waitForIndex(of: log)
    var index = sourceIndex ?? SourceIndex()
    index.extend(to: log.count, of: log)
    sourceIndex = index
    return index
  }

  private func waitForIndex(of log: LogFile) throws {
    try log.waitForIndex { [published] in try published?.session.checkInterruption() }
  }

  /// Resolves the breakpoints again, and tells the client of those that changed.
  func verifyBreakpoints() throws {
    var changed: [Breakpoint] = []
    try breakpoints.update { breakpoint in
      let before = breakpoint.answer
      try resolve(&breakpoint)
      if breakpoint.answer != before { changed.append(breakpoint.answer) }
    }
    for answer in changed.sorted(by: { $0.id < $1.id }) {
      connection.tell("breakpoint", BreakpointBody(reason: "changed", breakpoint: answer))
    }
  }

  // MARK: Lines with steps

  func breakpointLocations(_ request: Request) throws {
    let arguments = try request.decoded(BreakpointLocationsArguments.self)
    let (index, names, _) = try files(at: format.path(fromClient: arguments.source.path ?? ""))
    let first = format.line(fromClient: arguments.line)
    let last = format.line(fromClient: arguments.endLine ?? arguments.line)
    let lines = index.lines(of: names).filter { $0 >= first && $0 <= last }.sorted()
    connection.respond(
      to: request,
      BreakpointLocationsBody(breakpoints: lines.map { BreakpointLocation(line: format.line($0)) }))
  }

  /// The targets of `goto` in a line: the steps nearest to here.
  private static let largestTargetCount = 50

  func gotoTargets(_ request: Request) throws {
    let arguments = try request.decoded(GotoTargetsArguments.self)
    let (index, names, _) = try files(at: format.path(fromClient: arguments.source.path ?? ""))
    let here = console?.session.position ?? Timeline.start
    let positions = index.positions(of: format.line(fromClient: arguments.line), in: names)
    let nearest = positions.sorted { abs($0 - here) < abs($1 - here) }
      .prefix(Self.largestTargetCount).sorted()
    let reader = try reader()
    let targets = try nearest.map { position in
      GotoTarget(
        id: handles.number(ofTarget: position),
        label: "step \(try reader.title(of: reader.at(.recording(position))))",
        line: arguments.line)
    }
    connection.respond(to: request, GotoTargetsBody(targets: targets))
  }

  func loadedSources(_ request: Request) throws {
    let index = try extendedSourceIndex()
    let reader = try reader()
    var sources: [Source] = []
    for name in Set(index.files.values.joined()).sorted(by: { $0.description < $1.description }) {
      guard case .found(let path) = reader.sources.resolve(name) else { continue }
      sources.append(Source(name: name.base, path: format.path(path), origin: name.module))
    }
    connection.respond(to: request, LoadedSourcesBody(sources: sources))
  }
}
