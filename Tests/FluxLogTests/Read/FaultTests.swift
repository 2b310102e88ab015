import Foundation
import TestFixtures
import Testing

@testable import FluxLog

/// Damages the sample log in every way, and wants an answer or a typed error, never a wrong one.
@Suite struct FaultTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What a damaged log gave: nil where it was refused as a whole, by a typed error.
  private func read(_ bytes: some Sequence<UInt8>) throws -> LogFile? {
    let path = try folder.write(bytes, to: "damaged.jsonl")
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

  /// Every step that is given is the one that was written; where one is not, a finding says so.
  private func checkSteps(of log: LogFile, _ comment: Comment) {
    let (steps, errors) = log.allSteps()
    #expect(errors == [], comment)
    for step in steps { #expect(step == SampleLog.steps[step.number], comment) }
    for finding in log.findings {
      #expect(finding.line >= 1 && finding.line <= 14 && finding.byte >= 0, comment)
    }
  }

  @Test("Every prefix of a log is read as far as it goes")
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
      // A torn end is a note; it is never damage.
      #expect(log.findings.allSatisfy { $0.problem.severity == .note }, "cut at \(end)")
      let isBetweenLines = bytes[end - 1] == 0x0A || bytes[end] == 0x0A
      #expect(log.isTorn == !isBetweenLines, "cut at \(end)")
    }
  }

  /// One bit of each byte; all of them where the environment has `FLUX_SOAK`.
  private static let bitsOfByte =
    ProcessInfo.processInfo.environment["FLUX_SOAK"] == nil ? 1 : 8

  @Test("Every bit that is changed is found, and no step is read wrong")
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
        // A sum can lose its name, and its digits can become capitals: all that it is of is as it was.
        #expect(isNoticed || sums.contains(place) && log.count == 7, "byte \(place), bit \(bit)")
      }
    }
  }

  @Test("A right sum of another text is found on lines of every kind")
  func sumsOfOthers() throws {
    for place in SampleLog.lines.indices {
      var lines = SampleLog.lines.map(SampleLog.summed)
      // A sum of ten digits less: that of another line, well formed.
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

  @Test("Every line that is dropped is found, where it had a number")
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

  @Test("Every line that is doubled is one finding, where it had a number")
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

  @Test("Lines that change places are found")
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
