import FluxJSON
import FluxLog
import FluxSystem

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
    // The last lines say how the log ends.
    try timeline.log.waitForIndex()
    let entries = try entries()
    let root = ReduxRoot(of: timeline.log)
    output.writer.beginObject()
    output.writer.name("flux")
    output.value(try marked(header(), root))
    output.writer.name("monitorState")
    output.writer.beginObject()
    output.writer.endObject()
    var damage = HidingDamage()
    let skipped = try writeActions(entries, &damage, to: &output)
    try writeOrder(of: entries, skipped: skipped, to: &output)
    try writeStates(of: entries, root, to: &output)
    output.writer.name("isLocked")
    output.writer.bool(false)
    output.writer.name("isPaused")
    output.writer.bool(false)
    output.writer.endObject()
    try output.drain()
    sink = output.sink
    return output.notes + damage.notes + unknownLines
  }

  /// A remark on lines that only their writer knows.
  private var unknownLines: [String] {
    let count = timeline.log.unknownLineCount
    guard count > 0 else { return [] }
    return [
      "\(count.counted("line")) of unknown kinds \(count == 1 ? "is" : "are") not in the file"
    ]
  }

  // MARK: Header

  /// The number of the first step that is exported.
  var firstNumber: UInt64 {
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
      if let place = header.stores.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
        header.stores[place].initial = json
      } else {
        header.stores.append(LogHeader.Store(name: name, initial: json))
      }
    }
    return header.object
  }

  /// The header with what an import needs besides: the root state, and how the log ends.
  private func marked(_ header: JSON, _ root: ReduxRoot) -> JSON {
    var members = header.members.map { ($0.name, $0.value) }
    if root == .onlyStore {
      members.append((StateTracker.rootMember, JSON(stringLiteral: StateTracker.rootName)))
    }
    // A part of a log is a complete log, as is one that `save` writes. An import counts the steps.
    var end = timeline.log.end
    end?.steps = 0
    if reachesEnd, end != LogEnd(steps: 0, isComplete: true) {
      members.append(("end", timeline.log.end?.object["end"] ?? .null))
    }
    return JSON(object: members)
  }

  // MARK: Parts

  /// Writes the actions; returns the numbers of those that Redux DevTools had skipped.
  private func writeActions(
    _ entries: [ExportedEntry], _ damage: inout HidingDamage, to output: inout LiftedOutput
  ) throws -> [Int] {
    var skipped: [Int] = []
    output.writer.name("actionsById")
    output.writer.beginObject()
    output.action(0, ["type": "@@INIT"], at: created)
    var instant = created
    for (index, entry) in entries.enumerated() {
      let (action, circumstances): (JSON, JSON)
      var stack: JSON?
      switch entry {
      case .step(let position):
        try report(position - positions.lowerBound, positions.count)
        let step = try timeline.step(at: position)
        if step.rejection?.reason == "skipped" { skipped.append(index + 1) }
        instant = self.instant(of: step)
        stack = step.external?["stack"].flatMap { $0.kind == .string ? $0 : nil }
        let unknown = try timeline.model(at: position).unknownStores
        damage.note(step, unknown: unknown)
        (action, circumstances) = (step.action, self.circumstances(of: step, unknown: unknown))
      case .mark(let mark, _):
        let text = JSON(stringLiteral: mark.text)
        action = ["type": "@@flux/mark", "payload": text]
        circumstances = ["mark": text, "t": mark.time.json]
      case .gap(let gap, _):
        if gap.why.hidesModel { damage.hide(timeline.log.storeNames) }
        circumstances = gap.object
        action = ["type": "@@flux/gap", "payload": circumstances["gap"] ?? .null]
      }
      output.action(index + 1, action, at: instant, stack: stack, circumstances)
      try output.drain()
    }
    output.writer.endObject()
    return skipped
  }

  /// The members of a step's line other than its action and its states, and the stores whose states are not known.
  private func circumstances(of step: LogStep, unknown: [String]) -> JSON {
    var step = step
    (step.states, step.patches, step.removed) = (nil, nil, [])
    if let cause = step.cause, cause < firstNumber { step.moveCause() }
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
    of entries: [ExportedEntry], skipped: [Int], to output: inout LiftedOutput
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
    of entries: [ExportedEntry], _ root: ReduxRoot, to output: inout LiftedOutput
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
    var error: String?
    for entry in entries {
      switch entry {
      case .step(let position):
        let rejection = try timeline.step(at: position).rejection
        // The DevTools give a skipped action the entry of the action before it.
        if rejection?.reason != "skipped" { error = rejection?.reduxError }
        states.append(
          root.state(of: try timeline.model(at: position).json), error: error, to: &output)
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

/// The damage that hides states although the lines are sound: a change that does not apply.
private struct HidingDamage {
  private var unknown: Set<String> = []
  private var first: UInt64?

  /// Takes note of a gap that hides these stores.
  mutating func hide(_ stores: [String]) { unknown = Set(stores) }

  /// Takes note of a step after which these stores are unknown.
  mutating func note(_ step: LogStep, unknown now: [String]) {
    guard step.rejection == nil else { return }
    let isNew = now.contains { !unknown.contains($0) && !step.unwritten.contains($0) }
    if isNew, first == nil { first = step.number }
    unknown = Set(now)
  }

  var notes: [String] {
    first.map { ["damage hides states from step \($0) on, so some are missing"] } ?? []
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
}

extension LogRejection {
  /// The rejection as Redux DevTools shows it.
  fileprivate var reduxError: String {
    switch reason {
    case "error": message
    case "interrupted": ReduxImporter.interruption
    default: message.isEmpty ? reason : "\(reason): \(message)"
    }
  }
}
