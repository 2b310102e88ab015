import FluxLog

/// A stop point that a move reached.
struct StopHit: Sendable {
  let point: StopPoint
  /// What the path of a watchpoint selected before the step; nil where that is not known.
  var old: [QueryNode]?
  /// What it selects after the step.
  var new: [QueryNode]?
  /// What the replay has shown at the step, for a catchpoint of divergences.
  var finding: ReplayedLog.Finding?
}

extension StopHit {
  func write(to text: inout TextOutput) throws {
    text.write("\(point.kindName) \(point.number)", .heading)
    text.write(": \(point.subject)")
    try text.line(point.isTemporary ? ", now deleted" : "")
    for line in finding?.lines ?? [] { try text.line("  \(line)") }
    guard case .watchpoint(let path) = point.kind else { return }
    try text.line("  old: \(Self.description(old, of: path))", .removed)
    try text.line("  new: \(Self.description(new, of: path))", .added)
  }

  private static func description(_ nodes: [QueryNode]?, of path: Path) -> String {
    guard let nodes else { return "not known" }
    guard let first = nodes.first else { return "nothing" }
    if path.isSingular { return first.value.description.shortened }
    return nodes.map { "\($0.location.shorthand) = \($0.value)" }.joined(separator: ", ").shortened
  }
}
