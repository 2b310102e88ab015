package import FluxCore
import FluxLog
package import FluxRecorder
package import FluxReplay
package import FluxRules
import FluxSystem
import Foundation

/// A call in a test that asserts something about recordings.
package struct RecordingAssertion {
  private let file: String
  private let settings: TestSettings
  private let report: (String) -> Void

  /// Describes a call.
  ///
  /// - Parameters:
  ///   - file: The test's source; paths are relative to its folder.
  ///   - settings: The settings of the test run.
  ///   - report: Reports a problem at the line of the call.
  package init(
    in file: String, settings: TestSettings = .current, report: @escaping (String) -> Void
  ) {
    self.file = file
    self.settings = settings
    self.report = report
  }

  /// The URL of a path from the folder of the test's source.
  private func url(_ path: String) -> URL { URL(path, besideSource: file) }

  private func mayWrite(_ updates: Bool) -> Bool {
    !settings.isCI && (updates || settings.updates)
  }

  // MARK: Replaying

  /// Reports the recordings of a folder that do not replay.
  ///
  /// If `listing` is nil, all recordings in the folder are accepted. Under CI, `updates` is ignored.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  package func replay(
    _ folder: String, listing: [String]?, in app: some ReplayApp, _ options: Verification.Options,
    updates: Bool
  ) async throws {
    let replay = RecordingReplay(in: app, options, isCI: settings.isCI)
    for url in recordings(in: url(folder), listing: listing) {
      guard let problem = try await replay.problem(with: url) else { continue }
      guard mayWrite(updates), problem.isDivergence else {
        report(problem.text + problem.remedy)
        continue
      }
      do {
        try await replay.update(url)
        settings.say("updated \(url.shownPath)")
      } catch let error as CancellationError {
        throw error
      } catch {
        report("\(problem.text)\n\("\(error)".printableLines())")
      }
    }
  }

  /// Returns the recordings of a folder that are to be read; reports missing and unlisted ones, and the lack of any.
  ///
  /// `listing` has the recordings that the test lists, in its order; nil to accept all.
  private func recordings(in folder: URL, listing: [String]?) -> [URL] {
    let found: [String]
    do {
      // Without the program that decompresses logs, only plain ones can be read.
      found = try LogFolder.logs(in: folder.path, extensions: ["jsonl"])
    } catch {
      report("\(folder.shownPath): the folder cannot be read: \("\(error)".printable)")
      return []
    }
    let expected = listing ?? found
    for name in expected where !found.contains(name) {
      report(
        """
        \(folder.appending(path: name).shownPath): the recording is missing; \
        \(settings.isCI ? "commit it" : "record it"), or take it off the test's list
        """)
    }
    for name in found where !expected.contains(name) {
      report(
        """
        \(folder.appending(path: name).shownPath): the recording is obsolete: the test does not list it; \
        remove it, or put it on the list
        """)
    }
    if expected.isEmpty {
      report(
        """
        \(folder.shownPath): there is nothing to replay; \
        record the app, and put its logs (*.jsonl) there
        """)
    }
    return expected.filter(found.contains).map { folder.appending(path: $0) }
  }

  // MARK: Recording

  /// Replays the recording of a scenario, records it if needed, and reports the problems.
  ///
  /// The scenario is recorded if the recording is missing, or if it does not replay and may be
  /// updated. Nothing is written under CI.
  ///
  /// - Throws: The errors of the scenario, file errors, and `CancellationError`.
  nonisolated(nonsending) package func record(
    _ name: String, in app: AppDefinition<Never, Never>, folder: String,
    _ options: Verification.Options, recording: Recorder.Options, updates: Bool,
    scenario: nonisolated(nonsending) (Dispatcher) async throws -> Void
  ) async throws {
    let url = url("\(folder)/\(name).jsonl")
    let replay = RecordingReplay(in: app, options, isCI: settings.isCI)
    if FileManager.default.fileExists(atPath: url.path) {
      guard let problem = try await replay.problem(with: url) else { return }
      // The scenario is the source of the recording, so any problem is a reason to record it again.
      guard mayWrite(updates) else { return report(problem.text + problem.remedy) }
    } else if settings.isCI {
      return report(
        """
        \(url.shownPath): the recording is missing, and under CI nothing is written; \
        run the test elsewhere, and commit the recording
        """)
    }
    var recording = recording
    recording.circumstances.merge(app.circumstances) { given, _ in given }
    let test = RecordedTest(
      name: url.deletingPathExtension().lastPathComponent, in: settings.folder)
    do {
      let recorder = try test.recorder(named: nil, options: recording)
      let dispatcher = Dispatcher(app.makeStores())
      dispatcher.use(recorder)
      try await scenario(dispatcher)
      try recorder.close()
      // `close()` does not throw if the log could not be begun.
      if let failure = recorder.failure { throw failure }
      // A new recording is kept only if it replays.
      if let problem = try await replay.problem(with: recorder.url) {
        _ = test.end(failed: true)
        return report(
          "\(url.shownPath): the new recording does not replay, and is not kept:\n\(problem.text)")
      }
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try copy(recorder.url, to: url)
    } catch {
      for message in test.end(failed: true).messages { settings.say(message) }
      throw error
    }
    settings.say(
      "recorded \(url.shownPath): it has \(recording.redaction.summary); look for secrets, then commit it"
    )
    test.end(failed: false).problems.forEach(report)
  }

  /// Copies a recording to the place that the test names, as a file that the user's mask permits others to read.
  private func copy(_ draft: URL, to url: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: draft))
    do throws(SystemError) {
      let path = try SymbolicLink.target(of: url.path)
      let permissions = try FileStatus(path: path)?.permissions
      let file = try UnfinishedFile(for: path, permissions: permissions)
      if let failure = file.descriptor.write(bytes).failure {
        file.discard()
        throw failure
      }
      try file.publish(replacesExisting: true)
    } catch {
      throw LogError(error, path: url.path)
    }
  }

  // MARK: Rules

  /// Reports the recordings of a folder that break a rule of a file.
  ///
  /// - Throws: `RuleError` with the line and the column of a mistake, and file errors.
  package func check(_ rules: String, of folder: String, listing: [String]?) throws {
    let file = url(rules)
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    try check(RuleSet(text, file: file.shownPath), of: folder, listing: listing)
  }

  /// Reports the recordings of a folder that break a rule.
  ///
  /// If `listing` is nil, all recordings in the folder are checked.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  package func check(_ rules: RuleSet, of folder: String, listing: [String]?) throws {
    let logs = recordings(in: url(folder), listing: listing)
    if rules.rules.isEmpty { report("there are no rules to check") }
    var check = RuleCheck(rules)
    check.check = { try Task.checkCancellation() }
    var checked: [CheckedLog] = []
    for segments in RuleCheck.recordings(of: logs.map(\.path)) {
      do {
        checked.append(try check.run(segments))
      } catch let error as CancellationError {
        throw error
      } catch {
        report("\(segments.first?.printable ?? ""): \("\(error)".printableLines())")
      }
    }
    checked.findVacuousRules()
    for log in checked
    where !log.damage.isEmpty || log.results.contains(where: { $0.verdict == .violated }) {
      let lines = log.lines { "swift run flux-inspect \($0.shellPath)" }
      report(lines.map(\.printable).joined(separator: "\n"))
    }
    for result in checked.first?.results ?? [] where result.verdict == .vacuous {
      settings.say("warning: the rule \(result.rule.name) was never triggered")
    }
  }
}

extension URL {
  /// Creates the URL of a path that may be relative to the folder of a source file.
  package init(_ path: String, besideSource file: String) {
    self.init(
      filePath: path, relativeTo: URL(filePath: file).deletingLastPathComponent())
    self = standardizedFileURL
  }

  /// The path for a message, with escapes for what a terminal or a CI service would obey.
  package var shownPath: String { path.printable }

  /// A message that the file at this URL has a problem.
  package func message(_ problem: String, _ error: any Error) -> String {
    "\(shownPath) \(problem): \("\(error)".printable)"
  }
}
