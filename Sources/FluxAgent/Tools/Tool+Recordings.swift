import FluxInspector
import FluxJSON
import FluxLog

extension Tool {
  static let recordings = Tool(
    "recordings", "List recordings",
    about: "Lists the logs that can be opened, the newest first. Begin here to learn the names.",
    example: [:]
  ) { (arguments: RecordingsArguments, context, extras) in
    let entries = try context.library.entries(in: arguments.folder, for: context.call)
    let start = min(try context.cursors.index(arguments.cursor) ?? 0, entries.count)
    var page = Page(room: context.call.frame.room)
    for (index, entry) in entries.enumerated().dropFirst(start) {
      context.call.report("reading logs", index, of: entries.count)
      guard page.rows.isEmpty || !context.call.isStopped else {
        extras.notes.append("the time of the call is over; these are the logs so far")
        extras.cursor = context.cursors.text(index)
        break
      }
      let row = try LogEncoder(order: .declaration).encode(RecordingRow(entry, context))
      guard page.append(row) else {
        extras.cursor = context.cursors.text(index)
        break
      }
    }
    return RecordingsAnswer(count: entries.count, recordings: page.rows)
  }
}

private struct RecordingsArguments: Described {
  let folder: String?
  let cursor: String?

  static let about: KeyValuePairs = [
    "folder": "Only the logs in this folder, as it stands in their names",
    "cursor": "The cursor of an earlier answer",
  ]
}

private struct RecordingsAnswer: Described {
  let count: Int
  let recordings: [VerbatimJSON]

  static let about: KeyValuePairs = [
    "count": "The number of logs, on all pages",
    "recordings":
      "{log, app?, steps, closed, crashed?, verdict?, problem?}: closed is false if the recording was cut off; "
      + "verdict is that of verify in this server",
  ]
}

/// A row of `recordings`.
private struct RecordingRow: Encodable {
  let log: String
  var app: String?
  var created: String?
  var steps: Int?
  var closed: Bool?
  var crashed: Bool?
  var verdict: String?
  var problem: String?

  init(_ entry: LogLibrary.Entry, _ context: ToolContext) {
    log = entry.name
    do {
      let known = try context.library.known(entry)
      let file = try known?.timeline.log ?? context.library.world.open(entry.path)
      let call = context.call
      try file.waitForIndex { if call.isStopped { throw TimeOut() } }
      let information = Information(file)
      app = information.appTitle
      created = information.created.value
      steps = information.steps
      closed = information.isClosed
      crashed = information.inFlight.isEmpty || file.isBeingRecorded ? nil : true
      verdict = context.library.verdict(of: entry)
    } catch is TimeOut {
      problem = "not read in time"
    } catch {
      problem = ToolFailure(CommandError(opening: error)).message
    }
  }
}
