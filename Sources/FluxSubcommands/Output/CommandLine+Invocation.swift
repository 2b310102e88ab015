import FluxReplay
import Foundation

/// The words that run flux-inspect, for commands that the program suggests and a user pastes into a shell.
package struct Invocation {
  package let text: String

  /// Derives the words from the way in which this program was started.
  ///
  /// `argument` is its own name or path in its arguments; `executable` is the real path, if the system knows it.
  package init(argument: String?, executable: String?, folder: String) {
    let products = URL(filePath: folder, directoryHint: .isDirectory).resolvingSymlinksInPath()
      .path()
    let isBuilt = executable?.hasPrefix(products + ".build/") ?? false
    let inspector = argument.map(Self.inspector)
    if inspector == "flux-inspect" {
      text = "flux-inspect"
    } else if isBuilt {
      text = "swift run flux-inspect"
    } else {
      text = inspector.map(\.shellPath) ?? "flux-inspect"
    }
  }

  /// Returns the path of flux-inspect in the folder of flux-verify, which has no sessions; any other path as it is.
  private static func inspector(nextTo program: String) -> String {
    let name = "flux-verify"
    guard program == name || program.hasSuffix("/" + name) else { return program }
    return program.dropLast(name.count) + "flux-inspect"
  }
}

extension CommandLine {
  /// The words that start flux-inspect again in the same way.
  package static var invocation: String {
    let executable = Bundle.main.executableURL?.resolvingSymlinksInPath().path(
      percentEncoded: false)
    return Invocation(
      argument: arguments.first, executable: executable,
      folder: FileManager.default.currentDirectoryPath
    ).text
  }
}
