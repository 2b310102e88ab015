import ArgumentParser
import FluxHost
import FluxInspector
import FluxReplay
import FluxSubcommands
import Foundation

/// The app that replays actions in a session or on the page: the options that `open`, `attach` and `serve` share.
struct AppOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The app's executable, which replays actions in fresh stores (for verify, fork, dispatch, "
        + "redispatch and shrink; default: FLUX_APP)", valueName: "path"),
    completion: .file())
  var app: String?

  @Option(
    help: ArgumentHelp(
      "The file that names the app instead (default: a trusted \(ProjectFile.name))",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var config: String?

  func validate() throws {
    guard app != "" else {
      throw ValidationError("--app names no app; write the path of its executable")
    }
    guard app == nil || config == nil else {
      throw ValidationError("--app and --config both name the app; remove one of them")
    }
  }

  /// Returns the app that replays: the one that the arguments name, else the running one, else the usual one; nil if there
  /// is none.
  ///
  /// - Throws: `CommandError` if a file that is to name the app does not, `LostOutput` if a note cannot be written.
  func replayApp(
    _ printer: Printer, _ live: (any LiveApp)?, spawned: (_ executable: String) -> HostApp
  ) throws -> (any ReplayApp)? {
    if let named = try app ?? config.map({ try ProjectFile($0).app() }) { return spawned(named) }
    if let running = live?.replay { return running }
    return try usual(printer).map(spawned)
  }

  /// Returns the executable that `FLUX_APP` names, or else the project's file; nil if there is none.
  ///
  /// A note tells of a file that is not trusted.
  private func usual(_ printer: Printer) throws -> String? {
    if let app = printer.environment["FLUX_APP"], !app.isEmpty { return app }
    let file: ProjectFile?
    do throws(CommandError) {
      file = try ProjectFile.nearest(to: FileManager.default.currentDirectoryPath)
    } catch {
      // Nobody has asked for it.
      try printer.complain("note", error)
      return nil
    }
    guard let file else { return nil }
    guard TrustedFiles(printer.environment).contains(file) else {
      try printer.complain(
        "note",
        "\(file.path) is not trusted to name the app; to trust it: flux-inspect trust \(file.folder.shellPath)"
      )
      return nil
    }
    return try file.app()
  }
}
