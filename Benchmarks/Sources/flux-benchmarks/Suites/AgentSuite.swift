import Foundation
import Harness
import Inputs

/// `flux-inspect mcp` on a log of many small steps, asked over its standard streams as a coding agent's client asks it.
func agentSuite(_ conditions: Conditions) -> Suite {
  let steps = conditions.scale(1_000_000, quick: 100_000)
  let url = Prepared {
    try conditions.file("counters-\(steps).jsonl") { try CounterLog.write(to: $0, steps: steps) }
  }
  let server = Prepared { try AgentServer(url.value()) }
  let size = "\(Readable.grouped(steps)) steps"
  let questions: [(tool: String, arguments: (_ step: Int) -> String)] = [
    ("overview", { _ in "" }), ("steps", { #","from":\#($0)"# }), ("step", { #","n":\#($0)"# }),
    ("state", { #","n":\#($0)"# }), ("diff", { #","from":\#($0 / 2),"to":\#($0)"# }),
    ("why", { #","n":\#($0)"# }), ("who_wrote", { #","n":\#($0),"path":"counter.value""# }),
    ("values", { _ in #","path":"counter.value""# }),
  ]
  let answers = questions.map { question in
    Figure(
      "answer of \(question.tool)", in: .milliseconds, on: .all,
      // Finding what a step caused takes a pass over all later steps.
      target: question.tool == "why" ? nil : .atMost(20_000_000, .multiplication)
    ) {
      let server = try server.value()
      var random = SeededGenerator(seed: conditions.seed)
      return Contest(
        .timed(rounds: conditions.scale(5, quick: 3)) {
          try (0..<20).map { _ in
            let step = Int.random(in: 1...steps, using: &random)
            return try Stopwatch.lap {
              try server.ask(question.tool, arguments: question.arguments(step))
            }
          }
        }, on: size)
    }
  }
  return Suite(
    "agent",
    answers + [
      Figure("peak memory of the server", in: .megabytes, target: .timesRival(0.8)) {
        Contest(
          .counted {
            let server = try AgentServer(url.value())
            for question in questions {
              try server.ask(question.tool, arguments: question.arguments(steps / 2))
            }
            return [try server.peakMemory()]
          }, on: size,
          beside: [
            Rival(
              "the index alone",
              .counted {
                [Double(try MemoryTask.index.inOwnProcess(url.value()).peak ?? 0) / 1e6]
              })
          ])
      }
    ])
}

/// A server in a separate process, and its standard streams.
private final class AgentServer {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())
  private let log: String
  private var answers = Data()
  private var id = 0

  init(_ log: URL) throws {
    self.log = log.lastPathComponent
    process.executableURL = try ExternalProgram.inspector().url
    process.arguments = ["mcp", log.filePath]
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    // The first question waits for the index.
    try ask("overview", arguments: "")
  }

  deinit { input.fileHandleForWriting.closeFile() }

  /// Calls a tool, and waits for its answer.
  func ask(_ tool: String, arguments: String) throws {
    id += 1
    let request =
      #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","#
      + #""arguments":{"log":"\#(log)"\#(arguments)}}}"# + "\n"
    try input.fileHandleForWriting.write(contentsOf: Data(request.utf8))
    let line = try readLine()
    guard line.range(of: Data(#""structuredContent""#.utf8)) != nil else {
      throw ExternalProgram.Failure(
        description: "\(tool): \(String(decoding: line.prefix(500), as: UTF8.self))")
    }
  }

  private func readLine() throws -> Data {
    while true {
      if let end = answers.firstIndex(of: UInt8(ascii: "\n")) {
        let line = answers[..<end]
        answers.removeSubrange(...end)
        return line
      }
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else {
        throw ExternalProgram.Failure(description: "flux-inspect mcp ended")
      }
      answers += data
    }
  }

  /// The most megabytes of memory that the process has had.
  func peakMemory() throws -> Double {
    let status = try String(
      contentsOf: URL(filePath: "/proc/\(process.processIdentifier)/status"), encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let kilobytes = line?.split(separator: " ").compactMap({ Double($0) }).first else {
      throw ExternalProgram.Failure(description: "the system does not tell the memory of a process")
    }
    return kilobytes * 1024 / 1e6
  }
}
