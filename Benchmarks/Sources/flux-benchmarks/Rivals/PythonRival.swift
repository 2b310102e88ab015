import Foundation
import Harness

/// A Python package as a rival, timed inside the interpreter: its start does not count.
enum PythonRival {
  /// What `rivals.py` can time.
  enum Task: String {
    case orjson, jsonpatch, duckdb, sqlite3

    /// How the row calls it.
    var title: String {
      switch self {
      case .orjson: "orjson.loads"
      case .jsonpatch: "json.loads, jsonpatch"
      case .duckdb: "DuckDB"
      case .sqlite3: "SQLite, WAL, synchronous=NORMAL"
      }
    }
  }

  /// A rival that does a task with files.
  static func rival(_ task: Task, _ arguments: [String], amount: Int = 1) -> Rival {
    guard let python = ExternalProgram("python3") else {
      return Rival(task.title, absent: "python3 is not installed")
    }
    let script = String(decoding: PackageResources.rivals_py, as: UTF8.self)
    do {
      try python.run(["-c", "import \(task.rawValue)"])
    } catch {
      return Rival(task.title, absent: "pip install \(task.rawValue)")
    }
    return Rival(
      task.title,
      .timed(amount: amount) {
        let output = try python.run(["-c", script, task.rawValue] + arguments)
        return try JSONDecoder().decode([Double].self, from: output).map { Lap(seconds: $0) }
      })
  }
}
