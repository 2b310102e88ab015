import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

/// Reads logs with a line of 32 MB, or of 128 MB if the environment has `FLUX_SOAK`; prints the
/// time and memory that each took.
@Suite(.serialized)
struct HugeLineTests {
  /// The damage to the line of the second of three steps.
  enum Damage: CaseIterable {
    case none
    /// There is a blank that writers do not write; no damage.
    case spaced
    /// A byte in its middle differs from the one that was summed.
    case changed
    /// It consists of zeros, as a file system leaves them after a crash.
    case zeros
    /// The file ends inside it.
    case torn
  }

  private static let byteCount =
    ProcessInfo.processInfo.environment["FLUX_SOAK"] == nil ? 1 << 25 : 1 << 27
  private static let chunk = Data(repeating: UInt8(ascii: "x"), count: 1 << 22)

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A line of many megabytes is read or is one finding", arguments: Damage.allCases)
  func read(damage: Damage) throws {
    let path = folder.path("huge.jsonl")
    try write(path, damage)
    let clock = ContinuousClock()
    let start = clock.now
    let log = try LogFile.opened(path, threads: 2)
    let time = clock.now - start
    print("a line of \(Self.byteCount >> 20) MB, \(damage): \(time), \(try Self.peakMemory())")
    let found = log.findings.map { "line \($0.line), step \($0.step ?? 0): \($0.problem.name)" }
    switch damage {
    case .none, .spaced:
      #expect(found == [])
      #expect(try log.lineText(at: 1).count > Self.byteCount)
    case .changed: #expect(found == ["line 3, step 2: a wrong sum"])
    case .zeros: #expect(found == ["line 3, step 2: no JSON"])
    case .torn: #expect(found == ["line 3, step 2: torn", "line 4, step 0: no end"])
    }
    let numbers = try (0..<log.count).map { try log.step(at: $0).number }
    let isSound = damage == .none || damage == .spaced
    #expect(numbers == (isSound ? [1, 2, 3] : damage == .torn ? [1] : [1, 3]))
  }

  @Test("A pass has the text of a huge line in memory once", arguments: [Damage.none, .spaced])
  func isShared(damage: Damage) throws {
    let path = folder.path("huge.jsonl")
    try write(path, damage)
    let log = try LogFile.opened(path, threads: 1)
    let pass = StepPass(log, 0..<log.count)
    #expect(pass.advance()?.number == 1)
    #expect(pass.advance()?.number == 2)
    let (first, second) = (try pass.lineText(), try pass.lineText())
    #expect(first.count > Self.byteCount)
    let isShared = unsafe first.withUnsafeBytes { first in
      unsafe second.withUnsafeBytes { unsafe first.baseAddress == $0.baseAddress }
    }
    #expect(isShared)
    #expect(try pass.step().number == 2)
    #expect(try pass.time() == 200_000)
    #expect(pass.advance()?.number == 3)
    #expect(pass.advance() == nil)
    #expect(try Timeline(log).check().isEmpty)
  }

  @Test("A pass reads little of the file for a line that is far from the last one")
  func farLine() throws {
    var text = SampleLog.summed(#"{"flux":"1.1","first":1,"stores":{"a":{},"b":{}}}"#)
    for number in 1...4000 {
      let store = number % 2000 == 0 ? "b" : "a"
      text += SampleLog.summed(
        #"{"n":\#(number),"t":1.000000,"action":{"type":"set"},"states":{"\#(store)":\#(number)}}"#)
    }
    let log = try LogFile.opened(try folder.write(text, to: "far.jsonl"))
    try log.waitForIndex()
    let pass = StepPass(log, 0..<4000, shapes: log.names.shapes { $0.kind(of: "b") != nil })
    for number in [1, 2000, 4000] as [UInt64] {
      #expect(pass.advance()?.number == number)
      #expect(try pass.step().number == number)
      #expect(pass.bytes.count <= 1 << 13)
    }
    #expect(pass.advance() == nil)
  }

  /// Writes the log, the line piece by piece.
  private func write(_ path: String, _ damage: Damage) throws {
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: path))
    defer { file.closeFile() }
    func append(_ line: String) throws { try file.write(contentsOf: Data(line.utf8)) }
    try append(SampleLog.summed(SampleLog.header))
    try append(SampleLog.summed(#"{"n":1,"t":0.100000,"action":{"type":"a"}}"#))
    if damage == .zeros {
      // A hole in the file reads as zeros.
      try file.truncate(atOffset: try file.seekToEnd() + UInt64(Self.byteCount))
      try file.seekToEnd()
      try append("\n")
    } else {
      try appendHugeLine(to: file, damage)
    }
    guard damage != .torn else { return }
    try append(SampleLog.summed(#"{"n":3,"t":0.300000,"action":{"type":"a"}}"#))
    try append(SampleLog.summed(#"{"end":{"steps":3,"ok":true}}"#))
  }

  private func appendHugeLine(to file: FileHandle, _ damage: Damage) throws {
    var sum: UInt32 = 0
    func append(_ part: Data, summed: Data? = nil) throws {
      sum = unsafe (summed ?? part).withUnsafeBytes { unsafe CRC32C.checksum($0, after: sum) }
      try file.write(contentsOf: part)
    }
    try append(Data((damage == .spaced ? "{ " : "{").utf8))
    try append(Data(#""n":2,"t":0.200000,"action":{"type":"a","payload":""#.utf8))
    let chunks = Self.byteCount / Self.chunk.count
    for place in 0..<chunks {
      guard damage == .changed, place == chunks / 2 else {
        try append(Self.chunk)
        continue
      }
      var changed = Self.chunk
      changed[1000] = UInt8(ascii: "y")
      try append(changed, summed: Self.chunk)
    }
    guard damage != .torn else { return }
    try append(Data(#""}"#.utf8))
    try file.write(contentsOf: Data(#","sum":"\#(sum.hexDigits)"}"#.utf8 + [0x0A]))
  }

  /// The peak memory of the process, as the system reports it.
  private static func peakMemory() throws -> String {
    let status = "/proc/self/status"
    guard FileManager.default.fileExists(atPath: status) else { return "memory not known" }
    let lines = try String(contentsOfFile: status, encoding: .utf8).split(separator: "\n")
    return lines.first { $0.hasPrefix("VmHWM:") }.map { String($0) } ?? "memory not known"
  }
}

extension LineProblem {
  /// A short form of the findings.
  fileprivate var name: String {
    switch self {
    case .wrongSum: "a wrong sum"
    case .notJSON: "no JSON"
    case .torn: "torn"
    case .noEnd: "no end"
    default: "\(self)"
    }
  }
}
