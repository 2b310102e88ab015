import FluxInspector
import FluxJSON
import FluxSubcommands
import FluxSystem

/// A file that names the app of a project: `{"app":PATH}`, with a path that is relative to the file's folder.
///
/// It names the app and nothing else, so that a folder from elsewhere cannot change how the inspector works.
struct ProjectFile {
  static let name = ".flux-inspect.json"
  private static let example = #"such a file is {"app":".build/debug/shop"}"#

  /// The real path of the file.
  let path: String
  let text: String

  /// Reads a file.
  ///
  /// - Throws: `CommandError` if it cannot be read.
  init(_ path: String) throws(CommandError) {
    do throws(CommandError) {
      text = try SystemFiles().read(path)
    } catch {
      throw CommandError(error.code, error.message, note: error.note ?? Note(Self.example))
    }
    self.path = try Self.realPath(of: path)
  }

  /// Returns the real path of the file in a folder, which need not exist any more.
  ///
  /// - Throws: `CommandError` if there is no such folder.
  static func realPath(in folder: String) throws(CommandError) -> String {
    let path = "\(folder)/\(name)"
    guard !SystemFiles().exists(path) else { return try realPath(of: path) }
    return "\(try realPath(of: folder))/\(name)"
  }

  private static func realPath(of path: String) throws(CommandError) -> String {
    do throws(SystemError) {
      return try RealPath.of(path)
    } catch {
      throw CommandError(error, at: path)
    }
  }

  /// Reads the file of the project that a folder is in: that of the folder, or of the nearest one above it; nil if there is
  /// none.
  ///
  /// - Throws: `CommandError` if it cannot be read.
  static func nearest(to folder: String) throws(CommandError) -> ProjectFile? {
    var folder = folder[...]
    while true {
      let path = "\(folder)/\(name)"
      if SystemFiles().exists(path) { return try ProjectFile(path) }
      guard let slash = folder.lastIndex(of: "/") else { return nil }
      folder = folder[..<slash]
    }
  }

  /// The folder of the file, with its slash.
  var folder: String { SymbolicLink.folder(of: path) }

  /// Returns the path of the app's executable.
  ///
  /// - Throws: `CommandError` if the file says anything else.
  func app() throws(CommandError) -> String {
    let json: JSON
    do {
      json = try JSON.parse(Array(text.utf8))
    } catch {
      throw mistake("\(error.message)")
    }
    guard json.kind == .object else {
      throw mistake("expected an object, found \(json.kind.described)")
    }
    if let other = json.members.first(where: { $0.name != "app" }) {
      throw mistake("it has a member \(other.name), and may only name the app")
    }
    guard let app = json["app"]?.string, !app.isEmpty else {
      throw mistake("expected the path of the app as a string, found \(json["app"] ?? .null)")
    }
    return app.hasPrefix("/") ? app : folder + app
  }

  private func mistake(_ message: String) -> CommandError {
    CommandError(.file, "\(path): \(message)", hint: Self.example)
  }
}
