import Foundation

/// Work of a few million instructions that is the same in every run on every machine of one kind.
struct HotPath {
  let name: String
  /// How often it is run while it is counted.
  let runs: Int
  /// Prepares the inputs in a folder, and returns what runs it so many times.
  let prepare: (URL) throws -> (Int) throws -> Void

  /// Creates a path.
  ///
  /// - Parameters:
  ///   - name: What it does, with what.
  ///   - runs: How often it is run while it is counted.
  ///   - prepare: Prepares the inputs in a folder, and returns one run.
  init<R>(_ name: String, runs: Int, prepare: @escaping (URL) throws -> () throws -> R) {
    self.init(name: name, runs: runs) { folder in
      let run = try prepare(folder)
      return { count in for _ in 0..<count { keep(try run()) } }
    }
  }

  init(
    name: String, runs: Int, prepare: @escaping (URL) throws -> (Int) throws -> Void
  ) {
    self.name = name
    self.runs = runs
    self.prepare = prepare
  }
}

/// Keeps a result from being optimised away.
@inline(never)
private func keep<R>(_ result: R) {}
