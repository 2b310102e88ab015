import Foundation

/// The client's way to count lines and to write paths.
struct ClientFormat: Sendable {
  var firstLine = 1
  var firstColumn = 1
  var usesURIs = false
  var pagesVariables = false

  init() {}

  init(_ arguments: InitializeArguments) {
    firstLine = arguments.linesStartAt1 == false ? 0 : 1
    firstColumn = arguments.columnsStartAt1 == false ? 0 : 1
    usesURIs = arguments.pathFormat == "uri"
    pagesVariables = arguments.supportsVariablePaging ?? false
  }

  /// A line of a file, counted from 1, as the client counts.
  func line(_ line: Int) -> Int { line &- 1 &+ firstLine }

  /// A line that the client named, counted from 1.
  func line(fromClient line: Int) -> Int { line &- firstLine &+ 1 }

  /// A path as the client writes it.
  func path(_ path: String) -> String {
    usesURIs ? URL(fileURLWithPath: path).absoluteString : path
  }

  /// The path that the client means.
  func path(fromClient text: String) -> String {
    guard text.hasPrefix("file:"), let url = URL(string: text) else { return text }
    return url.path(percentEncoded: false)
  }
}

extension LaunchArguments {
  /// The arguments with the paths that the client means.
  func readingPaths(with format: ClientFormat) -> LaunchArguments {
    var arguments = self
    arguments.program = program.map(format.path(fromClient:))
    arguments.log = log.map(format.path(fromClient:))
    arguments.tokenFile = tokenFile.map(format.path(fromClient:))
    arguments.app = app.map(format.path(fromClient:))
    arguments.sourceRoots = sourceRoots?.map(format.path(fromClient:))
    arguments.sourceMap = sourceMap?.mapValues(format.path(fromClient:))
    return arguments
  }
}
