import Foundation
import TestFixtures
import Testing

@testable import FluxLog

/// Damages the sample log in every way; the result must be correct or a typed error.
@Suite struct FaultTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Opens a damaged log; returns `nil` if opening throws a typed error.
  private func read(_ bytes: some Sequence<UInt8>) throws -> LogFile? {
    let path = try folder.replace("damaged.jsonl", with: bytes)
    let result = Result { () throws(LogError) in
      let log = try LogFile.open(path)
      try log.waitForIndex()
      return log
    }
    switch result {
    case .success(let log): return log
    case .failure(let error):
      #expect(error.line == 1, "\(error)")
      return nil
    }
  }

  /// Expects every step that is read to be the recorded one, and a finding for every other step.
  private func checkSteps(of log: LogFile, _ comment: Comment) {
    let (steps, errors) = log.allSteps()
    #expect(errors == [], comment)
    for step in steps { #expect(step == SampleLog.steps[step.number], comment) }
    for finding in log.findings {
      #expect(finding.line >= 1 && finding.line <= 14 && finding.byte >= 0, comment)
    }
  }

  @Test("Every prefix of a log is read to its end")
  func prefixes() throws {
    let bytes = Array(SampleLog.text.utf8)
    let lines = Set(SampleLog.lines.map(SampleLog.summed))
    let headerCount = SampleLog.summed(SampleLog.header).utf8.count
    for end in 0..<bytes.count {
      guard let log = try read(bytes[..<end]) else {
        #expect(end < headerCount - 1)
        continue
      }
      checkSteps(of: log, "cut at \(end)")
      let whole = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n")
        .filter { $0.hasPrefix(#"{"n""#) && lines.contains($0 + "\n") }
      #expect(log.count == whole.count, "cut at \(end)")
      // A torn last line is a note, not damage.
      #expect(log.findings.allSatisfy { $0.problem.severity == .note }, "cut at \(end)")
      let isBetweenLines = bytes[end - 1] == 0x0A || bytes[end] == 0x0A
      #expect(log.isTorn == !isBetweenLines, "cut at \(end)")
    }
  }

  /// Flips one bit of each byte; all bits if the environment has `FLUX_SOAK`.
  private static let bitsOfByte =
    ProcessInfo.processInfo.environment["FLUX_SOAK"] == nil ? 1 : 8

  @Test("Every flipped bit is detected, and no step is read wrong")
  func flips() throws {
    let bytes = Array(SampleLog.text.utf8)
    let sums = SampleLog.placesOfSums
    for place in bytes.indices {
      for offset in 0..<Self.bitsOfByte {
        let bit = (place + offset) % 8
        var damaged = bytes
        damaged[place] ^= 1 << bit
        guard let log = try read(damaged) else { continue }
        checkSteps(of: log, "byte \(place), bit \(bit)")
        let isNoticed = log.findings.contains { $0.problem.isDamage || $0.problem == .torn }
        // The name of the sum, and the case of its digits, can change without changing the content.
        #expect(isNoticed || sums.contains(place) && log.count == 7, "byte \(place), bit \(bit)")
      }
    }
  }

  @Test("A line of any kind with the correct sum of a different text is detected")
  func sumsOfOthers() throws {
    for place in SampleLog.lines.indices {
      var lines = SampleLog.lines.map(SampleLog.summed)
      // A well-formed sum of a different line.
      let other = lines[(place + 1) % lines.count].suffix(11)
      lines[place].replaceSubrange(
        lines[place].index(lines[place].endIndex, offsetBy: -11)..., with: other)
      guard let log = try read(lines.joined().utf8) else {
        #expect(place == 0)
        continue
      }
      #expect(
        log.findings.filter { $0.problem.isDamage }.map(\.line).first == place + 1,
        "line \(place + 1)")
    }
  }

  @Test("Every dropped line with a number is detected")
  func dropped() throws {
    for place in SampleLog.lines.indices {
      var lines = SampleLog.lines.map(SampleLog.summed)
      let line = lines.remove(at: place)
      guard let log = try read(lines.joined().utf8) else {
        #expect(place == 0)
        continue
      }
      checkSteps(of: log, "line \(place + 1) dropped")
      let findings = log.findings.filter { $0.problem.isDamage }
      let hasNumber = line.hasPrefix(#"{"n""#) || line.hasPrefix(#"{"gap""#)
      #expect(findings.count == (hasNumber ? 1 : 0), "line \(place + 1) dropped: \(findings)")
    }
  }

  @Test("Every duplicated line with a number is one finding")
  func doubled() throws {
    for place in SampleLog.lines.indices {
      var lines = SampleLog.lines.map(SampleLog.summed)
      lines.insert(lines[place], at: place)
      let log = try #require(try read(lines.joined().utf8))
      checkSteps(of: log, "line \(place + 1) doubled")
      let findings = log.findings.filter { $0.problem.isDamage }
      let line = lines[place]
      let isHarmless = line.hasPrefix(#"{"mark""#) || line.hasPrefix(#"{"future""#)
      #expect(findings.map(\.line) == (isHarmless ? [] : [place + 2]), "line \(place + 1) doubled")
    }
  }

  @Test("Swapped lines are detected")
  func swapped() throws {
    for place in SampleLog.lines.indices.dropLast() {
      var lines = SampleLog.lines.map(SampleLog.summed)
      lines.swapAt(place, place + 1)
      guard let log = try read(lines.joined().utf8) else {
        #expect(place == 0)
        continue
      }
      checkSteps(of: log, "lines \(place + 1) and \(place + 2) swapped")
      let isHarmless = [lines[place], lines[place + 1]].contains {
        $0.hasPrefix(#"{"mark""#) || $0.hasPrefix(#"{"future""#)
      }
      let isNoticed = log.findings.contains { $0.problem.isDamage }
      #expect(isNoticed != isHarmless, "lines \(place + 1) and \(place + 2) swapped")
    }
  }
}
