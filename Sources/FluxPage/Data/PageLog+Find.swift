import FluxInspector
import FluxJSON
import FluxLog

extension PageLog {
  /// `find`: the steps that match a filter.
  func find(_ request: PageRequest, _ rows: PageRows) throws -> Answer {
    let isForwards = try request.text("direction") != "backwards"
    let countsOnly = try request.flag("count")
    let limit = countsOnly ? nil : try request.count("limit", standard: 200)
    let search = try session(atStartOf: rows, request).stepIndexes(
      matching: filter(request), in: 0..<rows.stepCount,
      isForwards ? .forwards : .backwards, onlyRoots: request.flag("roots"))
    let last = rows.count - 1
    let begin = try request.place(
      request.has("next") ? "next" : "from", standard: isForwards ? 0 : last, through: last)
    // Steps from a row on, or up to and with it.
    let start = isForwards ? rows.stepCount(before: begin) : rows.stepCount(before: begin + 1) - 1
    // An expression on a huge state may take any time; nobody waits for as long.
    let patience = ContinuousClock.now + .seconds(10)
    let work = Work(
      limit: limit, deadline: request.deadline, isCancelled: { ContinuousClock.now > patience })
    var list = rows
    var answers: [Answer] = []
    var matches = 0
    let end = try search.run(work, from: Cursor(position: start)) { index in
      matches += 1
      guard !countsOnly, let answer = try list.listed(rows.row(ofStep: index)) else { return }
      answers.append(answer)
    }
    return Answer { [answers, matches] members in
      try members.set("rows", answers)
      try members.set("matches", matches)
      try members.set("next", ifPresent: end.next.map { rows.row(ofStep: $0.position) })
      try members.set("unknown", ifPresent: end.trailer.unknownSteps)
    }
  }

  func filter(_ request: PageRequest) throws -> StepFilter? {
    guard let text = try request.text("filter"), !text.isEmpty else { return nil }
    do {
      return try timeline.filter(text)
    } catch {
      throw CommandError(.usage, error)
    }
  }

  // MARK: The writes of a value

  /// `writes`: the steps that wrote a value.
  ///
  /// Backwards, the newest first, from the row that the request names; forwards, the oldest first, from the row behind it.
  func writes(_ request: PageRequest, _ rows: PageRows) throws -> Answer {
    let text = try request.required("path")
    let path: Path
    do {
      path = try Path(text, dialect: .inspector)
    } catch {
      throw CommandError(.usage, error)
    }
    let isForwards = try request.text("direction") == "forwards"
    let limit = try request.count("limit", standard: 50)
    var here: Int?
    if request.has("row") {
      here =
        try rows.fork.map { try request.row(in: $0).row.count - 1 }
        ?? request.row("row", in: rows.recorded).row.position
    }
    var next = try request.has("next") ? cursor(request.members["next"] ?? .null) : nil
    if isForwards, next == nil, let here {
      next = Cursor(behindWriteAt: rows.fork == nil ? here : here + 1)
    }
    let (writes, end) = try session(atStartOf: rows, request).writesHere(
      of: .path(path),
      through: isForwards ? nil : here ?? (rows.fork == nil ? timeline.end : rows.stepCount - 1),
      isForwards ? .forwards : .backwards
    ).collect(Work(limit: limit, deadline: request.deadline), from: next)
    let answers = try writes.map { write in
      let time = try rows.time(ofStep: write.position)
      return Answer { members in
        try members.set("row", rows.row(ofStep: write.position))
        try members.set("n", write.number)
        try members.set("t", ifPresent: time.map { Seconds($0) })
        try members.set(
          "type", ifPresent: write.type ?? (write.isRestored == true ? "restored" : nil))
        try members.setValue("value", write.value)
        try members.set("afterGap", ifPresent: write.afterGap)
      }
    }
    return Answer { members in
      try members.set("path", text)
      try members.set("writes", answers)
      try members.set("next", ifPresent: end.next?.numbers)
    }
  }

  /// Reads a place that a client sent back.
  private func cursor(_ json: JSON) throws(PageError) -> Cursor {
    let numbers = json.elements.compactMap { $0.number?.int64.flatMap { Int(exactly: $0) } }
    guard let cursor = Cursor(writes: numbers) else {
      throw PageError(.badRequest, "next: expected what an answer had there")
    }
    return cursor
  }
}
