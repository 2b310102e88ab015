import FluxLog

extension LogFile {
  /// A step and what led to it, up to the action that came from outside, or to a step that is not in
  /// the log.
  func chain(from step: LogStep) throws(LogError) -> [Divergence.Link] {
    var chain = [Divergence.Link(number: step.number, type: step.type)]
    var last = step
    // A cause that is not earlier is damage, and could lead in circles.
    while let cause = last.cause, cause < last.number {
      guard let position = position(atOrBefore: cause), number(at: position) == cause else { break }
      last = try self.step(at: position)
      chain.append(Divergence.Link(number: last.number, type: last.type))
    }
    return chain
  }
}
