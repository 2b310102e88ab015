import FluxInspector
import FluxLog

/// The code of the pages about FluxInspector and FluxLog, which must compile.
private enum LogPages {
  static func command(_ results: ByteSink, _ diagnostics: ByteSink) throws {
    var session = Session(try LogFile.open("todo.jsonl"))
    guard let output = session.run("goto todo/add#3") else { return }
    try session.settings.format.format().write(output, to: results, diagnostics: diagnostics)
  }

  static func model() throws {
    let log = try LogFile.open("todo.jsonl")
    try log.waitForIndex()
    let timeline = Timeline(log)
    print(try timeline.model(at: timeline.end))
  }
}
