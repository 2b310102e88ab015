package import FluxCommands
import FluxInspector
import FluxJSON
import FluxLog
package import FluxReplay
import FluxSystem

// What a review shows; all of it is safe for a terminal.
extension Review {
  /// Writes the groups with their logs.
  package static func write(_ groups: [DivergenceGroup], to text: inout TextOutput) throws {
    for group in groups {
      text.write("\(group.number)", .number)
      text.write("  \(group.logs.count.counted("log")): ")
      try text.line(group.sentence, .heading)
      for log in group.logs { try text.line("     \(log)") }
    }
  }

  /// Writes the current item: the group, and the first divergence of the log in it.
  package func write(to text: inout TextOutput) throws {
    let item = items[position]
    try text.endLine()
    text.write(group.sentence, .heading)
    try text.line(
      "  (group \(group.number) of \(groups.count), log \(item.member + 1) of \(group.logs.count))",
      .dim)
    guard let divergence = member.divergences.first else { return }
    try write(divergence, to: &text)
    let more = member.divergences.count - 1
    if more > 0 { try text.line("  and at \(more.counted("other step")); d shows all", .dim) }
    let others = groups.filter { other in
      other.number != group.number && other.logs.contains { $0.hasSameBytes(as: member.log) }
    }
    if !others.isEmpty {
      let numbers = others.map { "\($0.number)" }.joined(separator: ", ")
      try text.line(
        "  also in \(others.count == 1 ? "group" : "groups") \(numbers); it is rewritten if it is accepted in all",
        .dim)
    }
    if group.changesActions {
      try text.line(
        "  a accepts what the app dispatches now: the log is recorded again, from its actions", .dim
      )
    }
  }

  /// Writes all divergences of the current log in its group, each with the differences of the states.
  ///
  /// `states` returns the stores that differ after the step of a divergence.
  package func writeDifferences(
    to text: inout TextOutput, states: (Divergence) throws -> [DifferingState]
  ) throws {
    for divergence in member.divergences {
      try text.endLine()
      try write(divergence, to: &text)
      let states = try states(divergence)
      guard !states.isEmpty else { continue }
      try text.line("  from the recorded state to the replayed one:", .dim)
      for state in states { try text.entries(state.entries) }
    }
  }

  private func write(_ divergence: Divergence, to text: inout TextOutput) throws {
    text.write(divergence.line.map { "\(member.log):\($0)" } ?? member.log, .path)
    if divergence.kind == .initial {
      try text.line(": at start")
    } else {
      try text.line(": step \(divergence.step), \(Excerpt.text(of: divergence.action, limit: 120))")
    }
    for line in divergence.details { try text.line("  \(line)") }
  }

  /// The question about the current log, without the answer: `1/2 one.jsonl, accepted [a,r,…]? `.
  package var question: String {
    let state = decisions[position].map { ", \($0.rawValue)" } ?? ""
    return "\(position + 1)/\(items.count) \(member.log)\(state) [a,r,s,o,d,n,p,A,R,S,N,P,q,?] "
  }

  /// The meaning of each key.
  package static let keys = """
    a  accept: rewrite the log with what the app does now
    r  reject: leave the log as it is
    s  skip: leave it for another time
    o  open the log in a session at the step; quit comes back
    d  show all differences
    n  go to the next log, p to the previous one
    A, R, S  decide for all logs of the group
    N, P  go to the next or previous group
    q  end the review, and rewrite the accepted logs; Ctrl-C ends it and rewrites none

    """
}

extension DifferingState {
  /// The differences as people read them.
  fileprivate var entries: [ReadableDifference.Entry] {
    let path = Pointer(tokens: [store])
    guard let recorded, let replayed else {
      return [.value(ValueChange(path, old: recorded, new: replayed))]
    }
    return ReadableDifference(from: recorded, to: replayed, at: path, keys: [:]).entries
  }
}
