import FluxCore
import FluxLog
package import FluxRecorder
import FluxReplay
package import Foundation

/// The logs of one test: in a folder of its own, which is removed unless the test fails.
///
/// They are written there from the start, so that a test which takes the process down leaves them too.
package final class RecordedTest: @unchecked Sendable {
  // Sendable: constant, but for what is guarded by `lock`.

  private let name: String
  private let base: URL
  private let lock = Lock()
  private var folder: URL?
  private var recorders: [Recorder] = []
  private var isOver = false

  /// Makes the logs of a test, of which there are none yet.
  ///
  /// - Parameters:
  ///   - name: What the test is called; the folder gets a name of it that a file system takes.
  ///   - base: The folder in which the test's own folder is made.
  package init(name: String, in base: URL) {
    self.name = Self.fileName(name)
    self.base = base
  }

  /// Makes a recorder for a dispatcher of the test.
  ///
  /// Steps are written with the lines of the source that dispatched them.
  ///
  /// - Parameters:
  ///   - log: The log's name; the number of the dispatcher where there is none.
  ///   - options: How to record.
  /// - Returns: The recorder, to be added to the dispatcher.
  /// - Throws: ``Ended`` where the test is over, `CocoaError` where the folder cannot be made.
  package func recorder(named log: String?, options: Recorder.Options) throws -> Recorder {
    var options = options
    options.notesSource = true
    lock.lock()
    defer { lock.unlock() }
    guard !isOver else { throw Ended(name: name) }
    let folder = try self.folder ?? makeFolder()
    self.folder = folder
    let name = log.map(Self.fileName) ?? "\(recorders.count + 1)"
    let recorder = Recorder(to: folder.appending(path: "\(name).jsonl"), options: options)
    recorders.append(recorder)
    return recorder
  }

  /// The cases of a test, and runs one after the other, have folders with numbers.
  private func makeFolder() throws -> URL {
    let files = FileManager.default
    try files.createDirectory(at: base, withIntermediateDirectories: true)
    var number = 1
    while true {
      let folder = base.appending(path: number == 1 ? name : "\(name)-\(number)")
      do {
        try files.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder
      } catch CocoaError.fileWriteFileExists {
        number += 1
      }
    }
  }

  /// The logs and problems of a test that has ended.
  package struct Ending {
    /// The test's name.
    fileprivate let name: String
    /// The logs that are kept, in the order of the dispatchers.
    package var logs: [URL] = []
    /// The failures of the recording itself.
    package var problems: [String] = []

    /// A message for each log that is kept, with the command that opens it at its last step.
    package var messages: [String] {
      logs.map { log in
        """
        kept the log of the test \(name), with all its actions and states: \(log.path)
          step through it: swift run flux-inspect \(log.path.shellWord) -g end
        """
      }
    }
  }

  /// Ends the logs, and removes them if the test passed and was recorded without a failure.
  ///
  /// - Parameter failed: `true` if the test failed.
  /// - Returns: The logs that are kept, and the failures of the recording.
  package func end(failed: Bool) -> Ending {
    let (folder, recorders) = lock.withLock {
      isOver = true
      return (self.folder, self.recorders)
    }
    var ending = Ending(name: name)
    for recorder in recorders {
      do throws(LogError) {
        try recorder.close()
        // A log that could not be begun is no error of `close()`.
        if let failure = recorder.failure { throw failure }
      } catch {
        ending.problems.append(error.message)
      }
    }
    guard let folder else { return ending }
    guard !failed, ending.problems.isEmpty else {
      // A recorder that was added to no dispatcher has not begun a log.
      ending.logs = recorders.map(\.url).filter { FileManager.default.fileExists(atPath: $0.path) }
      return ending
    }
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      ending.problems.append("the logs of a test that passed cannot be removed: \(error)")
    }
    return ending
  }

  /// Letters and digits of a name, with single hyphens and dots; so short that every file system takes it.
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
    // A scalar has at most four bytes, a name at most 255.
    return scalars.isEmpty ? "test" : String(String.UnicodeScalarView(scalars.prefix(60)))
  }
}

extension RecordedTest {
  /// Says that a test was over when it asked for a recorder.
  package struct Ended: Error, CustomStringConvertible {
    let name: String

    /// What happened, and what to do.
    package var description: String {
      "the test \(name) is over: a dispatcher that outlives its test needs a Recorder of its own"
    }
  }
}
