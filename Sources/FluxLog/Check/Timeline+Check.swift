extension Timeline {
  /// Checks the log by every rule of the format.
  ///
  /// Each line is parsed, and each patch is tried on the state before it; a patch on a store that
  /// is unknown is not. LOG-FORMAT, "What readers must do with bad input".
  ///
  /// - Parameter progress: Called now and then with the steps that are checked, and with all there
  ///   are; what it throws ends the check.
  /// - Returns: What is wrong, and what is worth knowing, in the order of the lines.
  /// - Throws: ``LogError`` where the file cannot be read, and what `progress` throws.
  public func check(
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> [Finding] {
    try log.waitForIndex()
    // The index says the same of lines that it had to parse.
    let isNotSaidAgain: (Finding) -> Bool = { $0.problem != .duplicateNames || $0.step == nil }
    var findings = log.findings.filter(isNotSaidAgain)
    for position in 0..<log.count {
      if position % 1024 == 0 { try progress(position, log.count) }
      findings += try checkStep(at: position)
    }
    try progress(log.count, log.count)
    return findings.sorted { ($0.line, $0.byte) < ($1.line, $1.byte) }
  }

  /// What the index could not see of one step.
  private func checkStep(at position: Int) throws(LogError) -> [Finding] {
    let line = try log.lineNumber(at: position) ?? 0
    let number = log.number(at: position)
    let text = try log.lineText(at: position)
    let json: JSON
    do throws(LineFault) {
      json = try JSON(line: text)
      _ = try LogStep(json)
    } catch {
      return [Finding(problem: error.problem, line: line, step: number, byte: error.byte)]
    }
    var findings: [Finding] = []
    if json.hasDuplicateNames {
      findings.append(Finding(problem: .duplicateNames, line: line, step: number))
    }
    for problem in try changeProblems(at: position) {
      findings.append(
        Finding(problem: problem, line: line, step: number, byte: problem.byteOffset(in: json)))
    }
    return findings
  }
}

extension Timeline {
  /// What is wrong with the patches and the removals of one step, which shows only where they are
  /// applied.
  ///
  /// - Throws: ``LogError`` where there is no such step, or a line cannot be read.
  package func changeFindings(at position: Int) throws(LogError) -> [Finding] {
    let problems = try changeProblems(at: position)
    guard !problems.isEmpty else { return [] }
    let line = try log.lineNumber(at: position) ?? 0
    let json = try json(at: position)
    return problems.map { problem in
      Finding(
        problem: problem, line: line, step: log.number(at: position),
        byte: problem.byteOffset(in: json))
    }
  }

  /// The same of the removals alone, for which hardly any step has to be looked into.
  package func removalFindings(at position: Int) throws(LogError) -> [Finding] {
    guard try log.shape(at: position)?.writes.contains(where: { $0.kind == .removal }) == true
    else { return [] }
    return try changeFindings(at: position).filter { finding in
      if case .removalOfAbsentFeature = finding.problem { true } else { false }
    }
  }

  private func changeProblems(at position: Int) throws(LogError) -> [LineProblem] {
    var problems: [LineProblem] = []
    for write in try log.shape(at: position)?.writes ?? [] {
      switch write.kind {
      case .whole: break
      case .patch:
        guard let reason = try failure(of: write.store, at: position) else { continue }
        problems.append(.patchDoesNotApply(store: write.store, reason: reason))
      case .removal:
        guard try wasAbsent(write.store, before: position) else { continue }
        problems.append(.removalOfAbsentFeature(write.store))
      }
    }
    return problems
  }

  /// Why a patch does not apply; nil also where damage before it keeps it from being tried.
  private func failure(of store: String, at position: Int) throws(LogError) -> String? {
    do throws(LogError) {
      return try patchFailure(of: store, at: position)
    } catch {
      try rethrowUnlessDamage(error)
      return nil
    }
  }

  private func wasAbsent(_ store: String, before position: Int) throws(LogError) -> Bool {
    // The first accepted step after a gap replaces a model that nobody knows.
    do throws(LogError) {
      return try value(.root, of: store, at: position - 1) == .absent && !isHidden(before: position)
    } catch {
      try rethrowUnlessDamage(error)
      return false
    }
  }

  private func isHidden(before position: Int) -> Bool {
    log.breaks.last(atOrBefore: position)?.position == position
  }

  /// A damaged line is a finding of its own, and makes a store unknown.
  private func rethrowUnlessDamage(_ error: LogError) throws(LogError) {
    guard case .damaged = error.reason else { throw error }
  }
}

extension LineProblem {
  /// Where in a step's line the change stands that the problem is about.
  fileprivate func byteOffset(in line: JSON) -> Int {
    switch self {
    case .patchDoesNotApply(let store, _): line["patches"]?[store]?.byteOffset ?? 0
    case .removalOfAbsentFeature: line["removed"]?.byteOffset ?? 0
    default: 0
    }
  }
}
