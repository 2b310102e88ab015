package import FluxInspector
import Foundation

/// The logs that arguments name: files as they are, and folders with all that is in them.
package struct LogCollection {
  /// The paths, in the order of the arguments.
  package let paths: [String]

  /// Lists the logs.
  ///
  /// - Throws: `CommandError` that names a folder that cannot be listed.
  package init(_ arguments: [String]) throws(CommandError) {
    var paths: [String] = []
    for argument in arguments { paths += try Self.logs(in: argument) }
    var seen: Set<String> = []
    self.paths = paths.filter { seen.insert($0).inserted }
  }

  private static func logs(in path: String) throws(CommandError) -> [String] {
    var isFolder: ObjCBool = false
    // The flag is a local that outlives the call.
    let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    // A file that is not there is told when it is opened.
    guard exists, isFolder.boolValue else { return [path] }
    let names: [String]
    do {
      names = try FileManager.default.subpathsOfDirectory(atPath: path)
    } catch {
      throw CommandError(.file, "cannot list \(path): \(error.localizedDescription)")
    }
    let folder = path.hasSuffix("/") ? path : path + "/"
    return names.filter { $0.hasSuffix(".jsonl") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { folder + $0 }
  }
}
