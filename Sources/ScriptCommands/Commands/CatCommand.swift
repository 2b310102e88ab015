package import ArgumentParser
import FluxInspector
import FluxLog

/// `flux-inspect cat LOG`: the steps of a log as JSON Lines.
package struct CatCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "cat", abstract: "Print the steps of a log as JSON Lines",
    discussion: """
      Prints each step as it is in the log. On a terminal, control characters are escaped. If the log \
      is damaged, prints the readable steps and exits with 4. Patches are applied only with --states; \
      'check' tries all of them.
      """)

  @Argument(help: "The log to print", completion: .file(extensions: ["jsonl"]))
  var log: String

  @Flag(help: "Add the whole model after each step, as 'state'")
  var states = false

  @Option(help: ArgumentHelp("Print only these steps: 5..10, ..50%, @12.5..", valueName: "A..B"))
  var range: String?

  @Option(help: ArgumentHelp("Print only steps whose action matches: 'todo/*'", valueName: "glob"))
  var type: String?

  package init() {}

  package func run() throws {
    let script = CatScript(log, withStates: states, range: range, types: type.map { Glob($0) })
    try script.run(try ScriptOptions.parse([]))
  }
}
