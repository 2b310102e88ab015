import FluxReplay
import Foundation

extension CommandLine {
  /// The words that run flux-inspect in the way in which this program was started, for commands that the program suggests
  /// and a user pastes into a shell.
  package static var invocation: String {
    let executable = Bundle.main.executableURL?.resolvingSymlinksInPath().path(
      percentEncoded: false)
    return invocation(
      of: arguments.first, executable: executable,
      folder: FileManager.default.currentDirectoryPath)
  }

  /// Derives the words from a program's own name or path in its arguments, and its real path, if the system knows it.
  package static func invocation(of program: String?, executable: String?, folder: String) -> String
  {
    let products = URL(filePath: folder, directoryHint: .isDirectory).resolvingSymlinksInPath()
      .path()
    let isBuilt = executable?.hasPrefix(products + ".build/") ?? false
    let inspector = program.map(inspector(nextTo:))
    if isBuilt, inspector != "flux-inspect" { return "swift run flux-inspect" }
    return inspector?.shellPath ?? "flux-inspect"
  }

  /// Returns the path of flux-inspect in the folder of flux-verify, which has no sessions; any other path as it is.
  private static func inspector(nextTo program: String) -> String {
    let name = "flux-verify"
    guard program == name || program.hasSuffix("/" + name) else { return program }
    return program.dropLast(name.count) + "flux-inspect"
  }
}
