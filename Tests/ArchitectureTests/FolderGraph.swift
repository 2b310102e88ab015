import Foundation

/// The folders of a module, and which of them use types that another one declares.
///
/// Found by names: a folder depends on another one if a file of it names a type that only the other declares
/// at the top level of a file. Members of extensions are not seen.
struct FolderGraph {
  /// A file of the module: the folder it is in, and its code.
  struct File {
    let folder: String
    let name: String
    let tokens: [SourceTokens.Token]

    init(folder: String, name: String, text: String) {
      (self.folder, self.name) = (folder, name)
      tokens = SourceTokens(text).tokens
    }
  }

  /// A use of one folder's type in another folder.
  struct Use: Hashable, Comparable, CustomStringConvertible {
    let type: String
    let file: String

    var description: String { "\(file) uses \(type)" }

    static func < (left: Use, right: Use) -> Bool {
      (left.file, left.type) < (right.file, right.type)
    }
  }

  let folders: [String]
  private(set) var uses: [String: [String: Set<Use>]] = [:]

  init(_ files: [File]) {
    folders = Set(files.map(\.folder)).sorted()
    var declaring: [String: Set<String>] = [:]
    for file in files {
      for type in Self.declaredTypes(file.tokens) {
        declaring[type, default: []].insert(file.folder)
      }
    }
    for file in files {
      for case .word(let word) in file.tokens {
        guard let declarers = declaring[word], declarers.count == 1, let folder = declarers.first,
          folder != file.folder
        else { continue }
        uses[file.folder, default: [:]][folder, default: []]
          .insert(Use(type: word, file: file.name))
      }
    }
  }

  private static let introducers: Set<String> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]

  /// The types that a file declares outside of all braces, and not only for itself.
  static func declaredTypes(_ tokens: [SourceTokens.Token]) -> [String] {
    var types: [String] = []
    var depth = 0
    var isHidden = false
    for (index, token) in tokens.enumerated() {
      switch token {
      case .mark("{"): depth += 1
      case .mark("}"):
        depth -= 1
        isHidden = false
      case .word("private"), .word("fileprivate"): if depth == 0 { isHidden = true }
      case .word(let word) where depth == 0 && introducers.contains(word):
        if index > 0, tokens[index - 1] == .word("import") { continue }
        if !isHidden, index + 1 < tokens.count, case .word(let name) = tokens[index + 1] {
          types.append(name)
        }
        isHidden = false
      default: break
      }
    }
    return types
  }

  /// The folders that a folder uses, in alphabetical order.
  func dependencies(of folder: String) -> [String] { uses[folder, default: [:]].keys.sorted() }

  /// The groups of folders that depend on each other, the lowest first; a ladder has only groups of one.
  ///
  /// Tarjan, "Depth-first search and linear graph algorithms" (1972).
  var groups: [[String]] {
    var order: [String: Int] = [:]
    var lowest: [String: Int] = [:]
    var stack: [String] = []
    var groups: [[String]] = []
    func visit(_ folder: String) {
      let number = order.count
      order[folder] = number
      var low = number
      stack.append(folder)
      for next in dependencies(of: folder) {
        if order[next] == nil {
          visit(next)
          low = min(low, lowest[next, default: low])
        } else if stack.contains(next) {
          low = min(low, order[next, default: low])
        }
      }
      lowest[folder] = low
      guard low == number, let place = stack.firstIndex(of: folder) else { return }
      groups.append(stack[place...].sorted())
      stack.removeSubrange(place...)
    }
    for folder in folders where order[folder] == nil { visit(folder) }
    return groups
  }

  /// The uses that keep the folders from being a ladder, one line for each pair of folders.
  var cycles: [String] {
    groups.filter { $0.count > 1 }.flatMap { group in
      group.flatMap { folder in
        group.flatMap { other in
          uses[folder]?[other].map { uses in
            ["\(folder) -> \(other): \(uses.sorted().map(\.description).joined(separator: ", "))"]
          } ?? []
        }
      }
    }
  }

  /// The graph for people: a line a folder, the lowest first.
  var description: String {
    groups.joined().map { folder in
      let below = dependencies(of: folder)
      return "  \(folder)" + (below.isEmpty ? "" : " -> " + below.joined(separator: ", "))
    }
    .joined(separator: "\n")
  }
}
