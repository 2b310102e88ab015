import FluxCore
import Foundation
import Inputs

/// What an app's author writes in an afternoon: a line with the action and the whole state for each step.
final class HandWrittenRecorder: Middleware, @unchecked Sendable {
  // Sendable: middleware runs in the dispatcher's one turn.
  private struct Line: Encodable {
    let step: UInt64
    let time: Date
    let action: TodoAction
    let state: TodoStore.Todos
  }

  private let file: FileHandle
  private let encoder = JSONEncoder()
  private(set) var failure: (any Error)?

  init(path: String) throws {
    try Data().write(to: URL(filePath: path))
    file = try FileHandle(forWritingTo: URL(filePath: path))
  }

  func didDispatch(_ step: CompletedStep) {
    guard let action = step.envelope.action as? TodoAction else { return }
    let line = Line(
      step: step.envelope.step, time: step.envelope.time, action: action,
      state: step.model[TodoStore.self])
    do {
      var bytes = try encoder.encode(line)
      bytes.append(UInt8(ascii: "\n"))
      try file.write(contentsOf: bytes)
    } catch {
      failure = error
    }
  }

  func close() throws {
    if let failure { throw failure }
    try file.close()
  }
}
