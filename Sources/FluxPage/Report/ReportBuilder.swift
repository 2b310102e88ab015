public import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

/// Makes a report of a log: one HTML file with the page, and the part of the log that matters.
///
/// The same log, options and program have the same bytes. A report contains no clock and no path.
public struct ReportBuilder {
  /// The options of a report.
  public struct Options: Sendable {
    /// The steps to contain; nil for all, or those around the failure if all are too many.
    public var range: PositionRange?
    /// The size in bytes that a report without a range should not exceed.
    public var largestSize = 5_000_000
    /// The number of the step to open first; nil for the first divergence, or the start.
    public var step: UInt64?
    /// The program and its version.
    public var program = "flux-inspect"
    /// The words that start the inspector in a shell.
    public var invocation = "flux-inspect"

    /// Makes the default options.
    public init() {}
  }

  /// The bytes of the log that are tried as a whole: more never fit into a report without a range.
  private static let largestLog = 64_000_000

  private let log: PageLog
  private let options: Options

  /// Makes a builder.
  public init(_ log: PageLog, options: Options = Options()) {
    (self.log, self.options) = (log, options)
  }

  /// Returns the HTML of the report.
  ///
  /// - Throws: `CommandError` if the log has no such range, and `LogError` if it cannot be read.
  public func build() throws -> [UInt8] {
    try log.log.waitForIndex()
    let rows = log.rows()
    if let range = options.range {
      let positions = try log.session(at: Timeline.start).resolve(range)
      guard let first = positions.first, let last = positions.last else {
        throw CommandError(.badPosition, "the range has no steps")
      }
      try requireStep(in: first - 1...last)
      return try document(first..<last + 1, rows)
    }
    let all = 0..<rows.stepCount
    var size = Int.max
    if log.log.progress.total <= Self.largestLog {
      let document = try document(all, rows)
      size = document.count
      if size <= options.largestSize || all.count <= 1 { return document }
    }
    // The part around the failure gets smaller until it fits.
    let middle = focus(rows)
    var count = min(all.count, 100_000)
    while true {
      count = size == .max ? count : max(1, min(count / 2, count * options.largestSize / size))
      let first = max(0, min(middle - count * 3 / 4, all.count - count))
      let document = try document(first..<min(all.count, first + count), rows)
      size = document.count
      if size <= options.largestSize || count <= 1 { return document }
    }
  }

  /// Refuses to open a report at a step that it does not contain; the state before its first step is in it.
  private func requireStep(in positions: ClosedRange<Int>) throws(CommandError) {
    guard let step = options.step,
      !positions.contains(log.log.position(atOrBefore: step) ?? Timeline.start)
    else { return }
    let (first, last) = (positions.lowerBound + 1, positions.upperBound)
    throw CommandError(
      .badPosition,
      "the report has no step \(step) to open: its range is "
        + "\(log.timeline.stepNumber(at: first)) to \(log.timeline.stepNumber(at: last))")
  }

  /// The position that a report of a part must contain: of the step to open, the first divergence, or the last step.
  private func focus(_ rows: RowMap) -> Int {
    guard let step = options.step ?? log.report?.divergences.first?.step else {
      return max(0, rows.stepCount - 1)
    }
    return log.log.position(atOrBefore: step) ?? 0
  }

  private func document(_ steps: Range<Int>, _ rows: RowMap) throws -> [UInt8] {
    ReportDocument.bytes(data: GzipFile(try data(steps, rows)).bytes)
  }

  // MARK: Data

  /// Returns the lines of the report: its header, then one for each row behind the baseline: `{"row","line"?,"states"?}`.
  func data(_ steps: Range<Int>, _ rows: RowMap) throws -> [UInt8] {
    let isWhole = steps == 0..<rows.stepCount
    let from = steps.isEmpty || steps.lowerBound == 0 ? 0 : baselineRow(before: steps, rows)
    // Rows behind the last step, such as marks, belong to a report that ends with it.
    let to =
      steps.upperBound == rows.stepCount ? rows.count : rows.row(ofStep: steps.upperBound - 1) + 1
    let baseline = rows[from]?.position ?? Timeline.start
    let extract = ReportExtract(
      from: from, to: to, n: log.timeline.stepNumber(at: baseline),
      omission: isWhole ? nil : omission(from..<to, rows),
      shell: "\(options.invocation) \(log.name.shellWord)")
    var setting = PageSetting()
    setting.capabilities = .report
    setting.program = options.program
    setting.extract = extract
    let landing = landing(rows, from: from, to: to)
    let header = Answer { [log] members in
      try members.set("page", 1)
      try members.set("info", log.info(setting))
      try members.set("baseline", try log.baseline(at: baseline))
      try members.set("open", landing)
    }
    var bytes = try LogEncoder(order: .declaration).bytes(of: header)
    var list = PageRows(log.timeline, rows)
    for number in from + 1..<max(from + 1, to) {
      guard let row = rows[number] else { break }
      bytes.append(UInt8(ascii: "\n"))
      bytes += try line(number, row, &list, rows)
    }
    return bytes
  }

  /// Returns the row to open first, and why; the last step of the report if it does not contain that of the log.
  private func landing(_ rows: RowMap, from: Int, to: Int) -> PageLanding {
    guard let step = options.step else {
      let landing = log.landing(rows)
      // The row before a part has only the states with which the part begins.
      let shown = from == 0 ? 0..<to : from + 1..<max(from + 1, to)
      guard !shown.contains(landing.row) else { return landing }
      let last = rows.row(ofStep: rows.stepCount(before: to) - 1)
      return PageLanding(row: max(from, last), reason: .part)
    }
    let row = rows.row(ofStep: log.log.position(atOrBefore: step) ?? Timeline.start)
    return PageLanding(row: max(from, min(row, to - 1)), reason: .chosen)
  }

  /// Returns the last row before some steps whose model is not hidden by a gap.
  private func baselineRow(before steps: Range<Int>, _ rows: RowMap) -> Int {
    var position = steps.lowerBound - 1
    while position >= 0, log.log.rules(after: position).awaitsWholeModel { position -= 1 }
    return rows.row(ofStep: position)
  }

  private func omission(_ range: Range<Int>, _ rows: RowMap) -> String {
    let before = rows.stepCount(before: range.lowerBound + 1)
    let after = rows.stepCount - rows.stepCount(before: range.upperBound)
    return "\(before) steps before and \(after) steps after this part are not in this report"
  }

  /// Returns the answer for a row, with the line of the step, or the states that a gap tells.
  private func line(
    _ number: Int, _ row: LogRow, _ list: inout PageRows, _ rows: RowMap
  ) throws -> [UInt8] {
    let answer = try list.listed(number, row)
    let line = try stepLine(row)
    var model: RecordedModel?
    // Only the last of several gaps tells the model.
    var isLast = true
    if case .gap? = rows[number + 1] { isLast = false }
    if case .gap(_, let next) = row, isLast, log.log.isRestored(before: next) {
      model = try log.timeline.model(before: next)
    }
    return try LogEncoder(order: .declaration).bytes(
      of: Answer { [model] members in
        try members.set("row", answer)
        try members.set("line", ifPresent: line)
        try members.set("states", ifPresent: model?.json)
        // The app may have gone back to a step whose states are not all known.
        let unknown = model?.unknownStores ?? []
        try members.set("unknown", ifPresent: unknown.isEmpty ? nil : unknown)
      })
  }

  /// Returns the line of a step as it is in the log; nil for a row that is no step, or if it cannot be read.
  private func stepLine(_ row: LogRow) throws -> JSON? {
    guard case .step(let position) = row else { return nil }
    do throws(LogError) {
      _ = try log.log.step(at: position)
    } catch {
      guard error.isDamage else { throw error }
      return nil
    }
    return try JSON.parse(log.log.lineText(at: position))
  }
}

extension PageLog {
  /// Returns the states at a position: `{"states","unknown","unwritten"}`.
  fileprivate func baseline(at position: Int) throws -> Answer {
    var states: [(name: String, value: JSON)] = []
    var unknown: [String] = []
    var unwritten: [String] = []
    for store in try model(at: position, session(at: position)) {
      switch store.state {
      case .present(let state): states.append((store.name, state))
      case .absent: break
      case .unknown where store.isUnwritten:
        unwritten.append(store.name)
        let written = try timeline.lastKnown(store.name, atOrBefore: position).state.json
        if let written { states.append((store.name, written)) }
      case .unknown: unknown.append(store.name)
      }
    }
    return Answer { [states, unknown, unwritten] members in
      try members.set("states", OrderedMembers(states))
      try members.set("unknown", unknown)
      try members.set("unwritten", unwritten)
    }
  }
}
