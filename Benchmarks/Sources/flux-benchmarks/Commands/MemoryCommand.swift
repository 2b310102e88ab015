import ArgumentParser
import Foundation

/// Does one piece of work in this process, and writes what it took as JSON.
struct MemoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "memory", abstract: "Does work, and writes its time and peak of memory.",
    shouldDisplay: false)

  @Argument var task: MemoryTask
  @Argument var path: String
  @Argument var numbers: [Int] = []

  func run() throws {
    let cost = try task.run(URL(filePath: path), numbers)
    try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(cost))
  }
}

extension MemoryTask: ExpressibleByArgument {}
