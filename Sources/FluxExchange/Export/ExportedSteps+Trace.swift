import FluxJSON
import FluxLog
import FluxSystem

extension ExportFormat {
  /// A trace in the JSON object form of the Trace Event format, as its document "Trace Event Format" describes it.
  static let trace = ExportFormat(
    name: "trace",
    help: """
      trace: a trace that Perfetto, chrome://tracing and Speedscope open. Each store and each effect is a track. A step \
      is a slice on the tracks of the stores that it changed, and arrows lead to it from its cause. A slice is as long \
      as the reducers took, or 1 us if the log does not say. Rejections, marks and gaps are instants.
      """
  ) { steps, sink in
    var output = TraceOutput(sink)
    output.begin(app: steps.timeline.log.header.app)
    try steps.writeTrace(to: &output)
    try output.end()
    sink = output.sink
    return output.notes
  }
}

extension ExportedSteps {
  fileprivate func writeTrace(to output: inout TraceOutput) throws {
    let log = timeline.log
    for mark in log.marks where hasLine(at: mark.position) {
      output.instant(mark.mark.text, category: "mark", at: mark.mark.time.microseconds)
      try output.drain()
    }
    var gaps = log.gaps.filter { hasLine(at: $0.position) && !$0.gap.isEmpty }[...]
    // The slice of each step, by its distance from the first one.
    var slices: [TraceOutput.Slice] = []
    var effects = TracedEffects()
    try forEach { position, step in
      while let gap = gaps.first, gap.position <= position {
        output.missing(gap.gap, before: step.time)
        gaps.removeFirst()
      }
      let changed = try timeline.changedStores(at: position)
      let slice = output.step(step, changed: changed)
      slices.append(slice)
      if let cause = step.cause, let found = log.position(atOrBefore: cause),
        positions.contains(found), found < position, log.number(at: found) == cause
      {
        output.arrow(step.number, from: slices[found - positions.lowerBound], to: slice)
      }
      effects.add(step, at: slice.start)
      try output.drain()
    }
    for gap in gaps { output.missing(gap.gap, before: nil) }
    for effect in effects.inOrder {
      output.effect(effect)
      try output.drain()
    }
  }
}

// MARK: Effects

/// The effects that the exported steps started, and what became of each.
private struct TracedEffects {
  struct Effect {
    enum Ending { case result(UInt64), cancellation(UInt64) }

    let name: String
    let store: String
    let step: UInt64
    let start: UInt64
    /// When the last result came or the effect was cancelled; nil if the recording has neither.
    var end: UInt64?
    var ending: Ending?
  }

  private struct Start: Hashable {
    let step: UInt64
    let name: BytewiseName
  }

  /// The effects in the order of their starts.
  private(set) var inOrder: [Effect] = []
  private var started: [Start: Int] = [:]
  /// The effects of a name that a cancellation may end.
  private var open: [BytewiseName: [Int]] = [:]

  mutating func add(_ step: LogStep, at time: UInt64) {
    if let cause = step.cause, let name = step.effect,
      let index = started[Start(step: cause, name: BytewiseName(name))]
    {
      (inOrder[index].end, inOrder[index].ending) = (time, .result(step.number))
    }
    for asked in step.effects {
      for name in asked.cancelled { cancel(name, in: asked.store, by: step.number, at: time) }
      for name in asked.started {
        let key = BytewiseName(name)
        started[Start(step: step.number, name: key)] = inOrder.count
        open[key, default: []].append(inOrder.count)
        inOrder.append(Effect(name: name, store: asked.store, step: step.number, start: time))
      }
    }
  }

  /// An effect with a result keeps its bar: the log does not say whether it was still running.
  private mutating func cancel(
    _ name: String, in store: String, by step: UInt64, at time: UInt64
  ) {
    var others: [Int] = []
    for index in open[BytewiseName(name)] ?? [] {
      guard inOrder[index].store.hasSameBytes(as: store) else {
        others.append(index)
        continue
      }
      guard inOrder[index].end == nil else { continue }
      (inOrder[index].end, inOrder[index].ending) = (time, .cancellation(step))
    }
    open[BytewiseName(name)] = others
  }
}

// MARK: Events

/// The events of a trace.
///
/// Times and durations are microseconds since the start of the recording.
private struct TraceOutput {
  /// A step on the first of its tracks.
  struct Slice {
    let track: Int
    let start: UInt64
  }

  /// The kinds of tracks; their names do not meet.
  private enum Track: Hashable {
    case dispatcher
    case store(BytewiseName)
    /// Effects of a name that overlap have a lane each, because slices of a track must not.
    case effect(BytewiseName, lane: Int)
  }

  /// The latest time and the longest duration, so that no sum of two overflows.
  private static let latest: UInt64 = 1 << 62
  /// The longest payload that an event shows.
  private static let payloadLimit = 1024

  private(set) var sink: ByteSink
  private var writer = JSONWriter()
  private var tracks: [Track: Int] = [:]
  private var laneEnds: [BytewiseName: [UInt64]] = [:]
  /// When the previous step ended: steps run one after the other, even if a clock or a queue says otherwise.
  private var now: UInt64 = 0
  private var longPayloads = 0

  init(_ sink: ByteSink) { self.sink = sink }

  var notes: [String] {
    guard longPayloads > 0 else { return [] }
    return [
      "\(longPayloads.counted("payload")) of more than \(Self.payloadLimit) bytes "
        + "\(longPayloads == 1 ? "is" : "are") not in the file, only the length"
    ]
  }

  mutating func begin(app: LogHeader.App?) {
    writer.beginObject()
    writer.member("displayTimeUnit", "ms")
    writer.name("traceEvents")
    writer.beginArray()
    event("M", "process_name", track: 0) { $0.member("name", app?.name ?? "app") }
  }

  mutating func end() throws {
    writer.endArray()
    writer.endObject()
    try sink.take(&writer)
    sink.append(UInt8(ascii: "\n"))
  }

  mutating func drain() throws { try sink.take(&writer) }

  /// Writes a slice of a step on each store that it changed, or on its target, or on the dispatcher.
  mutating func step(_ step: LogStep, changed: [String]) -> Slice {
    let start = min(max(now, step.time.microseconds), Self.latest)
    let duration = min(max(1, step.took ?? 1), Self.latest)
    now = start + duration
    let fallback = step.rejection?.store ?? step.target
    let stores = changed.isEmpty ? fallback.map { [$0] } ?? [] : changed
    let places =
      stores.isEmpty
      ? [track(.dispatcher, "dispatcher")]
      : stores.map { track(.store(BytewiseName($0)), "store \($0)") }
    let isShort = (step.payload?.byteCount ?? 0) <= Self.payloadLimit
    if !isShort { longPayloads += 1 }
    for place in places {
      event("X", step.type, category: "step", track: place, at: start, lasting: duration) {
        arguments in
        arguments.member("step", step.number)
        if isShort { arguments.member("payload", step.payload) }
        if !isShort { arguments.member("payloadBytes", step.payload.map { UInt64($0.byteCount) }) }
        arguments.member("at", step.source)
        arguments.member("cause", step.cause)
        arguments.member("effect", step.effect)
      }
    }
    if let rejection = step.rejection {
      event("i", "rejected: \(step.type)", category: "rejection", track: places[0], at: start) {
        arguments in
        arguments.member("step", step.number)
        arguments.member("reason", rejection.reason)
        arguments.member("message", rejection.message)
      }
    }
    return Slice(track: places[0], start: start)
  }

  mutating func arrow(_ number: UInt64, from cause: Slice, to slice: Slice) {
    for (phase, end) in [("s", cause), ("f", slice)] {
      event(phase, "cause", category: "cause", track: end.track, at: end.start, id: number)
    }
  }

  /// Writes an instant that concerns all tracks.
  mutating func instant(_ name: String, category: String, at time: UInt64) {
    let place = track(.dispatcher, "dispatcher")
    event("i", name, category: category, track: place, at: time, isGlobal: true)
  }

  mutating func missing(_ gap: LogGap, before next: LogTime?) {
    let lost = gap.from == gap.through ? "step \(gap.from)" : "steps \(gap.from) to \(gap.through)"
    instant(
      "\(lost) not in the log: \(gap.why)", category: "gap", at: max(now, next?.microseconds ?? 0))
  }

  mutating func effect(_ effect: TracedEffects.Effect) {
    let key = BytewiseName(effect.name)
    let end = max(effect.start + 1, effect.end ?? 0)
    var ends = laneEnds[key] ?? []
    let lane = ends.firstIndex { $0 <= effect.start } ?? ends.count
    if lane == ends.count { ends.append(end) } else { ends[lane] = end }
    laneEnds[key] = ends
    let number = lane == 0 ? "" : " (\(lane + 1))"
    let place = track(.effect(key, lane: lane), "effect \(effect.name)\(number)")
    event(
      "X", effect.name, category: "effect", track: place, at: effect.start,
      lasting: end - effect.start
    ) { arguments in
      arguments.member("startedBy", effect.step)
      arguments.member("store", effect.store)
      switch effect.ending {
      case .result(let step): arguments.member("lastResult", step)
      case .cancellation(let step): arguments.member("cancelledBy", step)
      case nil: arguments.member("lastResult", "none in the recording")
      }
    }
  }

  /// Returns the number of a track, and names it in the trace the first time.
  private mutating func track(_ track: Track, _ name: String) -> Int {
    if let number = tracks[track] { return number }
    let number = tracks.count + 1
    tracks[track] = number
    event("M", "thread_name", track: number) { $0.member("name", name) }
    return number
  }

  /// Writes an event: its phase, name, track, and what its kind needs.
  private mutating func event(
    _ phase: String, _ name: String, category: String? = nil, track: Int, at time: UInt64? = nil,
    lasting duration: UInt64? = nil, id: UInt64? = nil, isGlobal: Bool = false,
    arguments: ((inout JSONWriter) -> Void)? = nil
  ) {
    writer.beginObject()
    writer.member("ph", phase)
    writer.member("name", name)
    writer.member("cat", category)
    writer.member("pid", UInt64(1))
    writer.member("tid", UInt64(track))
    writer.member("ts", time)
    writer.member("dur", duration)
    writer.member("id", id)
    if phase == "i" { writer.member("s", isGlobal ? "g" : "t") }
    // The arrow ends at the slice around its time, not at the next one.
    if phase == "f" { writer.member("bp", "e") }
    if let arguments {
      writer.name("args")
      writer.beginObject()
      arguments(&writer)
      writer.endObject()
    }
    writer.endObject()
  }
}
