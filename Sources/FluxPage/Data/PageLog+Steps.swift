import FluxInspector
import FluxJSON
import FluxLog

extension PageLog {
  /// The largest number of caused steps that come with a step.
  private static let largestCaused = 6
  /// The largest number of changed values that come with the steps that wrote them before.
  private static let largestBlamed = 8

  /// `steps`: a range of rows, or single ones.
  func steps(_ request: PageRequest, _ rows: PageRows) throws -> Answer {
    var list = rows
    var answers: [Answer] = []
    let (from, wanted) = try request.wantedRows(of: rows.count)
    for number in wanted {
      guard let answer = try list.listed(number) else {
        throw PageError(.badRequest, "rows: there is no row \(number)")
      }
      answers.append(answer)
      if from != nil, request.isOver { break }
    }
    return Answer { members in
      try members.set("from", ifPresent: rows.fork == nil ? from : wanted.first ?? 0)
      try members.set("rows", answers)
      try members.set("total", rows.count)
    }
  }

  /// `step`: everything about one row but its states; with its neighbours, and its changes if the request wants them.
  func step(_ request: PageRequest, _ rows: PageRows) throws -> Answer {
    if let fork = rows.fork { return try step(request, rows, on: fork) }
    var list = rows
    let (number, row) = try request.row("row", in: rows.recorded)
    let listed = try list.listed(number, row)
    guard case .step(let position) = row else { return listed }
    let step = try timeline.step(at: position)
    let changed = try timeline.changedStores(at: position)
    let unrecorded = try timeline.unrecordedStores(at: position)
    let causeRow = rows.row(ofCause: step.cause, before: position)
    let line = log.lineNumber(at: position)
    let time = log.header.created.flatMap { $0.adding(step.time) }
    let neighbours = try neighbours(request, rows, session(at: position), position)
    return Answer(row: number, "step") { members in
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
      try neighbours.write(&members)
    }
  }

  /// The parts that a click on the step at an index asks for besides the step itself, so that it takes one request.
  func neighbours(
    _ request: PageRequest, _ rows: PageRows, _ session: Session, _ index: Int
  ) throws -> Answer {
    let before = try rows.time(ofStep: index - 1)
    // Effects far behind are looked for when somebody opens the action; a fork has few steps.
    let deadline = rows.fork == nil ? min(request.deadline, .now + .milliseconds(5)) : nil
    let (found, end) = try session.causedLinks().collect(
      Work(limit: Self.largestCaused, deadline: deadline))
    let caused = found.map { link($0, rows) }
    let changes = try changes(request, rows)
    let isBlamed = try rows.fork == nil && request.flag("blame")
    let written = try isBlamed ? written(changes?.paths ?? [], request, rows, index) : []
    return Answer { members in
      try members.set("before", ifPresent: before.map { Seconds($0) })
      try members.set("caused", ifPresent: caused.isEmpty ? nil : caused)
      try members.set("moreCaused", ifTrue: end.next != nil)
      switch changes?.answer {
      case .success(let answer)?: try members.set("difference", answer)
      case .failure(let error)?: try members.set("difference", error)
      case nil: break
      }
      try members.set("written", ifPresent: written.isEmpty ? nil : written)
    }
  }

  /// The steps that wrote the first values that a step changes, each before it; the first value always has its own.
  private func written(
    _ paths: [Pointer], _ request: PageRequest, _ rows: PageRows, _ position: Int
  ) throws -> [Answer] {
    let deadline = min(request.deadline, .now + .milliseconds(8))
    var answers: [Answer] = []
    for path in paths.prefix(Self.largestBlamed).map(\.description) {
      guard answers.isEmpty || ContinuousClock.now < deadline else { break }
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

  /// `chain`: the step and its causes, up to the root action; on a fork, the chain is not continued.
  func chain(_ request: PageRequest, _ rows: PageRows) throws -> Answer {
    let isContinued = rows.fork == nil && request.has("next")
    guard let session = try session(atStep: isContinued ? "next" : "row", of: request, rows) else {
      return Answer { try $0.set("chain", [Answer]()) }
    }
    let work = Work(limit: PageRequest.largestCount, deadline: request.deadline)
    let (links, end) = try session.chain().collect(work)
    let answers = links.map { link($0, rows) }
    let next = rows.fork == nil ? end.next.map { rows.row(ofStep: $0.position) } : nil
    return Answer { members in
      try members.set("chain", answers)
      try members.set("missing", ifPresent: end.trailer.missingCause)
      try members.set("next", ifPresent: next)
    }
  }

  /// `effects`: the steps that a step caused, and the effects that it asked for.
  func effects(_ request: PageRequest, _ rows: PageRows) throws -> Answer {
    let limit = try request.count("limit", standard: 100)
    guard let session = try session(atStep: "row", of: request, rows),
      let step = try session.currentStep()
    else { return Answer { try $0.set("steps", [Answer]()) } }
    let next = try request.integer("next").map { Cursor(position: rows.stepCount(before: $0)) }
    let (found, end) = try session.causedLinks().collect(
      Work(limit: limit, deadline: request.deadline), from: next)
    let links = found.map { link($0, rows) }
    return Answer { members in
      try members.set("steps", links)
      try members.set("asked", ifPresent: step.effects.json)
      try members.set("next", ifPresent: end.next.map { rows.row(ofStep: $0.position) })
    }
  }

  /// Returns a session at the step of the row of a request; nil if the row is no step.
  private func session(
    atStep name: String, of request: PageRequest, _ rows: PageRows
  ) throws -> Session? {
    if let fork = rows.fork {
      // A recorded step that the fork left out has the states of the step before it.
      guard case .step(let count) = try request.row(in: fork).row else { return nil }
      return try session(withForksOf: request).standing(at: .fork(fork.number, count))
    }
    guard case .step(let position) = try request.row(name, in: rows.recorded).row else {
      return nil
    }
    return session(at: position)
  }

  /// Returns a link to a step, with its row among those of the recording or of a fork.
  private func link(_ link: ChainLink, _ rows: PageRows) -> Answer {
    Answer { members in
      switch link.place {
      // Steps before the fork are part of the recording, and open there.
      case .recording(let position):
        try members.set(
          rows.fork == nil ? "row" : "recordedRow", rows.recorded.row(ofStep: position))
      case .fork(_, let count):
        try members.set("row", ifPresent: rows.fork?.row(ofStep: count))
      }
      try members.set("n", link.number)
      try members.set("type", link.type)
      try members.set("t", link.t)
      try members.set("payload", ifPresent: link.payload?.excerpt(200))
      try members.set("effect", ifPresent: link.effect)
      try members.set("source", ifPresent: link.source)
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
