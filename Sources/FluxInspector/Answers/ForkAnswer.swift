import FluxLog

/// A branch: `{"fork":1,"at":4,"steps":2}`, `at` being the step after which it leaves the recording.
struct ForkAnswer: Answer {
  let fork: Int
  /// Nil before a step 0.
  let base: UInt64?
  let stepCount: Int
  /// What became of it: `dropped`.
  let change: String?

  init(_ branch: OpenBranch, in session: Session, change: String? = nil) {
    let summary = branch.summary
    fork = summary.number
    base = session.stepNumber(at: summary.position)
    stepCount = summary.stepCount
    self.change = change
  }

  func write(to json: inout JSONOutput) throws { json.writer.fork(self) }

  func write(to text: inout TextOutput) throws { try text.fork(self) }
}

/// The branches: `{"forks":[{"fork","at","steps"}],"current"?}`.
struct ForksAnswer: Answer {
  let forks: [ForkAnswer]
  /// The number of the one that is worked on.
  let current: Int?

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("forks")
    json.writer.beginArray()
    for fork in forks { json.writer.fork(fork) }
    json.writer.endArray()
    if let current {
      json.writer.name("current")
      json.writer.int(current)
    }
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    for fork in forks {
      text.write(fork.fork == current ? "* " : "  ")
      try text.fork(fork)
    }
    if forks.isEmpty { try text.line("no forks", .dim) }
  }
}

extension JSONWriter {
  fileprivate mutating func fork(_ fork: ForkAnswer) {
    beginObject()
    name("fork")
    int(fork.fork)
    name("at")
    stepNumber(fork.base)
    name("steps")
    int(fork.stepCount)
    endObject()
  }
}

extension TextOutput {
  /// Writes a branch on one line: `fork 1 after step 4, 2 steps`.
  fileprivate mutating func fork(_ fork: ForkAnswer) throws {
    write("fork \(fork.fork)", .heading)
    write(" after step ")
    write(fork.base.map(String.init) ?? "-1", .number)
    write(", \(fork.stepCount.counted("step"))")
    if let change = fork.change { write(": \(change)", .dim) }
    try endLine()
  }
}
