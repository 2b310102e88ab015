import ArgumentParser
import Foundation
import Harness

/// Counts the instructions of the hot paths, and compares them with those that are kept.
struct InstructionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "instructions",
    abstract: "Counts the instructions of the hot paths; fails where one grew by more than 5 %.")

  @Argument(help: "The file that the counts are kept in.") var file: String
  @Flag(help: "Keeps the counts of now.") var update = false

  func run() throws {
    guard let valgrind = try Valgrind() else {
      print("skipped: valgrind is not installed, and nothing else counts instructions")
      return
    }
    let paths = try valgrind.paths()
    var counted = InstructionCounts(
      machine: "\(Machine.current.kind)",
      paths: try paths.map { ($0.name, try valgrind.count($0)) })
    let url = URL(filePath: file)
    guard !update else {
      try Data(counted.text.utf8).write(to: url)
      print(counted.text, terminator: "")
      return
    }
    let kept = try InstructionCounts(text: String(contentsOf: url, encoding: .utf8))
    var growth = InstructionGrowth(kept: kept, counted: counted)
    // Threads that meet at other places take some instructions more or fewer, up to a tenth for the index. What seems to
    // have grown is counted twice more, and the smallest count stands.
    for path in paths where kept.machine == counted.machine && growth.failures.contains(path.name) {
      let again = try min(valgrind.count(path), valgrind.count(path))
      for place in counted.paths.indices where counted.paths[place].name == path.name {
        counted.paths[place].count = min(counted.paths[place].count, again)
      }
    }
    growth = InstructionGrowth(kept: kept, counted: counted)
    print(growth.table.text, terminator: "")
    guard kept.machine == counted.machine else {
      print(
        "not compared: the counts that are kept are of \(kept.machine), these of \(counted.machine)"
      )
      return
    }
    guard growth.failures.isEmpty else {
      print(
        """
        grown by more than 5 %, or not in both: \(growth.failures.joined(separator: ", "))
        make bench-check UPDATE=1 keeps the counts of now
        """)
      throw ExitCode(1)
    }
  }
}
