import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

extension PageLog {
  /// `step` on a fork.
  func step(_ request: PageRequest, _ rows: PageRows, on fork: ForkRows) throws -> Answer {
    let (number, row) = try request.row(in: fork)
    guard case .step(let count) = row else {
      return try fork.listed(number) ?? Answer { _ in }
    }
    let step = fork.history.steps[count - 1]
    let session = try session(withForksOf: request).standing(at: .fork(fork.number, count))
    let neighbours = try neighbours(request, rows, session, count - 1)
    return Answer(row: number, "step") { members in
      try fork.setSummary(of: step, &members)
      try members.setValue("payload", step.action.actionContent)
      try members.set("target", ifPresent: step.target)
      try members.set("from", ifPresent: step.from)
      try neighbours.write(&members)
    }
  }

  /// `locate` on a fork.
  func locate(_ request: PageRequest, on fork: ForkRows) throws -> Answer {
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

  /// `series` on a fork: the newest numbers that a path had.
  func series(_ request: PageRequest, on fork: ForkRows) throws -> Answer {
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
