import FluxInspector
import FluxJSON
import FluxLog

extension PageLog {
  /// `steps`: a range of rows, or single ones.
  func steps(_ request: PageRequest) throws -> Answer {
    let rows = rows()
    var list = StepRows(timeline, rows)
    var answers: [Answer] = []
    let (from, wanted) = try request.wantedRows(of: rows.count)
    for number in wanted {
      guard let row = rows[number] else {
        throw PageError(.badRequest, "rows: there is no row \(number)")
      }
      answers.append(try list.listed(number, row))
      if from != nil, request.isOver { break }
    }
    return Answer { members in
      try members.set("from", ifPresent: from)
      try members.set("rows", answers)
      try members.set("total", rows.count)
    }
  }

  /// `step`: everything about one row but its states; with its neighbours, and its changes if the request wants them.
  func step(_ request: PageRequest) throws -> Answer {
    let rows = rows()
    let (number, row) = try request.row("row", in: rows)
    var list = StepRows(timeline, rows)
    let listed = try list.listed(number, row)
    guard case .step(let position) = row else { return listed }
    let step = try timeline.step(at: position)
    let changed = try timeline.changedStores(at: position)
    let unrecorded = try timeline.unrecordedStores(at: position)
    let causeRow = list.row(ofCause: step.cause, before: position)
    let line = log.lineNumber(at: position)
    let time = log.header.created.flatMap { $0.adding(step.time) }
    let neighbours = try neighbours(request, rows, position)
    return Answer { members in
      try members.set("row", number)
      try members.set("kind", "step")
      try members.set("n", step.number)
      try members.set("t", Seconds(step.time))
      try members.set("time", ifPresent: time?.description)
      try members.set("type", step.type)
      try members.setValue("payload", step.payload)
      try members.set("target", ifPresent: step.target)
      try members.set("cause", ifPresent: step.cause)
      try members.set("causeRow", ifPresent: causeRow)
      try members.set("effect", ifPresent: step.effect)
      try members.set("from", ifPresent: step.from)
      try members.set("effects", ifPresent: step.effects.json)
      try members.set("source", ifPresent: step.source)
      try members.set("took", ifPresent: step.took)
      try members.set("reflected", ifTrue: step.isReflected)
      try members.setValue("x", step.external)
      try members.set("secrets", ifPresent: step.secrets.isEmpty ? nil : step.secrets)
      try members.set("changed", changed)
      try members.set("unwritten", ifPresent: step.unwritten.isEmpty ? nil : step.unwritten)
      try members.set("notRecorded", ifPresent: unrecorded.isEmpty ? nil : unrecorded)
      try members.set("rejected", ifPresent: step.rejection)
      try members.set("line", ifPresent: line)
      try neighbours.set(in: &members)
    }
  }

  private func neighbours(
    _ request: PageRequest, _ rows: RowMap, _ position: Int
  ) throws -> StepNeighbours {
    var neighbours = StepNeighbours()
    neighbours.before = try time(at: position - 1)
    // Effects far behind are looked for when somebody opens the action.
    let work = Work(
      limit: StepNeighbours.largestCaused, deadline: min(request.deadline, .now + .milliseconds(5)))
    let (found, end) = try session(at: position).causedLinks().collect(work)
    neighbours.caused = found.map { link($0, rows) }
    neighbours.hasMoreCaused = end.next != nil
    guard let changes = try changes(request) else { return neighbours }
    neighbours.differences = changes.answer
    if try request.flag("blame") {
      neighbours.written = try written(changes.paths, request, rows, position)
    }
    return neighbours
  }

  /// The steps that wrote the first values that a step changes, each before it.
  private func written(
    _ paths: [Pointer], _ request: PageRequest, _ rows: RowMap, _ position: Int
  ) throws -> [Answer] {
    let deadline = min(request.deadline, .now + .milliseconds(8))
    var answers: [Answer] = []
    for path in paths.prefix(StepNeighbours.largestBlamed).map(\.description) {
      guard ContinuousClock.now < deadline else { break }
      let (writes, end) = try session(at: Timeline.start).writes(
        of: .path(Path(path, dialect: .inspector)), through: position, .backwards,
        isRequired: false
      ).collect(Work(limit: 5, deadline: deadline))
      let others = writes.filter { $0.position != position }.prefix(4).map { write in
        Answer { members in
          try members.set("row", rows.row(ofStep: write.position))
          try members.set("n", write.number)
          try members.set("type", ifPresent: write.type)
        }
      }
      answers.append(
        Answer { members in
          try members.set("path", path)
          try members.set("writes", Array(others))
          try members.set("more", ifTrue: end.next != nil || writes.count > 4)
        })
    }
    return answers
  }

  // MARK: Causes and effects

  /// `chain`: the step and its causes, up to the root action.
  func chain(_ request: PageRequest) throws -> Answer {
    let rows = rows()
    let (_, row) = try request.row(request.has("next") ? "next" : "row", in: rows)
    guard case .step(let position) = row else {
      return Answer { try $0.set("chain", [Answer]()) }
    }
    return try chain(of: session(at: position), request, rows)
  }

  /// The step at which a session stands, and its causes; on a fork, the chain is not continued.
  func chain(
    of session: Session, _ request: PageRequest, _ rows: RowMap, on fork: ForkRows? = nil
  ) throws -> Answer {
    let work = Work(limit: PageRequest.largestCount, deadline: request.deadline)
    let (links, end) = try session.chain().collect(work)
    let answers = links.map { link($0, rows, on: fork) }
    let next = fork == nil ? end.next.map { rows.row(ofStep: $0.position) } : nil
    return Answer { members in
      try members.set("chain", answers)
      try members.set("missing", ifPresent: end.trailer.missingCause)
      try members.set("next", ifPresent: next)
    }
  }

  /// `effects`: the steps that a step caused, and the effects that it asked for; of the recording or of a fork.
  func effects(_ request: PageRequest, on fork: ForkRows? = nil) throws -> Answer {
    let rows = rows()
    let limit = try request.count("limit", standard: 100)
    var session = try session(at: 0, of: fork, request)
    if let fork, case .step(let count) = try request.row(in: fork).row {
      try session.stand(at: .fork(fork.number, count))
    } else if fork == nil, case .step(let position) = try request.row("row", in: rows).row {
      session.stand(at: position)
    }
    guard let step = try session.currentStep() else {
      return Answer { try $0.set("steps", [Answer]()) }
    }
    let next = try request.integer("next").map { row in
      Cursor(position: fork?.stepCount(before: row) ?? rows.stepCount(before: row))
    }
    let (found, end) = try session.causedLinks().collect(
      Work(limit: limit, deadline: request.deadline), from: next)
    let links = found.map { link($0, rows, on: fork) }
    return Answer { members in
      try members.set("steps", links)
      try members.set("asked", ifPresent: step.effects.json)
      try members.set(
        "next",
        ifPresent: end.next.map {
          fork?.row(ofStep: $0.position + 1) ?? rows.row(ofStep: $0.position)
        })
    }
  }

  /// Returns a link to a step, with its row among those of the recording or of a fork.
  func link(_ link: ChainLink, _ rows: RowMap, on fork: ForkRows? = nil) -> Answer {
    Answer { members in
      switch link.place {
      // Steps before the fork are part of the recording, and open there.
      case .recording(let position):
        try members.set(fork == nil ? "row" : "recordedRow", rows.row(ofStep: position))
      case .fork(_, let count): try members.set("row", ifPresent: fork?.row(ofStep: count))
      }
      try members.setLink(link)
    }
  }
}

extension LogInstant {
  /// Returns the instant at a time of the recording; nil if there is none so late.
  fileprivate func adding(_ time: LogTime) -> LogInstant? {
    let (sum, overflows) = microseconds.addingReportingOverflow(
      Int64(clamping: time.microseconds))
    return overflows ? nil : LogInstant(microseconds: sum)
  }
}
