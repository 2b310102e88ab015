import ArgumentParser
import FluxInspector
import FluxLog

/// `flux-inspect cat LOG`: the steps of a log as JSON Lines.
struct CatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cat", abstract: "Writes the steps of a log as JSON Lines.",
    discussion: """
      Each step is written as it is in the log; on a terminal, signs that it would obey are written as \
      escapes. Exits with 4 where the log is damaged: then the usable steps are written. Whether a patch \
      applies is seen only with --states; 'check' tries them all.
      """)

  @Argument(help: "The log.", completion: .file(extensions: ["jsonl"]))
  var log: String

  @Flag(help: "Gives each step the whole model after it, as 'state'.")
  var states = false

  @Option(help: ArgumentHelp("Writes these steps only: 5..10, ..50%, @12.5..", valueName: "A..B"))
  var range: String?

  @Option(help: ArgumentHelp("Writes steps with these actions only: 'todo/*'.", valueName: "glob"))
  var type: String?

  func run() throws {
    let script = CatScript(log, withStates: states, range: range, types: type.map { Glob($0) })
    try script.run(try ScriptOptions.parse([]))
  }
}
