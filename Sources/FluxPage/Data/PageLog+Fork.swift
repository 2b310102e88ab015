import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

// A request with the member `fork` is about that fork: its rows are those of the fork, and not of the recording.
extension PageLog {
  /// Returns the rows of the fork that a request is about; nil if it is about the recording.
  func forkRows(of request: PageRequest, _ rows: RowMap) throws(PageError) -> ForkRows? {
    guard let number = try request.integer("fork") else { return nil }
    guard let fork = request.console.flatMap({ ForkRows(number, of: $0, rows) }) else {
      throw PageError(.notFound, "there is no fork \(number)")
    }
    return fork
  }

  /// Answers a request about a fork that is answered in another way than on the recording; nil for others.
  func answer(_ name: String, _ request: PageRequest, on fork: ForkRows) throws -> Answer? {
    switch name {
    case "steps": try steps(request, on: fork)
    case "step": try step(request, on: fork)
    case "find": try find(request, on: fork)
    case "locate": try locate(request, on: fork)
    case "chain": try chain(request, on: fork)
    case "effects": try effects(request, on: fork)
    case "overview": try overview(request, on: fork)
    case "series": try series(request, on: fork)
    case "writes": try writes(request, on: fork)
    default: nil
    }
  }

  private func steps(_ request: PageRequest, on fork: ForkRows) throws -> Answer {
    let wanted = try request.wantedRows(of: fork.count).rows
    let answers = try wanted.map { row in
      guard let answer = try fork.listed(row) else {
        throw PageError(.badRequest, "rows: there is no row \(row)")
      }
      return answer
    }
    return Answer { members in
      try members.set("from", wanted.first ?? 0)
      try members.set("rows", answers)
      try members.set("total", fork.count)
    }
  }

  private func step(_ request: PageRequest, on fork: ForkRows) throws -> Answer {
    let (number, row) = try request.row(in: fork)
    guard case .step(let count) = row else {
      return try fork.listed(number) ?? Answer { _ in }
    }
    let step = fork.history.steps[count - 1]
    let neighbours = try neighbours(request, on: fork, count)
    return Answer { members in
      try members.set("row", number)
      try members.set("kind", "step")
      try fork.setSummary(of: step, &members)
      try members.setValue("payload", step.action.actionContent)
      try members.set("target", ifPresent: step.target)
      try members.set("from", ifPresent: step.from)
      try neighbours.set(in: &members)
    }
  }

  /// The parts that a click asks for besides the step itself.
  private func neighbours(
    _ request: PageRequest, on fork: ForkRows, _ count: Int
  ) throws -> StepNeighbours {
    let steps = fork.history.steps
    var neighbours = StepNeighbours()
    neighbours.before = count > 1 ? steps[count - 2].time : nil
    let (links, end) = try session(at: count, of: fork, request).causedLinks()
      .collect(Work(limit: StepNeighbours.largestCaused))
    neighbours.caused = links.map { link($0, fork.recorded, on: fork) }
    neighbours.hasMoreCaused = end.next != nil
    neighbours.differences = try changes(request)?.answer
    return neighbours
  }

  private func locate(_ request: PageRequest, on fork: ForkRows) throws -> Answer {
    let (text, position) = try request.position()
    let (_, row) = try request.row(in: fork)
    // A number is that of a step of the fork here; a session takes it for a recorded one.
    if let number = UInt64(text), let found = fork.row(ofNumber: number) {
      return Answer { members in
        try members.set("row", found)
        try members.set("n", number)
      }
    }
    var session = session(withForksOf: request)
    try session.stand(at: .fork(fork.number, row.count))
    let move = try session.move(to: position)
    guard case .fork(_, let count) = session.place else {
      throw CommandError(.badPosition, "\(text) is not on fork \(fork.number)")
    }
    return Answer { members in
      try members.set("row", fork.row(ofStep: count))
      try members.set("n", move.step)
      try members.set("note", ifPresent: move.notes.first?.words)
    }
  }

  // MARK: Causes and effects

  private func chain(_ request: PageRequest, on fork: ForkRows) throws -> Answer {
    let (_, row) = try request.row(in: fork)
    guard case .step(let count) = row else { return Answer { try $0.set("chain", [Answer]()) } }
    let session = try session(withForksOf: request).standing(at: .fork(fork.number, count))
    return try chain(of: session, request, fork.recorded, on: fork)
  }

  // MARK: Over time

  private func series(_ request: PageRequest, on fork: ForkRows) throws -> Answer {
    let path = try request.pointer("path")
    let points = (1..<max(1, fork.history.steps.count + 1)).suffix(2000).map { count in
      let value = fork.value(at: path, count)
      return Answer { members in
        try members.set("row", fork.row(ofStep: count))
        try members.set("n", fork.history.steps[count - 1].number)
        try members.set("value", ifPresent: value?.kind == .number ? value : nil)
      }
    }
    return Answer { members in
      try members.set("path", path.description)
      try members.set("points", points)
    }
  }
}

extension ForkRows {
  /// Returns the value at a path from the model after some steps.
  fileprivate func value(at path: Pointer, _ count: Int) -> JSON? {
    guard let store = path.tokens.first else { return nil }
    return history.states(afterSteps: count)[store]
      .flatMap { TreeValue.json($0).descendant(Array(path.tokens.dropFirst()))?.json }
  }
}
