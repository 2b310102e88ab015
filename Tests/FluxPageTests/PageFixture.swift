import FluxJSON
import FluxLog
import Foundation
import TestFixtures

@testable import FluxPage

/// The recordings of the project, and requests about them.
enum PageFixture {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The names of all recordings.
  static let names: [String] = {
    let folder = root.appending(path: "Recordings").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".jsonl") }.sorted()
  }()

  static func path(_ name: String) -> String { root.appending(path: "Recordings/\(name)").path }

  static func log(_ name: String) throws -> PageLog {
    let log = try LogFile.open(path(name))
    try log.waitForIndex()
    return PageLog(log)
  }
}

extension PageLog {
  /// Answers a request, in any time.
  func ask(
    _ name: String, _ request: String = "{}", patience: Duration = .seconds(60)
  ) throws -> JSON {
    let bytes = try answer(name, try JSON.parse(request), PageSetting(), patience: patience)
    return try JSON.parse(bytes ?? Array("null".utf8))
  }

  /// Asks again with `next` until the answer is complete; returns all answers.
  func askAll(
    _ name: String, _ request: String, patience: Duration = .zero
  ) throws -> [JSON] {
    var answers: [JSON] = []
    var next = ""
    repeat {
      let answer = try ask(name, "{\(request)\(next)}", patience: patience)
      answers.append(answer)
      next = answer["next"].map { ",\"next\":\($0.text)" } ?? ""
    } while !next.isEmpty && answers.count < 10_000
    return answers
  }
}
