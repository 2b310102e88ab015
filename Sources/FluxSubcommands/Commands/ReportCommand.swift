package import ArgumentParser
import FluxInspector
import FluxLog
import FluxPage

/// `flux-inspect report LOG -o FILE.html`: a log as a page that opens from disk.
package struct ReportCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Write a log as one HTML file to read in a browser",
    discussion: """
      The file contains the page and the log, and needs neither a network nor this program. Without --range, \
      it contains the whole log if the file stays below 5 MB, otherwise the steps around the end. \
      A report is as confidential as its log: it redacts nothing that the recording did not.
      """)

  @Argument(help: "The log to report on", completion: .log)
  var log: String

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The HTML file to write", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var file: String

  @Option(help: ArgumentHelp("Include only these steps: 5..10, @12.5.., ..50%", valueName: "A..B"))
  var range: String?

  @Option(
    name: .customShort("g"), parsing: .unconditional,
    help: ArgumentHelp("Open the page at this position: 42, 50%, end", valueName: "position"))
  var position: String?

  @Flag(help: "Replace the file if it exists")
  var force = false

  package init() {}

  package func validate() throws {
    try OutputFile.validate(file, of: "-o")
    if let range, PositionRange(range) == nil {
      throw ValidationError("--range: \(range) is not a range; \(PositionRange.forms)")
    }
    if let position, Position(position) == nil {
      throw ValidationError("-g: \(position) is not a position; \(Position.forms)")
    }
  }

  package func run() throws {
    let printer = Printer(RunningCommand())
    defer { printer.command.clear() }
    var options = ReportBuilder.Options()
    options.program = ProgramVersion.name
    options.range = range.flatMap { PositionRange($0) }
    try printer.run {
      let opened: PageLog
      do {
        opened = PageLog(try Services(printer.command).open(log))
      } catch {
        throw CommandError(opening: error)
      }
      do {
        if let position = position.flatMap({ Position($0) }) {
          let resolved = try Session(opened.timeline).resolve(position)
          if let note = resolved.note { try printer.complain("note", note) }
          options.step = opened.timeline.number(at: resolved.position)
        }
        let bytes = try ReportBuilder(opened, options: options).build()
        try SystemFiles().write(file, log: log, replacesExisting: force) { try $0(bytes) }
      } catch {
        throw CommandError(error, in: opened.timeline)
      }
      return 0
    }
  }
}
