import FluxLog

/// `diff A B`: what differs between two logs: their actions, and the first state that differs
/// although the actions were the same.
package struct CompareScript: Script {
  private let left: String
  private let right: String

  /// Makes the script.
  package init(_ left: String, _ right: String) {
    self.left = left
    self.right = right
  }

  package func perform(with services: Services, to output: inout ScriptOutput) throws -> Int32 {
    let left = try Session.opened(left, with: services)
    let right = try Session.opened(right, with: services)
    for session in [left, right] where try session.isDamaged {
      try output.note("\(session.log.path) is damaged: its usable steps are compared")
    }
    for session in [left, right] { try output.note(ofTornEnd: session.log) }
    let alignment = try LogAlignment(left, right)
    var comparison = StateComparison(left, right)
    let state = try comparison.firstDifference(along: alignment)
    let answer = LogDifferenceAnswer(
      left: left.timeline, right: right.timeline, actions: alignment.differences, state: state,
      halfKnown: comparison.halfKnown)
    try output.write(answer)
    return answer.exitCode
  }
}
