public import FluxJSON

extension Timeline {
  /// Checks the log against every rule of the format.
  ///
  /// Parses each line, and applies each patch to the store's previous state unless that is unknown.
  /// See docs/log-format.md, "Damage".
  ///
  /// - Parameter progress: Called from time to time with the number of checked steps and of all
  ///   steps. An error ends the check.
  /// - Returns: The findings, in the order of the lines.
  /// - Throws: ``LogError`` if the file cannot be read, and any error of `progress`.
  public func check(
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> [Finding] {
    try log.waitForIndex()
    // The index reports duplicate names only in steps that it had to parse. They are found again
    // below.
    let isNotFoundAgain: (Finding) -> Bool = { $0.problem != .duplicateNames || $0.step == nil }
    var findings = log.findings.filter(isNotFoundAgain)
    let range = 0..<log.count
    var next = 0
    _ = try Scan(CheckQuestion(timeline: self), range, .forwards, smallestPass: 0).run(
      check: { _ in },
      goesOn: { rest in
        guard rest.lowerBound >= next else { return true }
        next = rest.lowerBound + 256
        try progress(rest.lowerBound, range.count)
        return true
      }
    ) { run in
      findings += run.answer ?? []
      return true
    }
    try progress(range.count, range.count)
    return findings.sorted { ($0.line, $0.byte) < ($1.line, $1.byte) }
  }

  /// Returns the problems of one step that the index cannot see.
  fileprivate func checkStep(at position: Int) throws(LogError) -> [Finding] {
    let line = log.lineNumber(at: position) ?? 0
    let number = log.number(at: position)
    let text = try log.lineText(at: position)
    let json: JSON
    let step: LogStep
    do throws(LineFault) {
      json = try JSON(line: text)
      step = try LogStep(json)
    } catch {
      return [Finding(problem: error.problem, line: line, step: number, byte: error.byte)]
    }
    let duplicates = Finding(problem: .duplicateNames, line: line, step: number)
    return (json.hasDuplicateNames ? [duplicates] : []) + (try changeFindings(at: position))
      + (try effectFindings(of: step, json, line: line))
  }

  /// Returns the finding of a step that comes from an effect that its cause did not start.
  ///
  /// Only for logs that record effects, and only if the cause is in this file and readable.
  fileprivate func effectFindings(
    of step: LogStep, _ json: JSON, line: Int
  ) throws(LogError) -> [Finding] {
    guard log.header.recordsEffects, let effect = step.effect, let cause = step.earlierCause,
      let position = log.position(of: cause)
    else { return [] }
    let hasStarted = try LogError.unlessDamaged { () throws(LogError) in
      try log.step(at: position).effects.hasStart(of: effect)
    }
    guard hasStarted == false else { return [] }
    return [
      Finding(
        problem: .effectNotStarted(effect: effect, cause: cause), line: line, step: step.number,
        byte: json["effect"]?.byteOffset ?? 0)
    ]
  }
}

/// Asks which problems a step has that the index cannot see.
struct CheckQuestion: StepQuestion {
  let timeline: Timeline

  func candidate(in range: Range<Int>, _ direction: SearchDirection) -> Int? {
    direction == .forwards ? range.first : range.last
  }

  func answer(at position: Int, check: @escaping () throws -> Void) throws -> [Finding]? {
    try timeline.checkStep(at: position)
  }

  /// Finds no problem, or gives up: everything special counts as one, and such steps are checked one by one.
  func answers(in piece: Range<Int>) -> [(position: Int, answer: [Finding])]? {
    guard timeline.log.continuesModel(in: piece) else { return nil }
    do {
      let pass = StepPass(timeline.log, piece)
      var trial = PatchTrial(timeline: timeline, start: piece.lowerBound)
      while let step = pass.advance() {
        guard step.interruption == nil else { return nil }
        let json = try JSON(line: pass.lineText())
        let parsed = try LogStep(json)
        guard !json.hasDuplicateNames, try trial.passes(json, pass.shape(step.shape)),
          try timeline.effectFindings(of: parsed, json, line: 0).isEmpty
        else { return nil }
      }
      return pass.isComplete ? [(piece.lowerBound, [])] : nil
    } catch {
      // Checking the steps one by one shows which one is the problem.
      return nil
    }
  }
}

/// The states of stores along some steps, to try whether patches apply.
private struct PatchTrial {
  let timeline: Timeline
  let start: Int
  private(set) var stores: [BytewiseName: PassedStore] = [:]

  /// Returns `true` if all patches of a step apply, and it removes no store and leaves none out.
  mutating func passes(_ step: JSON, _ shape: StepShape) throws -> Bool {
    for write in shape.writes {
      let (name, key) = (write.store, BytewiseName(write.store))
      switch write.kind {
      case .whole:
        guard let state = step["states"]?[name] else { return false }
        stores[key, default: PassedStore(name)].set(.present(state))
      case .patch:
        guard let patch = step["patches"]?[name] else { return false }
        let known = stores.removeValue(forKey: key)
        var store = try known ?? PassedStore(name, timeline.storeState(name, at: start - 1))
        store.apply(patch)
        guard store.isPresent else { return false }
        stores[key] = store
      case .removal, .unwritten: return false
      }
    }
    return true
  }
}

extension Timeline {
  /// Returns the problems of a step's patches and removals, which show only when they are applied.
  ///
  /// - Throws: ``LogError`` if there is no such step, or if a line cannot be read.
  package func changeFindings(at position: Int) throws(LogError) -> [Finding] {
    try changeProblems(at: position).map { (problem) throws(LogError) in
      try log.finding(problem, at: position)
    }
  }

  /// Returns the problems of a step's removals only.
  ///
  /// Cheap, because few steps remove a feature.
  package func removalFindings(at position: Int) throws(LogError) -> [Finding] {
    guard log.shape(at: position)?.writes.contains(where: { $0.kind == .removal }) == true
    else { return [] }
    return try changeFindings(at: position).filter { finding in
      if case .removalOfAbsentFeature = finding.problem { true } else { false }
    }
  }

  private func changeProblems(at position: Int) throws(LogError) -> [LineProblem] {
    guard let writes = log.shape(at: position)?.writes, !writes.isEmpty else { return [] }
    let rules = log.rules(at: position)
    var problems: [LineProblem] = []
    for (store, kind) in writes.map({ ($0.store, $0.kind) }) {
      // Damage before a step makes it impossible to try its patches.
      let isAbsent =
        kind == .removal && !rules.hidesBefore
        ? try LogError.unlessDamaged { () throws(LogError) in
          try storeState(store, before: position) == .absent
        } == true : false
      let failure =
        rules.effect(of: kind) == .patch
        ? try LogError.unlessDamaged { () throws(LogError) in
          try patchFailure(of: store, at: position)
        } ?? nil : nil
      if let problem = rules.problem(of: kind, to: store, isAbsent: isAbsent) {
        problems.append(problem)
      } else if let failure {
        problems.append(.patchDoesNotApply(store: store, reason: failure))
      }
    }
    return problems
  }
}

extension LogFile {
  /// Makes the finding of a problem with a change of the step at a position.
  package func finding(_ problem: LineProblem, at position: Int) throws(LogError) -> Finding {
    let line = try json(lineText(at: position), at: position)
    return Finding(
      problem: problem, line: lineNumber(at: position) ?? 0, step: number(at: position),
      byte: problem.byteOffset(in: line))
  }
}

extension LineProblem {
  /// Returns the offset in a step's line of the change that the problem is about.
  fileprivate func byteOffset(in line: JSON) -> Int {
    switch self {
    case .patchDoesNotApply(let store, _): line["patches"]?[store]?.byteOffset ?? 0
    case .removalOfAbsentFeature: line["removed"]?.byteOffset ?? 0
    case .unwrittenAfterGap: line["unwritten"]?.byteOffset ?? 0
    default: 0
    }
  }
}

extension Finding {
  /// The finding as JSON: `{"line", "step"?, "byte", "kind", "message"}`.
  public var json: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.member("line", UInt64(line))
      writer.member("step", step)
      writer.member("byte", UInt64(byte))
      writer.member("kind", problem.kind)
      writer.member("message", problem.message)
      writer.endObject()
    })
  }
}
