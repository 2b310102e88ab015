import FluxSystem
import FluxTerminal
import Foundation

/// The logs of a folder, to pick one from by its number or a part of its name.
struct LogMenu {
  /// The answer to what a user typed.
  enum Answer: Equatable {
    /// The path of the log that is meant.
    case log(String)
    /// The logs whose names contain the text, as rows of the menu.
    case several([String])
    case none
  }

  /// The names of the logs, without the folder that all of them are in.
  let names: [String]
  private let paths: [String]
  private let size: TerminalSize

  init(folder: String, paths: [String], size: TerminalSize) {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    names = paths.map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
    (self.paths, self.size) = (paths, size)
  }

  /// A row for each log, as many as the screen has room for.
  var rows: [String] { rows(Array(names.indices)) }

  private func rows(_ indices: [Int]) -> [String] {
    // The heading, the prompt and the number of further logs take a row each.
    let count = indices.count <= size.rows - 2 ? indices.count : max(1, size.rows - 3)
    let width = String(names.count).count
    let rows = indices.prefix(count).map { index in
      let number = String(index + 1).rightAligned(to: width)
      let row = "  \(number)  \(names[index].printable)"
      let (text, isWhole) = ColumnWidth.prefix(of: row, columns: size.columns)
      return isWhole ? text : ColumnWidth.fit(row, columns: size.columns)
    }
    guard count < indices.count else { return rows }
    return rows + ["  …\(indices.count - count) more"]
  }

  /// Finds the logs that a text means.
  func answer(_ text: String) -> Answer {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if let number = Int(text), paths.indices.contains(number - 1) { return .log(paths[number - 1]) }
    if let index = names.firstIndex(of: text) { return .log(paths[index]) }
    let found = names.indices.filter { names[$0].lowercased().contains(text.lowercased()) }
    switch found.count {
    case 0: return .none
    case 1: return .log(paths[found[0]])
    default: return .several(rows(found))
    }
  }
}
