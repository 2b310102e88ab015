import FluxLog
import Foundation
import FuzzInput

/// Opens the log, asks it everything, and goes on with what is appended to it.
func ask(appending: Bool) {
  do {
    var options = LogFile.Options()
    options.threads = 1
    let opened = try LogFile.open(log.path, options: options)
    try opened.waitForIndex()
    try ask(opened)
    guard appending else { return }
    log.write(text + summed(#"{"n":13,"t":0.6,"action":{"type":"y"},"states":{"b":2}}"#.utf8))
    try opened.refresh()
    try ask(opened)
  } catch let error as LogError {
    precondition(!error.message.isEmpty)
  } catch {
    preconditionFailure("nothing throws this: \(error)")
  }
}

private func ask(_ log: LogFile) throws {
  precondition(log.count >= 0 && log.findings.allSatisfy { !$0.description.isEmpty })
  _ = (log.gaps, log.marks, log.breaks, log.end, log.unknownLineCount, log.storeNames)
  let positions = 0..<min(log.count, 40)
  answers {
    _ = try log.typeCounts()
    _ = try log.position(ofRank: 2, in: 0..<log.count) { $0 == "x" }
    _ = try log.firstPosition(in: 0..<log.count, shapeWhere: \.isRejected)
    for store in log.storeNames.prefix(8) {
      _ = try log.lastPosition(in: 0..<log.count, shapeWhere: { $0.kind(of: store) != nil })
    }
  }
  for position in positions {
    answers {
      guard let number = log.number(at: position) else { return }
      _ = log.position(atOrBefore: number)
      _ = try (log.type(at: position), log.shape(at: position), log.lineNumber(at: position))
      _ = try log.step(at: position)
    }
  }
  answers { _ = try log.position(atOrBefore: LogTime(microseconds: 300_000)) }
  askTimeline(Timeline(log), positions)
}

private func askTimeline(_ timeline: Timeline, _ positions: Range<Int>) {
  for position in positions {
    answers { _ = try timeline.model(at: position) }
    answers { _ = try (timeline.baseline(of: position), timeline.changedStores(at: position)) }
    answers { _ = try timeline.line(at: position, withModel: true) }
  }
  guard timeline.log.count <= positions.count else { return }
  answers { _ = try timeline.check() }
}

/// Asks: what comes is an answer, or a ``LogError`` that says why there is none.
private func answers(_ question: () throws -> Void) {
  do {
    try question()
  } catch let error as LogError {
    precondition(!error.message.isEmpty)
  } catch {
    preconditionFailure("nothing throws this: \(error)")
  }
}
