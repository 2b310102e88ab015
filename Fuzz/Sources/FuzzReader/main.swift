import FluxJSON
import FluxLog
import FuzzInput

/// Opens any bytes as a log, and asks it everything.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // libFuzzer owns the bytes until this returns.
  file.write(logText(of: unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))))
  do throws(LogError) {
    try check(try open())
  } catch {
    precondition(!error.message.isEmpty, "\(error)")
  }
  return 0
}

private let file = InputFile(".jsonl")

private func open() throws(LogError) -> LogFile {
  var options = LogFile.Options()
  options.threads = 1
  let log = try LogFile.open(file.path, options: options)
  try log.waitForIndex()
  return log
}

private func check(_ log: LogFile) throws(LogError) {
  for finding in log.findings {
    precondition(finding.line >= 1 && finding.byte >= 0 && !finding.description.isEmpty)
  }
  precondition(log.breaks.allSatisfy { (0...log.count).contains($0.position) })
  var last: UInt64?
  for position in 0..<log.count {
    guard let number = log.number(at: position) else { preconditionFailure("no number") }
    precondition(last.map { $0 < number } ?? true, "numbers do not ascend")
    precondition(log.position(atOrBefore: number) == position, "a number has another position")
    last = number
    try checkStep(log, position, number)
  }
  for store in log.storeNames {
    let write = log.position(in: 0..<log.count, .backwards) { $0.kind(of: store) != nil }
    guard let write, let shape = log.shape(at: write) else { continue }
    precondition(shape.writes.contains { $0.store == store }, "a write that is none")
  }
  let isLonger = try log.refresh()
  precondition(!isLonger, "the file did not change")
}

private func checkStep(_ log: LogFile, _ position: Int, _ number: UInt64) throws(LogError) {
  let step: LogStep
  do throws(LogError) {
    step = try log.step(at: position)
  } catch {
    // A right sum around what is no step: found when the step is asked for.
    precondition(error.step == number && error.line != nil, "\(error)")
    return
  }
  precondition(step.number == number, "another step")
  guard !step.action.hasDuplicateNames else { return }
  let type = log.type(at: position)
  precondition(type == step.type, "another type")
  let shape = log.shape(at: position)
  precondition(shape?.isRejected == (step.rejection != nil), "rejected or not")
  precondition(shape?.writes.map(\.store) == step.changed, "other stores")
}
