import Foundation
import Harness

/// Counts the instructions of a program's hot paths.
struct Valgrind {
  private let valgrind: ExternalProgram
  private let program: ExternalProgram
  private let programURL: URL

  /// Finds what is needed; nil where valgrind is not installed.
  init?() throws {
    guard let valgrind = ExternalProgram("valgrind") else { return nil }
    self.valgrind = valgrind
    programURL = try ExternalProgram.own().url.deletingLastPathComponent().appending(
      path: "hot-paths")
    program = ExternalProgram(name: "hot-paths", url: programURL)
  }

  /// The names of the paths, and how often each is run.
  func paths() throws -> [(name: String, runs: Int)] {
    let lines = String(decoding: try program.run([]), as: UTF8.self).split(separator: "\n")
    return lines.compactMap { line in
      let parts = line.split(separator: "\t", maxSplits: 1)
      guard parts.count == 2, let runs = Int(parts[0]) else { return nil }
      return (String(parts[1]), runs)
    }
  }

  /// How many instructions one run takes, of all threads together.
  func count(_ path: (name: String, runs: Int)) throws -> Int {
    let few = try instructions(of: path.name, runs: path.runs)
    let many = try instructions(of: path.name, runs: 2 * path.runs)
    return (many - few) / path.runs
  }

  private func instructions(of name: String, runs: Int) throws -> Int {
    let said = try valgrind.run(
      [
        // Threads take turns in the same order each time.
        "--tool=callgrind", "--fair-sched=yes", "--callgrind-out-file=/dev/null",
        programURL.filePath, name,
        "\(runs)",
      ], environment: Self.environment
    ).messages
    guard
      let line = said.split(separator: "\n").first(where: { $0.contains("Collected :") }),
      let count = line.split(separator: " ").last.flatMap({ Int($0) })
    else { throw ExternalProgram.Failure(description: "valgrind counted nothing:\n\(said)") }
    return count
  }

  /// What keeps the counts from depending on chance and on the processor: dictionaries hash the same way in each
  /// run, and the C library takes the copying functions that every processor has.
  private static let environment = [
    "SWIFT_DETERMINISTIC_HASHING": "1",
    "GLIBC_TUNABLES":
      "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-AVX_Fast_Unaligned_Load,-BMI2,-ERMS,-FSRM,-SSE4_2,-SSE4_1,-SSSE3"
      + ":glibc.cpu.x86_non_temporal_threshold=0xc0000:glibc.cpu.x86_rep_movsb_threshold=0x1000",
  ]
}
