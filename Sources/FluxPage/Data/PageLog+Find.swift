import FluxInspector
import FluxJSON
import FluxLog

extension PageLog {
  /// `find`: the steps that match a filter.
  func find(_ request: PageRequest) throws -> Answer {
    let rows = rows()
    let isForwards = try request.text("direction") != "backwards"
    let countsOnly = try request.flag("count")
    let limit = countsOnly ? nil : try request.count("limit", standard: 200)
    let search = try session(at: Timeline.start).positions(
      matching: filter(request), in: 0..<rows.stepCount, isForwards ? .forwards : .backwards,
      onlyRoots: request.flag("roots"))
    let begin = try request.place(
      request.has("next") ? "next" : "from", standard: isForwards ? 0 : rows.count - 1,
      through: rows.count - 1)
    // Steps from a row on, or up to and with it.
    let start =
      isForwards ? rows.stepCount(before: begin) : rows.stepCount(before: begin + 1) - 1
    // An expression on a huge state may take any time; nobody waits for as long.
    let patience = ContinuousClock.now + .seconds(10)
    let work = Work(
      limit: limit, deadline: request.deadline, isCancelled: { ContinuousClock.now > patience })
    var list = StepRows(timeline, rows)
    var answers: [Answer] = []
    var matches = 0
    let end = try search.run(work, from: Cursor(position: start)) { position in
      matches += 1
      if !countsOnly {
        answers.append(try list.listed(rows.row(ofStep: position), .step(position)))
      }
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
  func writes(_ request: PageRequest) throws -> Answer {
    let rows = rows()
    let text = try request.required("path")
    let path: Path
    do {
      path = try Path(text, dialect: .inspector)
    } catch {
      throw CommandError(.usage, error)
    }
    let isForwards = try request.text("direction") == "forwards"
    let limit = try request.count("limit", standard: 50)
    var next = try request.has("next") ? cursor(request.members["next"] ?? .null) : nil
    if isForwards, next == nil, request.has("row") {
      next = Cursor(behindWriteAt: try request.row("row", in: rows).row.position)
    }
    let (writes, end) = try session(at: Timeline.start).writes(
      of: .path(path),
      through: isForwards
        ? nil : (try request.has("row") ? request.row("row", in: rows).row.position : timeline.end),
      isForwards ? .forwards : .backwards, isRequired: false
    ).collect(Work(limit: limit, deadline: request.deadline), from: next)
    let answers = try writes.map { write in
      let time = try time(at: write.position)
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
