import FluxLog
import Foundation
import Harness

/// Measures opening and searching the log at a path.
///
/// Wall time is what counts, and what other programs disturb; so the processor time is told too.
func indexing(_ path: String) throws -> [Bar] {
  let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  var withoutSidecar = LogFile.Options()
  withoutSidecar.usesSidecar = false
  var steps = 0
  var processor: [Double] = []
  let indexed = try Measurement.measure("open and index", bytes: size, samples: 7) {
    let before = processorSeconds()
    let log = try LogFile.open(path, options: withoutSidecar)
    try log.waitForIndex()
    processor.append(processorSeconds() - before)
    steps = log.count
    precondition(log.findings.isEmpty)
  }
  let memory = peakMemory()
  let nanoseconds = (processor.min() ?? 0) / Double(steps) * 1e9
  print("\(steps) steps of \(size / max(steps, 1)) bytes", indexed, separator: "\n")
  print("processor time of a step, all threads: \(Measurement.rounded(nanoseconds)) ns")
  var bars = [
    Bar("million steps indexed per second", Double(steps) / indexed.median / 1e6, atLeast: 33.3)
  ]
  if let memory {
    print("peak memory after opening: \(memory >> 10) kB, log: \(size >> 10) kB")
    bars.append(Bar("log by peak memory", Double(size) / Double(memory), atLeast: 10))
  }
  print(
    try Measurement.measure("open, first step", samples: 9) {
      try LogFile.open(path, options: withoutSidecar).step(at: 0)
    })
  return try bars + searching(path)
}

/// Measures opening a log that has a sidecar, and the first and the later searches in it.
private func searching(_ path: String) throws -> [Bar] {
  guard try LogFile.open(path).saveIndex() else { preconditionFailure("no sidecar") }
  let opened = try Measurement.measure("open with the sidecar, last step", samples: 9) {
    let log = try LogFile.open(path)
    return try log.step(at: log.count - 1)
  }
  var seconds: [Double] = []
  for _ in 0..<9 {
    let log = try LogFile.open(path)
    let clock = ContinuousClock()
    let start = clock.now
    let found = try log.firstPosition(in: 0..<log.count) { $0 == "todo/undo" }
    seconds.append((clock.now - start) / .seconds(1))
    precondition(found == log.count / 2)
  }
  let first = Measurement(name: "find an action type, at first", seconds: seconds)
  let log = try LogFile.open(path)
  let find = try Measurement.measure("find an action type") {
    try log.firstPosition(in: 0..<log.count) { $0 == "todo/undo" }
  }
  var generator = SeededGenerator(seed: 1)
  let read = try Measurement.measure("read a random step") {
    try log.step(at: Int.random(in: 0..<log.count, using: &generator))
  }
  print(opened, first, find, read, separator: "\n")
  return [
    Bar("openings with the sidecar per 10 ms", 10e-3 / opened.median, atLeast: 1),
    Bar("first finds of a type per 5 ms", 5e-3 / first.median, atLeast: 1),
    Bar("finds of a type per 5 ms", 5e-3 / find.median, atLeast: 1),
  ]
}

/// What all threads of the process have used of the processors so far.
private func processorSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The most bytes of memory that the process has had; nil where the system does not tell.
private func peakMemory() -> Int? {
  guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
    return nil
  }
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }.map { $0 << 10 }
}
