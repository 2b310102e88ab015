import FluxSystem
import FluxTerminal

/// The user's settings for all programs that use libedit: `$EDITRC`, or `.editrc` in the home folder.
///
/// libedit's own parser stops at the first line that it does not understand. Settings that are read after the
/// program has bound its keys remove these bindings, because `bind -v` and `bind -e` reset all keys. So the
/// whole file is applied first, then the program binds its keys. Then the lines that bind keys are applied
/// again, because the user's choice takes precedence.
struct EditSettings {
  let path: String
  private(set) var lines: [SettingLine] = []
  private var problem: SettingProblem?

  init(environment: [String: String]) {
    if let path = environment["EDITRC"], !path.isEmpty {
      self.path = path
    } else if let home = environment.baseFolder("HOME") {
      path = home + "/.editrc"
    } else {
      path = ""
      return
    }
    do throws(FileError) {
      guard let bytes = try FileAccess.readIfPresent(path) else { return }
      lines = SettingLine.parse(String(decoding: bytes, as: UTF8.self))
    } catch {
      problem = SettingProblem(path: path, line: nil, text: error.cause)
    }
  }

  /// Applies every line and returns the ones that were not understood.
  func apply(_ run: (String) -> Bool) -> [SettingProblem] {
    var problems = problem.map { [$0] } ?? []
    for line in lines where !run(line.text) {
      problems.append(SettingProblem(path: path, line: line.number, text: line.text))
    }
    return problems
  }

  /// Applies the lines that bind a key again.
  ///
  /// `apply` has already reported their problems.
  func bindAgain(_ run: (String) -> Bool) {
    for line in lines where line.boundKeySequence != nil {
      _ = run(line.text)
    }
  }

  /// The keys that these settings bind for a program.
  func boundKeys(program: String) -> Set<Key> {
    var keys: Set<Key> = []
    for line in lines where line.concerns(program) {
      guard let sequence = line.boundKeySequence else { continue }
      var decoder = KeyDecoder()
      let presses = sequence.flatMap { decoder.feed($0) } + decoder.flush()
      if presses.count == 1 { keys.insert(presses[0].key) }
    }
    return keys
  }
}

/// A line of the user's editor settings that was not understood.
package struct SettingProblem: Equatable, Sendable, CustomStringConvertible {
  package var path: String
  /// The line, counted from 1; nil if the file cannot be read.
  package var line: Int?
  /// The text of the line, or the reason why the file cannot be read.
  package var text: String

  package var description: String {
    guard let line else { return "\(path): cannot read: \(text)" }
    return "\(path):\(line): ignored unknown setting: \(text.printable) (see editrc(5))"
  }
}
