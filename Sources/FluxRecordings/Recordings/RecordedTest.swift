import FluxCore
import FluxLog
package import FluxRecorder
import FluxSystem
package import Foundation

/// The logs of one test, in a separate folder that is removed unless the test fails, with the folder of all tests if nothing is
/// left in that.
///
/// The logs are written there from the start, so a test that crashes the process leaves them too.
package final class RecordedTest: @unchecked Sendable {
  // Sendable: `lock` guards the variables; everything else is constant.

  private let name: String
  private let base: URL
  private let lock = Lock()
  private var folder: URL?
  private var recorders: [(recorder: Recorder, contents: String)] = []
  private var isOver = false
  private var isReplaced = false

  /// Creates the log storage of a test, without any logs; the first log creates its folder in `base`.
  package init(name: String, in base: URL) {
    self.name = Self.fileName(name)
    self.base = base
  }

  /// Notes that the test asks for its recorders elsewhere: a trait of the test takes the place of its suite's.
  package func replace() { lock.withLock { isReplaced = true } }

  /// Creates a recorder for a dispatcher of the test.
  ///
  /// Steps are recorded with the source lines that dispatched them. If `log` is nil, the number of
  /// the dispatcher is its name.
  ///
  /// - Throws: ``Ended`` if the test is over, ``LogError`` if the folder cannot be created.
  package func recorder(named log: String?, options: Recorder.Options) throws -> Recorder {
    var options = options
    options.recordsSource = true
    // A test's log must not depend on the speed of the machine.
    if options.log.overflow == .thin { options.log.overflow = .block }
    lock.lock()
    defer { lock.unlock() }
    guard !isOver else { throw Ended(name: name) }
    let folder = try self.folder ?? TestFolder.make(self.name, in: base)
    self.folder = folder
    let name = log.map(Self.fileName) ?? "\(recorders.count + 1)"
    let recorder = Recorder(to: folder.appending(path: "\(name).jsonl"), options: options)
    recorders.append((recorder, options.redaction.summary))
    return recorder
  }

  /// The logs and problems of a finished test.
  package struct KeptLogs {
    fileprivate let name: String
    /// The logs that are kept, in the order of the dispatchers.
    package var logs: [URL] { kept.map(\.url) }
    /// The kept logs, and the contents of each in words.
    fileprivate var kept: [(url: URL, contents: String)] = []
    /// The failures of the recording itself.
    package var problems: [String] = []
    /// `true` if the test failed, and asked for no recorder.
    fileprivate var lacksRecorder = false

    /// A message for each kept log, with the command that opens it at its last step; or one that there is none.
    package var messages: [String] {
      guard !lacksRecorder else {
        return ["no log of the test \(name): nothing in it asked for a recorder of the test"]
      }
      return kept.map { log, contents in
        """
        kept the log of the test \(name): \(log.shownPath)
          it has \(contents); look for secrets before you commit or share it
          step through it: swift run flux-inspect \(log.path.shellWord) -g end
        """
      }
    }
  }

  /// Closes the logs, and removes them if the test passed and the recording did not fail.
  package func end(failed: Bool) -> KeptLogs {
    let (folder, recorders, isReplaced) = lock.withLock {
      isOver = true
      return (self.folder, self.recorders, self.isReplaced)
    }
    var ending = KeptLogs(name: name)
    for (recorder, _) in recorders {
      do throws(LogError) {
        try recorder.close()
        // `close()` does not throw if the log could not be begun.
        if let failure = recorder.failure { throw failure }
      } catch {
        ending.problems.append(error.message)
      }
    }
    ending.lacksRecorder = failed && recorders.isEmpty && !isReplaced
    guard let folder else { return ending }
    guard !failed, ending.problems.isEmpty else {
      // A recorder that was not added to a dispatcher has no log.
      for (recorder, contents) in recorders
      where FileManager.default.fileExists(atPath: recorder.url.path) {
        ending.kept.append((recorder.url, contents))
      }
      return ending
    }
    do {
      try TestFolder.remove(folder)
    } catch {
      ending.problems.append(
        "the logs of a test that passed cannot be removed: \("\(error)".printable)")
    }
    return ending
  }

  /// Returns a file name with the letters and digits of `name`, and single hyphens and dots.
  ///
  /// It is short enough for every file system.
  private static func fileName(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) {
        scalars.append(scalar)
      } else if let last = scalars.last, last != "-", last != "." {
        scalars.append(scalar == "." ? "." : "-")
      }
    }
    while let last = scalars.last, last == "-" || last == "." { scalars.removeLast() }
    // A scalar has at most 4 bytes, and a file name at most 255.
    return scalars.isEmpty ? "test" : String(String.UnicodeScalarView(scalars.prefix(60)))
  }

  /// The error for a recorder that is requested after the test is over.
  package struct Ended: Error, CustomStringConvertible {
    let name: String

    package var description: String {
      "the test \(name) has ended: a dispatcher that outlives its test needs a separate Recorder"
    }
  }
}
