import FluxInspector
import FluxJSON
import FluxLog

/// The code of the pages about FluxInspector and FluxLog, which must compile.
private enum LogPages {
  static func command(_ results: ByteSink, _ diagnostics: ByteSink) throws {
    var console = Console(Session(try LogFile.open("todo.jsonl")))
    guard let output = console.run("goto todo/add#3") else { return }
    try console.settings.format.format().write(output, to: results, diagnostics: diagnostics)
  }

  static func session() throws {
    var session = Session(try LogFile.open("todo.jsonl"))
    let move = try session.move(to: .occurrence(Glob("todo/add"), 3))
    for change in try session.difference().changes { print(change.path) }
    let json = try LogEncoder(order: .declaration).encode(move)
    print(json)
  }

  static func model() throws {
    let log = try LogFile.open("todo.jsonl")
    try log.waitForIndex()
    let timeline = Timeline(log)
    print(try timeline.model(at: timeline.end))
  }
}
