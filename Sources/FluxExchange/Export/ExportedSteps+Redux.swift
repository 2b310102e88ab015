import FluxJSON
import FluxLog

extension ExportFormat {
  static let redux = ExportFormat(
    name: "redux",
    help: """
      redux: the lifted state of Redux DevTools, with the action and the states of each step. Unchanged parts of \
      a state that take 256 bytes or more are jsan references. A member flux contains everything else, so \
      'flux-inspect import --slices' makes the same log again. The file may be at most 512 MB; RANGE exports a \
      part. See docs/redux.md.
      """
  ) { try $0.writeLiftedState(to: &$1) }
}

/// The form is that of `liftedState` in @redux-devtools/instrument: `actionsById` has an action for each step, mark and
/// gap, `computedStates` the state after each. Actions are numbered from 1; 0 is `@@INIT`, with the state before the
/// first step. docs/redux.md describes the member `flux`.
extension ExportedSteps {
  /// The largest file that Redux DevTools can read: V8 has no longer strings.
  static let byteLimit = 512 << 20

  func writeLiftedState(
    to sink: inout ByteSink, byteLimit: Int = ExportedSteps.byteLimit
  ) throws -> [String] {
    var output = LiftedOutput(
      sink, byteLimit: byteLimit, isJSAN: timeline.log.header.isJSAN)
    let entries = try entries()
    let root = ReduxRoot(of: timeline.log)
    output.writer.beginObject()
    output.writer.name("flux")
    output.value(try root.marking(header()))
    output.writer.name("monitorState")
    output.writer.beginObject()
    output.writer.endObject()
    let skipped = try writeActions(entries, to: &output)
    try writeOrder(of: entries, skipped: skipped, to: &output)
    try writeStates(of: entries, root, to: &output)
    output.writer.name("isLocked")
    output.writer.bool(false)
    output.writer.name("isPaused")
    output.writer.bool(false)
    output.writer.endObject()
    try output.drain()
    sink = output.sink
    return output.notes
  }

  // MARK: Entries

  /// Something that stands between two others in the list of actions.
  private enum Entry {
    case step(position: Int)
    case mark(LogMark, position: Int)
    case gap(LogGap, position: Int)
  }

  /// The steps, with the marks and gaps between them.
  private func entries() throws -> [Entry] {
    var others: [(line: Int, position: Int, entry: Entry)] = []
    for mark in timeline.log.marks where hasLine(at: mark.position) {
      others.append((mark.line, mark.position, .mark(mark.mark, position: mark.position)))
    }
    for gap in timeline.log.gaps where hasLine(at: gap.position) {
      let complete = try self.complete(gap.gap, at: gap.position)
      others.append((gap.line, gap.position, .gap(complete, position: gap.position)))
    }
    others.sort { $0.line < $1.line }
    var list = EntryList(expected: firstNumber)
    var rest = others[...]
    if let hidden = try hiddenStart() {
      list.append(.gap(hidden, position: positions.lowerBound))
    }
    let damaged = Set(timeline.log.breaks.filter { !$0.endsWithWholeModel }.map(\.position))
    for position in positions {
      list.isHidden = false
      while let next = rest.first, next.position <= position {
        list.append(next.entry)
        rest.removeFirst()
      }
      guard let number = timeline.number(at: position) else { continue }
      list.append(step: number, at: position, isDamaged: damaged.contains(position))
    }
    for other in rest { list.append(other.entry) }
    return list.entries
  }

  /// Entries in order, with gaps for the numbers that nothing else accounts for.
  private struct EntryList {
    private(set) var entries: [Entry] = []
    private var expected: UInt64
    /// `true` if the last gap before the next step hides the model.
    var isHidden = false

    init(expected: UInt64) {
      self.expected = expected
    }

    mutating func append(_ entry: Entry) {
      if case .gap(let gap, let position) = entry {
        if gap.from > expected { appendDamage(before: gap.from, at: position) }
        isHidden = gap.why.hidesModel
        expected = max(expected, gap.through &+ 1)
      }
      entries.append(entry)
    }

    mutating func append(step number: UInt64, at position: Int, isDamaged: Bool) {
      if number > expected || isDamaged && !isHidden { appendDamage(before: number, at: position) }
      entries.append(.step(position: position))
      expected = number &+ 1
    }

    private mutating func appendDamage(before number: UInt64, at position: Int) {
      let gap = LogGap(from: min(expected, number), through: number &- 1, why: .damaged)
      entries.append(.gap(gap, position: position))
      expected = number
    }
  }

  /// A gap without the steps before the export, and with the states of a model that is not in it.
  private func complete(_ gap: LogGap, at position: Int) throws -> LogGap {
    var gap = gap
    if gap.from < firstNumber { (gap.from, gap.through) = (firstNumber, firstNumber &- 1) }
    guard case .step(let step) = gap.model, step < firstNumber,
      step > 0 || firstNumber != timeline.log.header.first
    else { return gap }
    gap.model = .states(try timeline.model(before: position).json)
    return gap
  }

  /// A gap before the first step, if a state is unknown there.
  private func hiddenStart() throws -> LogGap? {
    guard positions.lowerBound > 0,
      try !timeline.model(at: positions.lowerBound - 1).unknownStores.isEmpty
    else { return nil }
    return LogGap(from: firstNumber, through: firstNumber &- 1, why: .imported)
  }

  private var firstNumber: UInt64 {
    guard positions.lowerBound > 0 else { return timeline.log.header.first }
    return timeline.number(at: positions.lowerBound) ?? timeline.log.header.first
  }

  /// The header, with the states before the first step.
  private func header() throws -> JSON {
    var header = timeline.log.header
    guard positions.lowerBound > 0 else { return header.object }
    header.first = firstNumber
    let model = try timeline.model(at: positions.lowerBound - 1)
    for place in header.stores.indices { header.stores[place].initial = nil }
    for (name, state) in model.states.ordered {
      guard let json = state.json else { continue }
      if let place = header.stores.firstIndex(where: { $0.name == name }) {
        header.stores[place].initial = json
      } else {
        header.stores.append(LogHeader.Store(name: name, initial: json))
      }
    }
    return header.object
  }

  // MARK: Parts

  /// Writes the actions; returns the numbers of those that Redux DevTools had skipped.
  private func writeActions(_ entries: [Entry], to output: inout LiftedOutput) throws -> [Int] {
    var skipped: [Int] = []
    output.writer.name("actionsById")
    output.writer.beginObject()
    output.writer.performed(0, at: created) { $0.initialAction() }
    var instant = created
    for (index, entry) in entries.enumerated() {
      output.writer.name(String(index + 1))
      output.writer.beginObject()
      output.writer.member("type", "PERFORM_ACTION")
      output.writer.name("action")
      var circumstances: JSON
      switch entry {
      case .step(let position):
        try report(position - positions.lowerBound, positions.count)
        let step = try timeline.step(at: position)
        if step.rejection?.reason == "skipped" { skipped.append(index + 1) }
        instant = self.instant(of: step)
        output.value(step.action)
        circumstances = try self.circumstances(of: step, at: position)
      case .mark(let mark, _):
        output.value(["type": "@@flux/mark", "payload": JSON(stringLiteral: mark.text)])
        circumstances = JSON(writing: { writer in
          writer.beginObject()
          writer.member("mark", mark.text)
          writer.member("t", mark.time)
          writer.endObject()
        })
      case .gap(let gap, _):
        circumstances = gap.object
        output.value(["type": "@@flux/gap", "payload": gap.object["gap"] ?? .null])
      }
      output.writer.name("timestamp")
      output.writer.int(instant.microseconds / 1_000)
      output.writer.name("flux")
      output.value(circumstances)
      output.writer.endObject()
      try output.drain()
    }
    output.writer.endObject()
    return skipped
  }

  /// The members of a step's line other than its action and its states, and the stores whose states are not known.
  private func circumstances(of step: LogStep, at position: Int) throws -> JSON {
    var step = step
    (step.states, step.patches, step.removed) = (nil, nil, [])
    if let cause = step.cause, cause < firstNumber { step.moveCause() }
    let unknown = try timeline.model(at: position).unknownStores
    var members = step.object.members.filter { $0.name != "action" }
      .map { (name: $0.name, value: $0.value) }
    if !unknown.isEmpty {
      members.append(("unknown", JSON(array: unknown.map { JSON(stringLiteral: $0) })))
    }
    return JSON(object: members)
  }

  /// The state that is shown is that of the step here; at the start, where sessions begin, the last one, or the one that
  /// the DevTools showed when they exported the session.
  private func writeOrder(
    of entries: [Entry], skipped: [Int], to output: inout LiftedOutput
  ) throws {
    let marked = entries.firstIndex { entry in
      if case .mark(let mark, _) = entry { mark.text == ReduxMarks.currentState } else { false }
    }
    let shown =
      here == Timeline.start
      ? marked ?? entries.indices.last
      : entries.lastIndex { entry in
        if case .step(let position) = entry { position <= here } else { false }
      }
    try writeOrder(
      count: entries.count, skipped: skipped, shown: shown.map { $0 + 1 } ?? 0,
      with: &output.writer, to: &output.sink)
  }

  /// Writes the numbers of all actions, and the one that is shown.
  func writeOrder(
    count: Int, skipped: [Int], shown: Int, with writer: inout JSONWriter, to sink: inout ByteSink
  ) throws {
    writer.name("nextActionId")
    writer.int(count + 1)
    writer.name("stagedActionIds")
    writer.beginArray()
    for number in 0...count {
      writer.int(number)
      if number % Self.numbersAtOnce == 0 { try sink.take(&writer) }
    }
    writer.endArray()
    writer.name("skippedActionIds")
    writer.beginArray()
    for number in skipped { writer.int(number) }
    writer.endArray()
    writer.name("currentStateIndex")
    writer.int(shown)
  }

  /// The count of numbers that are held at once: about 32 KB, half a piece of output.
  private static let numbersAtOnce = 4096

  private func writeStates(
    of entries: [Entry], _ root: ReduxRoot, to output: inout LiftedOutput
  ) throws {
    let start = positions.lowerBound - 1
    let initial = root.state(of: try timeline.model(at: start).json)
    if let initial {
      output.writer.name("committedState")
      output.value(initial)
    }
    output.writer.name("computedStates")
    output.writer.beginArray()
    var states = SharedStates()
    states.append(initial, to: &output)
    for entry in entries {
      switch entry {
      case .step(let position):
        let step = try timeline.step(at: position)
        states.append(
          root.state(of: try timeline.model(at: position).json), error: step.rejection?.reduxError,
          to: &output)
      case .mark(_, let position), .gap(_, let position):
        let model =
          position < positions.upperBound
          ? try timeline.model(before: position)
          : try timeline.model(at: positions.upperBound - 1)
        states.append(root.state(of: model.json), to: &output)
      }
      try output.drain()
    }
    output.writer.endArray()
  }
}

/// The root state of an export.
enum ReduxRoot {
  /// An object with the states of all stores.
  case stores
  /// The state of the only store, which is named `state`, as in a session that was imported without `--slices`.
  case onlyStore

  fileprivate init(of log: LogFile) {
    self = log.storeNames == [StateTracker.rootName] ? .onlyStore : .stores
  }

  /// The root state of a model; nil if the only store is absent, or its state is not known.
  fileprivate func state(of model: JSON) -> JSON? {
    switch self {
    case .stores: model
    case .onlyStore: model[StateTracker.rootName]
    }
  }

  /// The header of the log with a note about the root state, for an import.
  fileprivate func marking(_ header: JSON) -> JSON {
    guard self == .onlyStore else { return header }
    let mark = (StateTracker.rootMember, JSON(stringLiteral: StateTracker.rootName))
    return JSON(object: header.members.map { ($0.name, $0.value) } + [mark])
  }
}

extension LogRejection {
  /// The rejection as Redux DevTools shows it; nil for a skipped action, which has no error there.
  fileprivate var reduxError: String? {
    switch reason {
    case "skipped": nil
    case "error": message
    case "interrupted": ReduxImporter.interruption
    default: message.isEmpty ? reason : "\(reason): \(message)"
    }
  }
}

extension JSONWriter {
  /// Writes an action and the time of its dispatch, in whole milliseconds since 1970.
  fileprivate mutating func performed(
    _ number: Int, at instant: LogInstant, _ action: (inout JSONWriter) -> Void
  ) {
    name(String(number))
    beginObject()
    member("type", "PERFORM_ACTION")
    name("action")
    action(&self)
    name("timestamp")
    int(instant.microseconds / 1_000)
    endObject()
  }

  fileprivate mutating func initialAction() {
    beginObject()
    member("type", "@@INIT")
    endObject()
  }
}
