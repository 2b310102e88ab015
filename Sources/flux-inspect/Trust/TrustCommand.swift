import ArgumentParser
import FluxInspector
import FluxSubcommands

/// `flux-inspect trust [DIR]`: lets the file of a project name the app.
struct TrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust", abstract: "Let a project's file name the app",
    discussion: """
      A project can name its app in a file \(ProjectFile.name): {"app":".build/debug/shop"}, with a path that is \
      relative to the file. Sessions and the page that are started in its folder or below then need no --app. \
      Because the app is run, the file counts only after you have trusted it, and until it changes.
      """)

  @Argument(
    help: ArgumentHelp("The folder of the file", valueName: "folder"), completion: .directory)
  var folder = "."

  @Flag(help: "Withdraw the trust")
  var revoke = false

  func run() throws {
    let printer = Printer(RunningCommand())
    try printer.run {
      let trusted = TrustedFiles(printer.environment)
      if revoke {
        let path = try ProjectFile.realPath(in: folder)
        let wasTrusted = try trusted.remove(path)
        try printer.tell("\(path) is \(wasTrusted ? "no longer" : "not") trusted")
      } else {
        let file = try ProjectFile("\(folder)/\(ProjectFile.name)")
        let app = try file.app()
        try trusted.insert(file)
        try printer.tell("\(file.path) is trusted; it names the app \(app)")
      }
      return 0
    }
  }
}
