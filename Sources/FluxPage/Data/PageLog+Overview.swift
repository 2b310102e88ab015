import FluxInspector
import FluxJSON
import FluxLog

extension PageLog {
  private static let largestBuckets = 2000
  private static let largestBandCount = 20

  /// `overview`: the number of steps of each store or type, in parts of the recording.
  func overview(_ request: PageRequest) throws -> Answer {
    let rows = rows()
    let from = try request.place("from", through: rows.count)
    let to = max(from, try request.place("to", standard: rows.count, through: rows.count))
    let asked = try request.count("buckets", standard: 600, largest: Self.largestBuckets)
    let bucketCount = max(1, min(asked, to - from))
    let isByType = try request.text("by") == "type"
    var bands = try Bands(
      names: isByType ? topTypes() : Array(log.storeNames.prefix(Self.largestBandCount)),
      keepsRest: isByType)
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
      times.append(Nullable(try time(at: positions.first)))
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
      try members.set("scanned", steps.reduce(0, +))
      try members.set("next", ifPresent: end < bucketCount ? end : nil)
      try members.set("sampled", ifTrue: extras.isSampled)
    }
  }

  private func topTypes() -> [String] {
    TypeCount.all(in: log).prefix(Self.largestBandCount - 1).map(\.type)
  }

  private func time(at position: Int?) throws -> Seconds? {
    guard let position else { return nil }
    do throws(LogError) {
      return Seconds(try log.step(at: position).time)
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
    let scanned = index - start
    return Answer { [points] members in
      try members.set("path", path.description)
      try members.set("points", points)
      try members.set("scanned", scanned)
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
