import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

/// The abilities of a backend of the page, which `info` tells.
struct PageCapabilities: Encodable {
  private enum CodingKeys: String, CodingKey {
    case isLive = "live", hasExpressions = "expressions", hasApp = "app", running
  }

  var isLive = true
  var hasExpressions = true
  var hasApp = false
  /// The name of the running app that shows what the page shows; nil if there is none.
  var running: String?

  /// The abilities of a report, which has no program behind it.
  static let report = PageCapabilities(
    isLive: false, hasExpressions: false, hasApp: false)
}

/// The facts about a page that are not those of its log.
struct PageSetting {
  var capabilities = PageCapabilities()
  /// The program and its version.
  var program = "flux-inspect"
  /// The names of the logs that are served.
  var logs: [String] = []
  /// The part of the log that a report contains; nil if the page is served.
  var extract: ReportExtract?
}

/// The row to open first: `{"row","reason"}`.
struct PageLanding: Encodable {
  /// The reasons to open a row first.
  enum Reason: String, Encodable {
    /// The first divergence of a verification.
    case divergence
    /// The action that was running when the app ended.
    case crash
    /// The first action whose line was not written when the recording ended.
    case inFlight = "inflight"
    /// The first step that did not commit.
    case rejection
    /// The last step, because nothing went wrong.
    case end
    /// The step that a report was asked to open.
    case chosen
    /// The last step of a report that does not contain the row to open first.
    case part
  }

  let row: Int
  let reason: Reason
}

/// The part of a log that a report contains: `{"from","to","n","left"?,"shell"}`.
struct ReportExtract: Encodable {
  private enum CodingKeys: String, CodingKey { case from, to, n, omission = "left", shell }

  /// The row whose states are the baseline.
  let from: Int
  /// The row after the last one.
  let to: Int
  /// The number of the step at the row of the baseline.
  let n: StepNumber
  /// The steps that were left out, as a sentence; nil if there are none.
  let omission: String?
  /// The command that opens the log.
  let shell: String
}

extension PageLog {
  /// `info`: the log in numbers, its header and its condition, as far as it is indexed.
  ///
  /// The console is that of the client, for its forks; nil if there is none.
  func info(_ setting: PageSetting, _ console: PageConsole? = nil) throws -> Answer {
    let rows = rows()
    let forks = console.map { PageFork.all(of: $0, in: rows) } ?? []
    let landing = landing(rows)
    let rejections = log.rejectionCount(in: 0..<rows.stepCount)
    let isComplete = log.isIndexComplete
    let progress = log.progress
    let information = Information(log)
    let header = log.header
    // A server finds clock times itself; a header can be large.
    let zone = try setting.extract == nil ? 0 : log.zoneOffset()
    let types = isComplete ? TypeCount.all(in: log).prefix(PageRequest.largestCount) : nil
    let (first, last) = (try end(0, rows), try end(rows.stepCount - 1, rows))
    let stores = log.storeNames.map { name in
      let declared = log.declaredStores[name]
      return Answer { members in
        try members.set("name", name)
        try members.set("type", ifPresent: declared?.type)
        try members.set("feature", declared?.isFeature ?? false)
      }
    }
    let divergences = divergences(rows, withStates: setting.extract != nil)
    return Answer { [name, opening, verdict = verification.report?.verdict.rawValue] members in
      try members.set("title", header.app?.title ?? name)
      try members.set("file", name)
      try members.set("logs", setting.logs.isEmpty ? [name] : setting.logs)
      try members.set("log", information.log)
      try members.set("opening", ifPresent: setting.extract == nil ? opening : nil)
      try members.set("created", information.created)
      try members.set("zone", ifPresent: zone == 0 ? nil : zone)
      try members.set("app", information.app)
      try members.set("platform", ifPresent: information.platform)
      try members.set("format", information.format)
      try members.set("circumstances", ifPresent: information.circumstances)
      try members.set("rows", rows.count)
      try members.set("steps", rows.stepCount)
      try members.set("first", ifPresent: first)
      try members.set("last", ifPresent: last)
      try members.set("bytes", progress.total)
      try members.set("indexed", progress.done)
      try members.set("complete", isComplete)
      try members.set("closed", information.isClosed)
      try members.set("continued", ifPresent: information.isContinued)
      try members.set("torn", information.isTorn)
      try members.set("stores", stores)
      try members.set("types", ifPresent: types.map { Array($0) })
      try members.set("reflected", ifPresent: information.reflected)
      try members.set("redacted", information.redacted)
      try members.set("only", ifPresent: information.only)
      try members.set("inflight", rows.inFlight.map { PageInFlight(InFlightStep($0)) })
      try members.set("rejections", rejections)
      try members.set("gaps", information.gaps.count)
      try members.set("landing", landing)
      try members.set("verdict", ifPresent: verdict)
      try members.set("forks", ifPresent: forks.isEmpty ? nil : forks)
      try members.set("warnings", information.warnings)
      try members.set("divergences", divergences)
      try members.set("capabilities", setting.capabilities)
      try members.set("program", setting.program)
      try members.set("report", ifPresent: setting.extract)
    }
  }

  /// Returns the step at a position as an end of the log; nil if there is none.
  func end(_ position: Int, _ rows: RowMap) throws -> Answer? {
    guard position >= 0, position < rows.stepCount, let number = log.number(at: position) else {
      return nil
    }
    let time = try timeline.time(at: position)
    return Answer { members in
      try members.set("n", number)
      try members.set("row", rows.row(ofStep: position))
      try members.set("t", ifPresent: time.map { Seconds($0) })
    }
  }

  private func divergences(_ rows: RowMap, withStates: Bool) -> [Answer] {
    let verification = verification
    return (verification.report?.divergences ?? []).map { divergence in
      let position = log.position(atOrBefore: divergence.step) ?? Timeline.start
      let row = divergence.kind == .initial ? 0 : rows.row(ofStep: position)
      let states = verification.replayedStates[divergence.step]
      // The page shows the two sides of a replay as values.
      let sides = divergence.findings.filter(\.isVerbatim).map(\.text)
      return Answer { members in
        try members.set("row", row)
        try members.set("step", divergence.step)
        try members.set("kind", divergence.kind.rawValue)
        try members.set("store", ifPresent: divergence.store)
        try members.set("path", ifPresent: divergence.path?.description)
        try members.set("sides", divergence.comparison.sides)
        try members.setValue("recorded", divergence.recorded)
        try members.setValue("replayed", divergence.replayed)
        try members.set("redacted", ifTrue: divergence.isRedacted)
        try members.set("others", ifPresent: divergence.others > 0 ? divergence.others : nil)
        try members.set("line", ifPresent: divergence.line)
        try members.set("chain", divergence.chain)
        try members.set("reason", ifPresent: divergence.reason)
        try members.set("next", divergence.next)
        try members.set("text", divergence.details.filter { !sides.contains($0) })
        // A report has them to show; a server is asked for what is to be seen of them.
        guard withStates else { return try members.set("states", ifTrue: states != nil) }
        try members.set(
          "states",
          ifPresent: states.map { states in
            OrderedMembers(states.map { ($0.store, Nullable($0.state)) })
          })
      }
    }
  }

  // MARK: Positions

  /// `locate`: the row of a position as people write it.
  func locate(_ request: PageRequest, _ rows: PageRows) throws -> Answer {
    if let fork = rows.fork { return try locate(request, on: fork) }
    let (_, position) = try request.position()
    let here =
      try request.has("row")
      ? request.row("row", in: rows.recorded).row.position : Timeline.start
    // What is not indexed by then is not waited for.
    let deadline = request.deadline
    var services = Services()
    services.isInterrupted = { ContinuousClock.now >= deadline }
    let found = try session(at: here, services: services).resolve(position)
    let known = self.rows()
    return Answer { [timeline] members in
      try members.set("row", known.row(ofStep: found.position))
      try members.set("n", timeline.stepNumber(at: found.position))
      try members.set("note", ifPresent: found.note)
    }
  }
}

/// An action in flight, with a sentence about it.
private struct PageInFlight: Encodable {
  private enum CodingKeys: CodingKey { case text }

  let step: InFlightStep

  init(_ step: InFlightStep) { self.step = step }

  func encode(to encoder: any Encoder) throws {
    try step.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(step.sentence, forKey: .text)
  }
}
