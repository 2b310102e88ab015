import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

extension PageLog {
  private static let largestBuckets = 2000
  private static let largestBandCount = 60
  private static let largestBarCount = 300

  /// `overview`: the number of steps of each store or type, in parts of the recording.
  func overview(_ request: PageRequest) throws -> Answer {
    let rows = rows()
    let from = try request.place("from", through: rows.count)
    let to = max(from, try request.place("to", standard: rows.count, through: rows.count))
    let asked = try request.count("buckets", standard: 600, largest: Self.largestBuckets)
    let bucketCount = max(1, min(asked, to - from))
    let isByType = try request.text("by") == "type"
    var bands = try bands(isByType: isByType)
    let start = try request.place("next", through: bucketCount)
    func row(_ bucket: Int) -> Int {
      // Positions and buckets fit: no log has as many rows as overflow the product.
      from + bucket * (to - from) / bucketCount
    }
    var steps: [Int] = []
    var rejected: [Int] = []
    var times: [Nullable<Seconds>] = []
    var bucket = start
    while bucket < bucketCount {
      let positions = rows.stepCount(before: row(bucket))..<rows.stepCount(before: row(bucket + 1))
      steps.append(positions.count)
      times.append(Nullable(try seconds(at: positions.first)))
      var rejections = 0
      bands.begin()
      for (shape, count) in log.shapeCounts(in: positions) {
        if shape.isRejected { rejections += count }
        guard !isByType else { continue }
        for write in shape.writes { bands.add(count, to: write.store) }
      }
      if isByType {
        for (type, count) in log.typeCounts(in: positions) { bands.add(count, to: type) }
      }
      rejected.append(rejections)
      bucket += 1
      if request.isOver { break }
    }
    let end = bucket
    let extras = try extras(in: row(start)..<row(end), rows)
    let bars = try effectBars(
      rows.stepCount(before: row(start))..<rows.stepCount(before: row(end)), rows, request)
    return Answer { [bands, steps, rejected, times] members in
      try members.set("from", from)
      try members.set("to", to)
      try members.set("buckets", to > from ? bucketCount : 0)
      try members.set("start", start)
      try members.set("steps", to > from ? steps : [])
      try members.set("bands", bands.rows)
      try members.set("rejected", to > from ? rejected : [])
      try members.set("times", to > from ? times : [])
      try members.set("extras", extras.rows)
      try members.set("bars", ifPresent: bars.isEmpty ? nil : bars)
      try members.set("next", ifPresent: end < bucketCount ? end : nil)
      try members.set("sampled", ifTrue: extras.isSampled)
    }
  }

  /// The effects whose results are among some steps: `{"from","to","name"}`, from the step that started each.
  ///
  /// Empty for ranges in which nobody could tell bars apart.
  private func effectBars(
    _ positions: Range<Int>, _ rows: RowMap, _ request: PageRequest
  ) throws -> [Answer] {
    guard positions.count <= Self.largestBuckets else { return [] }
    var bars: [Answer] = []
    var rest = positions
    while bars.count < Self.largestBarCount, !request.isOver,
      let found = log.position(in: rest, shapeWhere: { $0.hasCause })
    {
      rest = found + 1..<rest.upperBound
      let step = try timeline.step(at: found)
      guard let effect = step.effect,
        let cause = log.position(ofCause: step.cause, before: found)
      else { continue }
      bars.append(
        Answer { members in
          try members.set("from", rows.row(ofStep: cause))
          try members.set("to", rows.row(ofStep: found))
          try members.set("name", effect)
        })
    }
    return bars
  }

  /// The bands of the most frequent types, or of the stores; those beyond the limit share one.
  private func bands(isByType: Bool) throws -> Bands {
    let names = isByType ? TypeCount.all(in: log).map(\.type) : log.storeNames
    let isWhole = names.count <= Self.largestBandCount
    return try Bands(
      names: isWhole ? names : Array(names.prefix(Self.largestBandCount - 1)),
      keepsRest: isByType || !isWhole)
  }

  private func seconds(at position: Int?) throws -> Seconds? {
    try position.flatMap { try time(at: $0) }.map { Seconds($0) }
  }

  /// Returns the time of the step at a position; nil if there is none, or if its line cannot be read.
  func time(at position: Int) throws -> LogTime? {
    guard position >= 0 else { return nil }
    do throws(LogError) {
      return try log.step(at: position).time
    } catch {
      guard error.isDamage else { throw error }
      return nil
    }
  }

  /// The rows that are no steps; every n-th of them if there are too many.
  private func extras(
    in range: Range<Int>, _ rows: RowMap
  ) throws -> (rows: [Answer], isSampled: Bool) {
    let all = rows.extraRows(in: range)
    let stride = (all.count + PageRequest.largestCount - 1) / PageRequest.largestCount
    var list = StepRows(timeline, rows)
    var answers: [Answer] = []
    for (place, number) in all.enumerated() where stride <= 1 || place % stride == 0 {
      guard let row = rows[number] else { continue }
      answers.append(try list.listed(number, row))
    }
    return (answers, stride > 1)
  }

  /// `overview` of a fork, whose steps are few enough to be looked at one by one.
  func overview(_ request: PageRequest, on fork: ForkRows) throws -> Answer {
    let from = try request.place("from", through: fork.count)
    let to = max(from, try request.place("to", standard: fork.count, through: fork.count))
    let asked = try request.count("buckets", standard: 600, largest: Self.largestBuckets)
    let bucketCount = max(1, min(asked, to - from))
    let isByType = try request.text("by") == "type"
    var bands = try bands(isByType: isByType)
    var steps = Array(repeating: 0, count: bucketCount)
    var rejected = steps
    var times: [Nullable<Seconds>] = []
    for bucket in 0..<bucketCount {
      bands.begin()
      var time: Seconds?
      for row in from + bucket * (to - from) / bucketCount..<from + (bucket + 1) * (to - from)
        / bucketCount
      {
        guard case .step(let count)? = fork[row] else { continue }
        let step = fork.history.steps[count - 1]
        time = time ?? Seconds(step.time)
        steps[bucket] += 1
        if step.rejection != nil { rejected[bucket] += 1 }
        for name in isByType ? [step.type] : step.changed { bands.add(1, to: name) }
      }
      times.append(Nullable(time))
    }
    return Answer { [bands, steps, rejected, times] members in
      try members.set("from", from)
      try members.set("to", to)
      try members.set("buckets", bucketCount)
      try members.set("start", 0)
      try members.set("steps", steps)
      try members.set("bands", bands.rows)
      try members.set("rejected", rejected)
      try members.set("times", times)
      try members.set("extras", [Answer]())
    }
  }

  // MARK: A value over time

  /// `series`: the numbers that a path had.
  func series(_ request: PageRequest) throws -> Answer {
    let rows = rows()
    let path = try request.pointer("path")
    guard let store = path.tokens.first else {
      throw PageError(.badRequest, "path: expected a path into the states")
    }
    let place = Pointer(tokens: path.tokens.dropFirst())
    let from = max(1, try request.place("from", through: rows.count))
    let to = max(from, try request.place("to", standard: rows.count, through: rows.count))
    let asked = try request.count("points", standard: 600, largest: Self.largestBuckets)
    let count = min(asked, to - from)
    var points: [Answer] = []
    let start = try request.place("next", through: count)
    var index = start
    while index < count {
      // The last row of each part, so that the newest value is among the points.
      let row = from + (index + 1) * (to - from) / count - 1
      index += 1
      if case .step(let position)? = rows[row] {
        let value = try timeline.value(place, of: store, at: position).json
        let number = log.number(at: position)
        points.append(
          Answer { members in
            try members.set("row", row)
            try members.set("n", ifPresent: number)
            try members.set("value", ifPresent: value?.kind == .number ? value : nil)
          })
      }
      if request.isOver { break }
    }
    let next = index < count ? index : nil
    return Answer { [points] members in
      try members.set("path", path.description)
      try members.set("points", points)
      try members.set("next", ifPresent: next)
      try members.set("sampled", ifTrue: count < to - from)
    }
  }
}

/// The steps of each store or type in each part.
private struct Bands {
  /// A band: `{"name","counts","rest"?}`.
  struct Row: Encodable {
    let name: String
    var counts: [Int] = []
    let rest: Bool?
  }

  private(set) var rows: [Row]
  private let places: StoreDictionary<Int>
  /// The band of all names without one; nil if they are left out.
  private let rest: Int?

  init(names: [String], keepsRest: Bool) throws {
    rows = names.map { Row(name: $0, rest: nil) }
    places = StoreDictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    rest = keepsRest ? rows.count : nil
    if keepsRest { rows.append(Row(name: "…", rest: true)) }
  }

  /// Begins the next part.
  mutating func begin() {
    for place in rows.indices { rows[place].counts.append(0) }
  }

  mutating func add(_ count: Int, to name: String) {
    guard let place = places[name] ?? rest, let last = rows[place].counts.indices.last else {
      return
    }
    rows[place].counts[last] += count
  }
}
