import FluxLog

/// A file that a command made: `{"file","format"?,"steps"}`, or `"actions"` in the place of steps.
struct WrittenFileAnswer: Answer {
  /// What the file has.
  enum Content {
    /// So many steps of a branch, as a log of their own.
    case branch(steps: Int)
    /// So many steps in a form for other tools.
    case export(ExportFormat, steps: Int)
    /// A test that dispatches so many actions.
    case test(actions: Int)
  }

  let path: String
  let content: Content

  init(_ content: Content, path: String) {
    self.path = path
    self.content = content
  }

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.member("file", path)
    switch content {
    case .branch(let steps):
      json.writer.member("steps", UInt64(steps))
    case .export(let format, let steps):
      json.writer.member("format", format.rawValue)
      json.writer.member("steps", UInt64(steps))
    case .test(let actions):
      json.writer.member("actions", UInt64(actions))
    }
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    switch content {
    case .branch(let steps): try text.line("\(steps.counted("step")) saved to \(path)")
    case .export(_, let steps): try text.line("\(steps.counted("step")) exported to \(path)")
    case .test(let actions):
      try text.line("a test of \(actions.counted("action")) written to \(path)")
    }
  }
}
