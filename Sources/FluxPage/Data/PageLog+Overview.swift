import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

extension PageLog {
  private static let largestBuckets = 2000
  private static let largestBandCount = 60
  private static let largestBarCount = 300

  private typealias Bucket = (steps: Int, rejected: Int, time: Seconds?, number: UInt64?)

  /// `overview`: the number of steps of each store or type, in parts of the rows.
  func overview(_ request: PageRequest, _ rows: PageRows) throws -> Answer {
    let (fork, total) = (rows.fork, rows.count)
    let from = try request.place("from", through: total)
    let to = max(from, try request.place("to", standard: total, through: total))
    let asked = try request.count("buckets", standard: 600, largest: Self.largestBuckets)
    let bucketCount = max(1, min(asked, to - from))
    let isByType = try request.text("by") == "type"
    var bands = bands(isByType: isByType)
    let start = fork == nil ? try request.place("next", through: bucketCount) : 0
    func row(_ bucket: Int) -> Int {
      // Positions and buckets fit: no log has as many rows as overflow the product.
      from + bucket * (to - from) / bucketCount
    }
    func steps(_ buckets: Range<Int>) -> Range<Int> {
      let (first, end) = (row(buckets.lowerBound), row(buckets.upperBound))
      return rows.stepCount(before: first)..<rows.stepCount(before: end)
    }
    var buckets: [Bucket] = []
    var end = start
    while end < bucketCount {
      bands.begin()
      buckets.append(try bucket(steps(end..<end + 1), of: rows, isByType: isByType, &bands))
      end += 1
      if fork == nil, request.isOver { break }
    }
    let isEmpty = fork == nil && from == to
    let shown: [Bucket] = isEmpty ? [] : buckets
    let extras =
      fork == nil
      ? try extras(in: row(start)..<row(end), rows) : (rows: [], isSampled: false)
    let bars = fork == nil ? try effectBars(steps(start..<end), rows, request) : []
    return Answer { [bands, end] members in
      try members.set("from", from)
      try members.set("to", to)
      try members.set("buckets", isEmpty ? 0 : bucketCount)
      try members.set("start", start)
      try members.set("steps", shown.map { $0.steps })
      try members.set("bands", bands.rows)
      try members.set("rejected", shown.map { $0.rejected })
      try members.set("times", shown.map { Nullable($0.time) })
      try members.set("numbers", shown.map { Nullable($0.number) })
      try members.set("extras", extras.rows)
      try members.set("bars", ifPresent: bars.isEmpty ? nil : bars)
      try members.set("next", ifPresent: end < bucketCount ? end : nil)
      try members.set("sampled", ifTrue: extras.isSampled)
    }
  }

  private func bucket(
    _ steps: Range<Int>, of rows: PageRows, isByType: Bool, _ bands: inout Bands
  ) throws -> Bucket {
    var rejected = 0
    if let fork = rows.fork {
      // The steps of a fork are few enough to be looked at one by one.
      for step in fork.history.steps[steps] {
        if step.rejection != nil { rejected += 1 }
        for name in isByType ? [step.type] : step.changed { bands.add(1, to: name) }
      }
    } else {
      for (shape, count) in log.shapeCounts(in: steps) {
        if shape.isRejected { rejected += count }
        guard !isByType else { continue }
        for write in shape.writes { bands.add(count, to: write.store) }
      }
      if isByType {
        for (type, count) in log.typeCounts(in: steps) { bands.add(count, to: type) }
      }
    }
    let time = try steps.first.flatMap { try rows.time(ofStep: $0) }
    let number = steps.first.flatMap { rows.fork?.history.steps[$0].number ?? log.number(at: $0) }
    return (steps.count, rejected, time.map { Seconds($0) }, number)
  }

  /// The effects whose results are among some steps: `{"from","to","name"}`, from the step that started each.
  ///
  /// Empty for ranges in which nobody could tell bars apart.
  private func effectBars(
    _ positions: Range<Int>, _ rows: PageRows, _ request: PageRequest
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
  private func bands(isByType: Bool) -> Bands {
    let names = isByType ? TypeCount.all(in: log).map(\.type) : log.storeNames
    let isWhole = names.count <= Self.largestBandCount
    return Bands(
      names: isWhole ? names : Array(names.prefix(Self.largestBandCount - 1)),
      keepsRest: isByType || !isWhole)
  }

  /// The rows that are no steps; every n-th of them if there are too many.
  private func extras(
    in range: Range<Int>, _ rows: PageRows
  ) throws -> (rows: [Answer], isSampled: Bool) {
    let all = rows.recorded.extraRows(in: range)
    let stride = (all.count + PageRequest.largestCount - 1) / PageRequest.largestCount
    var list = rows
    var answers: [Answer] = []
    for (place, number) in all.enumerated() where stride <= 1 || place % stride == 0 {
      guard let answer = try list.listed(number) else { continue }
      answers.append(answer)
    }
    return (answers, stride > 1)
  }

  // MARK: A value over time

  /// `series`: the numbers that a path had.
  func series(_ request: PageRequest, _ rows: PageRows) throws -> Answer {
    if let fork = rows.fork { return try series(request, on: fork) }
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
      if case .step(let position)? = rows.recorded[row] {
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

  init(names: [String], keepsRest: Bool) {
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
