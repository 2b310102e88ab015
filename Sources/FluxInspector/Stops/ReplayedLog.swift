import FluxLog
import FluxReplay

/// What replaying a whole log has shown, by the positions of its steps.
struct ReplayedLog: Sendable {
  /// What was found at a step.
  enum Finding: Sendable, Equatable {
    /// Its replay differs from the record.
    case divergence(Divergence)
    /// The app fails there, so that nothing is known of what comes after it.
    case failure(ReplayFailure)
  }

  /// How many steps the log had: one that is still being written has more by now.
  let stepCount: Int
  /// How many seconds the app could take over a call; nil for as long as it liked.
  let timeout: Double?
  /// The first finding at each position that has one.
  let findings: [Int: Finding]

  /// Sorts what a replay has shown; a failure without a step is not among the findings.
  init(
    _ divergences: [Divergence], _ failure: ReplayFailure?, in log: LogFile, timeout: Double?
  ) {
    var findings: [Int: Finding] = [:]
    func add(_ finding: Finding, at step: UInt64) {
      guard let position = log.position(atOrBefore: step), findings[position] == nil else { return }
      findings[position] = finding
    }
    for divergence in divergences { add(.divergence(divergence), at: divergence.step) }
    if let failure, let step = failure.step { add(.failure(failure), at: step) }
    stepCount = log.count
    self.timeout = timeout
    self.findings = findings
  }
}

extension ReplayedLog.Finding {
  /// What there is to say of it, for people.
  var lines: [String] {
    switch self {
    case .divergence(let divergence): divergence.details
    case .failure(let failure): failure.description.split(separator: "\n").map(String.init)
    }
  }

  /// Writes it as a member: `"divergence":{…}` or `"failure":"…"`.
  func write(to writer: inout JSONWriter) {
    switch self {
    case .divergence(let divergence):
      writer.name("divergence")
      writer.raw(divergence.json)
    case .failure(let failure): writer.member("failure", failure.description)
    }
  }
}
