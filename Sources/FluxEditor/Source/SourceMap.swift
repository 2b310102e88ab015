import FluxSystem
import Foundation

/// Finds the source files that a log names.
///
/// A log names a module and a file, never a path. The candidates are the files of that name below the roots.
/// Of several, the one wins that has a folder named as the module; else the folder that the launch names for
/// the module decides. Safe to use from any thread: the roots are searched once, when the first file is asked for.
final class SourceMap: Sendable {
  /// The file that a name means.
  enum Resolution: Sendable, Equatable {
    case found(String)
    /// There are several, and nothing tells which is meant.
    case ambiguous([String])
    case missing
  }

  private struct State {
    /// The paths of the files below the roots, by their names; nil before the search.
    var files: [String: [String]]?
    /// Files that a client has open, by their names.
    var opened: [String: Set<String>] = [:]
  }

  private static let skipped: Set<String> = ["node_modules", "DerivedData", "Carthage"]

  private let roots: [String]
  private let modules: [String: String]
  private let largestCount: Int
  private let state = Monitor(State())

  /// Makes a map of folders to search, and of folders of modules whose files are not found otherwise.
  ///
  /// The search ends at the largest count of files: no project has as many, but a whole disk may.
  init(roots: [String], modules: [String: String], largestCount: Int = 300_000) {
    self.largestCount = largestCount
    self.modules = modules.mapValues(Self.absolute)
    let given = roots.map(Self.absolute)
    let added = self.modules.values.filter { folder in
      !given.contains { folder == $0 || folder.hasPrefix($0 + "/") }
    }
    self.roots = given + added.sorted()
  }

  /// The absolute path without links, dots and a slash at its end.
  static func absolute(_ path: String) -> String {
    let path = URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath()
      .path(percentEncoded: false)
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Tells that a client has a file open, which may be outside the roots.
  func open(_ path: String) {
    guard let name = path.split(separator: "/").last else { return }
    state.withLock { _ = $0.opened[String(name), default: []].insert(Self.absolute(path)) }
  }

  /// Returns the file that a name means.
  func resolve(_ name: SourceFileName) -> Resolution {
    var candidates = candidates(of: name.base)
    guard candidates.count != 1 else { return .found(candidates[0]) }
    guard let module = name.module else {
      return candidates.isEmpty ? .missing : .ambiguous(candidates)
    }
    let ofModule = candidates.filter { $0.split(separator: "/").dropLast().contains(module[...]) }
    if ofModule.count == 1 { return .found(ofModule[0]) }
    if !ofModule.isEmpty { candidates = ofModule }
    if let folder = modules[module] {
      let inFolder = candidates.filter { $0.hasPrefix(folder + "/") }
      if inFolder.count == 1 { return .found(inFolder[0]) }
    }
    return candidates.isEmpty ? .missing : .ambiguous(candidates)
  }

  /// The reason why a name was not found, for people; nil if it was.
  func problem(with name: SourceFileName) -> String? {
    switch resolve(name) {
    case .found: nil
    case .missing:
      "\(name) is not below \(roots.joined(separator: ", ")); name its folder in sourceRoots"
    case .ambiguous(let candidates):
      "\(name) may be \(candidates.joined(separator: " or ")); name the folder of its module in sourceMap"
    }
  }

  private func candidates(of name: String) -> [String] {
    let (found, opened) = state.withLock { state in
      let files = state.files ?? search(&state)
      return (files[name] ?? [], state.opened[name] ?? [])
    }
    // A file that is open is a candidate only if the roots have none.
    return found.isEmpty ? opened.sorted() : found
  }

  private func search(_ state: inout State) -> [String: [String]] {
    var files: [String: [String]] = [:]
    var seen: Set<String> = []
    search: for root in roots {
      // An unreadable folder has no files for this map.
      guard let walk = FileManager.default.enumerator(atPath: root) else { continue }
      while let path = walk.nextObject() as? String {
        let name = path.lastPathName
        guard !name.hasPrefix("."), !Self.skipped.contains(name) else {
          walk.skipDescendants()
          continue
        }
        // A name without an extension is a folder, or no source file.
        guard name.contains("."), seen.insert("\(root)/\(path)").inserted else { continue }
        files[name, default: []].append("\(root)/\(path)")
        guard seen.count < largestCount else { break search }
      }
    }
    for name in files.keys { files[name]?.sort() }
    state.files = files
    return files
  }
}
