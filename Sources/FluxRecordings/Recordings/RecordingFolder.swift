import FluxLog
import FluxSystem
package import Foundation

/// A folder of recordings, with the list of recordings that a test expects there.
struct RecordingFolder {
  let url: URL
  /// The recordings that the test lists, in its order; nil to accept all recordings in the folder.
  let listing: [String]?

  /// The recordings found in the folder, compared with the expected ones.
  struct Contents {
    /// The recordings to replay.
    var logs: [URL] = []
    /// Missing and unlisted recordings, or the lack of any.
    var problems: [String] = []
  }

  func contents(isCI: Bool) -> Contents {
    var found: [String] = []
    do {
      // Without the program that decompresses logs, only plain ones can be read.
      found = try LogFolder.logs(in: url.path, extensions: ["jsonl"])
    } catch {
      let why = "\(error)".printable
      return Contents(problems: ["\(url.shownPath): the folder cannot be read: \(why)"])
    }
    var contents = Contents()
    guard let listing else {
      contents.logs = found.map { url.appending(path: $0) }
      if found.isEmpty { contents.problems = [nothing] }
      return contents
    }
    for name in listing {
      if found.contains(name) {
        contents.logs.append(url.appending(path: name))
      } else {
        contents.problems.append(missing(name, isCI: isCI))
      }
    }
    contents.problems += found.filter { !listing.contains($0) }.map(obsolete)
    if listing.isEmpty { contents.problems.append(nothing) }
    return contents
  }

  private var nothing: String {
    """
    \(url.shownPath): there is nothing to replay; \
    record the app, and put its logs (*.jsonl) there
    """
  }

  private func missing(_ name: String, isCI: Bool) -> String {
    """
    \(url.appending(path: name).shownPath): the recording is missing; \
    \(isCI ? "commit it" : "record it"), or take it off the test's list
    """
  }

  private func obsolete(_ name: String) -> String {
    """
    \(url.appending(path: name).shownPath): the recording is obsolete: the test does not list it; \
    remove it, or put it on the list
    """
  }
}

extension URL {
  /// Creates the URL of a path that may be relative to the folder of a source file.
  package init(_ path: String, besideSource file: String) {
    self.init(
      filePath: path, relativeTo: URL(filePath: file).deletingLastPathComponent())
    self = standardizedFileURL
  }

  /// The path for a message, with escapes for what a terminal or a CI service would obey.
  package var shownPath: String { path.printable }

  /// A message that the file at this URL has a problem.
  package func message(_ problem: String, _ error: any Error) -> String {
    "\(shownPath) \(problem): \("\(error)".printable)"
  }
}
