package import FluxInspector
import FluxJSON
import FluxLog
import FluxSystem
import Foundation

/// The logs that arguments name: files as they are, and folders with all logs in them.
package struct LogCollection {
  /// The paths, in the order of the arguments.
  package let paths: [String]
  /// The arguments that are folders.
  package let folders: [String]

  /// Lists the logs.
  ///
  /// A file that does not exist is a log, and so is a folder that cannot be listed: opening it says why.
  package init(_ arguments: [String]) {
    var paths: [String] = []
    var folders: [String] = []
    for argument in arguments {
      guard FileStatus.isFolder(at: argument) else {
        paths.append(argument)
        continue
      }
      folders.append(argument)
      do throws(CommandError) {
        paths += try Self.logs(in: argument)
      } catch {
        paths.append(argument)
      }
    }
    // Two names that look the same, such as é in one scalar and in two, may be two files.
    var seen: Set<BytewiseName> = []
    self.paths = paths.filter { seen.insert(BytewiseName($0)).inserted }
    self.folders = folders
  }

  /// Lists the logs, of which there must be one.
  ///
  /// - Throws: `CommandError` if there is no log; its exit code is then `emptyCode`, by default that of a file that
  ///   cannot be read.
  package static func paths(
    _ arguments: [String], emptyCode: Int32? = nil
  ) throws(CommandError) -> [String] {
    let logs = LogCollection(arguments)
    guard logs.paths.isEmpty else { return logs.paths }
    throw CommandError(
      .file, "there is no log in \(logs.folders.joined(separator: ", "))",
      note: Note("the names of logs end in \(endings)"), exitCode: emptyCode)
  }

  /// The log whose path may have been meant by one that does not exist: without an extension, misspelled, or without the
  /// usual folder; nil if nothing is likely.
  package static func nearest(to path: String) -> String? {
    let name = path.lastPathName
    let folder = path.hasSuffix(name) ? String(path.dropLast(name.count)) : ""
    for folder in folder.isEmpty ? ["", "Recordings/"] : [folder] {
      let logs: [String]
      do {
        logs = try FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
          .filter { name in LogFolder.extensions.contains { name.hasSuffix(".\($0)") } }.sorted()
      } catch {
        // A folder that cannot be listed has no log to suggest.
        continue
      }
      func stem(_ log: String) -> String { String(log.prefix { $0 != "." }) }
      let exact = logs.first { stem($0) == stem(name) }
      let near = exact ?? Spelling.nearest(to: name, among: logs)
      let found =
        near
        ?? Spelling.nearest(to: name, among: logs.map(stem)).flatMap { near in
          logs.first { stem($0) == near }
        }
      if let found { return folder + found }
    }
    return nil
  }

  /// Lists the logs in a folder.
  ///
  /// - Throws: `CommandError` if it cannot be listed.
  package static func logs(in path: String) throws(CommandError) -> [String] {
    let folder = path.hasSuffix("/") ? path : path + "/"
    do {
      return try LogFolder.logs(in: path).map { folder + $0 }
    } catch let error as SystemError {
      throw CommandError(.unreadable, "\(path): \(systemMessage(error.code))")
    } catch {
      throw CommandError(
        .unreadable, "\(path): cannot list the folder: \(error.localizedDescription)")
    }
  }

  private static var endings: String {
    let endings = LogFolder.extensions.map { "." + $0 }
    return "\(endings.dropLast().joined(separator: ", ")) or \(endings[endings.count - 1])"
  }
}
