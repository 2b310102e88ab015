import FluxLog
import FluxRecorder
import FluxReplay
import Foundation

extension ReplayExpectation {
  /// Writes a recording anew that replays otherwise: the same actions at the same times, and what
  /// they lead to now, follow-ups included.
  ///
  /// - Returns: Nothing, or why it stays as it is.
  func update(_ url: URL, _ problem: Problem) async throws -> [String] {
    let log = try open(url)
    try log.waitForIndex()
    if let obstacle = obstacle(to: log) {
      return ["\(problem.text)\nIt cannot be updated: \(obstacle); record it anew."]
    }
    let draft = FileManager.default.temporaryDirectory
      .appending(path: "flux-update-\(UUID().uuidString).jsonl")
    defer { remove(draft) }
    do {
      let branch = try replayer.redispatch(0..<log.count, of: Timeline(log))
      try branch.save(to: draft.path, log: UUID().uuidString.lowercased())
    } catch {
      return ["\(problem.text)\nIt cannot be updated: \(error)"]
    }
    if let again = try await self.problem(with: draft) {
      return [
        "\(problem.text)\nIt cannot be updated, as what was written does not replay either:\n\(again.text)"
      ]
    }
    try Data(contentsOf: draft).write(to: url, options: .atomic)
    settings.say("updated \(url.path)")
    return []
  }

  /// What a recording has that would be lost.
  ///
  /// One that was not ended may go on in the file of its actions in flight.
  private func obstacle(to log: LogFile) -> String? {
    if let finding = log.findings.first { return "\(finding)" }
    if log.unknownLineCount > 0 { return "it has lines of an unknown kind" }
    if !log.header.redacted.isEmpty { return "its redacted values are not known" }
    if !log.gaps.isEmpty { return "steps are missing from it" }
    if !log.marks.isEmpty { return "its marks would be lost" }
    return nil
  }

  private func remove(_ draft: URL) {
    guard FileManager.default.fileExists(atPath: draft.path) else { return }
    do {
      try FileManager.default.removeItem(at: draft)
    } catch {
      settings.say("cannot remove \(draft.path): \(error)")
    }
  }
}
