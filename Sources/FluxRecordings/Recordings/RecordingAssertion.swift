package import FluxCore
import FluxLog
package import FluxRecorder
package import FluxReplay
package import FluxRules
import FluxSystem
package import Foundation

/// A call in a test that asserts something about recordings.
package struct RecordingAssertion {
  private let file: String
  private let bundle: Bundle?
  private let settings: TestSettings
  private let attach: nonisolated(nonsending) (URL) async throws -> Bool
  private let report: (String) -> Void

  /// Describes a call in a test's source `file`; paths are relative to its folder.
  ///
  /// With a `bundle`, its resources are read instead, and nothing in it is written. `attach` adds a file to the result of
  /// the test, and returns `false` if the test framework cannot. `report` reports a problem at the line of the call.
  package init(
    in file: String, bundle: Bundle? = nil, settings: TestSettings = .current,
    attach: nonisolated(nonsending) @escaping (URL) async throws -> Bool = { _ in false },
    report: @escaping (String) -> Void
  ) {
    self.file = file
    self.bundle = bundle
    self.settings = settings
    self.attach = attach
    self.report = report
  }

  /// The URL of a path from the folder of the test's source, or from the bundle.
  private func url(_ path: String) -> URL {
    guard let bundle else { return URL(path, besideSource: file) }
    return (bundle.resourceURL ?? bundle.bundleURL).appending(path: path).standardizedFileURL
  }

  private func mayUpdate(_ updates: Bool) -> Bool {
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
      guard mayUpdate(updates), problem.isDivergence else {
        report(problem.text + problem.remedy)
        continue
      }
      do {
        try await update(url, replay)
      } catch let error as CancellationError {
        throw error
      } catch {
        report("\(problem.text)\n\("\(error)".printableLines())")
      }
    }
  }

  /// Updates a recording in its place; where that cannot be written, adds the new one to the test's result.
  private nonisolated(nonsending) func update(_ url: URL, _ replay: RecordingReplay) async throws {
    guard !canWrite(url) else {
      try await replay.update(url, to: url)
      return settings.say("updated \(url.shownPath)")
    }
    let new = try draft(of: url)
    try await replay.update(url, to: new)
    report(
      """
      \(url.shownPath): the recording cannot be updated in its place, which is read-only; \
      \(try await kept(new)); put it beside the test's source, and commit it
      """)
  }

  /// `true` if a file can be written: it is not in a bundle, and its folder, or the one in which that is missing, is writable.
  private func canWrite(_ url: URL) -> Bool {
    if bundle != nil { return false }
    var folder = url.deletingLastPathComponent()
    while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path) {
      folder = folder.deletingLastPathComponent()
    }
    return FileManager.default.isWritableFile(atPath: folder.path)
  }

  /// Returns a place for a new recording that is not written in its own.
  private func draft(of url: URL) throws -> URL {
    try TestFolder.make("new-\(UUID().uuidString.lowercased())", in: settings.folder)
      .appending(path: url.lastPathComponent)
  }

  /// Adds a new recording to the test's result, and removes the file; returns where the recording is, in words.
  private nonisolated(nonsending) func kept(_ draft: URL) async throws -> String {
    guard try await attach(draft) else { return "the new one is \(draft.shownPath)" }
    try TestFolder.remove(draft.deletingLastPathComponent())
    return "the new one is attached to the result of this test"
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
      let next =
        bundle == nil
        ? "a relative path begins in the folder of the test's source"
        : "copy it into the bundle: add .copy(\"\(folder.lastPathComponent)\") to the resources of the test target"
      report(
        "\(folder.shownPath): the folder cannot be read: \(error.localizedDescription.printable); \(next)"
      )
      return []
    }
    let expected = listing ?? found
    // A name that lacks its ending must not make a recording look obsolete.
    var meant: Set<String> = []
    for name in expected where !found.contains(name) {
      let whole = "\(name).jsonl"
      guard !found.contains(whole) else {
        meant.insert(whole)
        report(
          "\(folder.appending(path: name).shownPath): there is no such file; write \(whole) in the test's list"
        )
        continue
      }
      report(
        """
        \(folder.appending(path: name).shownPath): the recording is missing; \
        \(settings.isCI ? "commit it" : "record it"), or take it off the test's list
        """)
    }
    for name in found where !expected.contains(name) && !meant.contains(name) {
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
  /// The scenario is recorded if the recording is missing, or if it does not replay and may be updated. Nothing is written
  /// under CI. A recording that was missing is a problem once, unless updates are asked for: not every CI service passes `CI`
  /// to the process, and there the test would record whatever the app does, and pass.
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
      guard mayUpdate(updates) else { return report(problem.text + problem.remedy) }
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
      try await keep(
        recorder.url, as: url, recording.redaction.summary, isAsked: mayUpdate(updates))
    } catch {
      for message in test.end(failed: true).messages { settings.say(message) }
      throw error
    }
    test.end(failed: false).problems.forEach(report)
  }

  /// Puts a new recording in its place; where that cannot be written, adds it to the test's result.
  private nonisolated(nonsending) func keep(
    _ recording: URL, as url: URL, _ contents: String, isAsked: Bool
  ) async throws {
    let advice = "it has \(contents); look for secrets, then commit it"
    guard canWrite(url) else {
      let new = try draft(of: url)
      try copy(recording, to: new)
      return report(
        """
        \(url.shownPath): the recording cannot be written there; \(try await kept(new)): \(advice) \
        beside the test's source
        """)
    }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try copy(recording, to: url)
    guard !isAsked else { return settings.say("recorded \(url.shownPath): \(advice)") }
    report(
      """
      \(url.shownPath): the recording was missing, so nothing was tested; this run has recorded it: \(advice), \
      and run the test again
      """)
  }

  /// Copies a recording to the place that the test names, as a file that the user's mask permits others to read.
  private func copy(_ draft: URL, to url: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: draft))
    try LogError.naming(url.path) { () throws(SystemError) in
      let path = try SymbolicLink.target(of: url.path)
      let permissions = try FileStatus(path: path)?.permissions
      let file = try UnfinishedFile(for: path, permissions: permissions)
      if let failure = file.descriptor.write(bytes).failure {
        file.discard()
        throw failure
      }
      try file.publish(replacesExisting: true)
    }
  }

  // MARK: Rules

  /// Reports the recordings of a folder that break a rule of a file.
  ///
  /// - Throws: `RuleError` with the line and the column of a mistake, `LogError` if the file cannot be read, and
  ///   `CancellationError` if the task is cancelled.
  package func check(_ rules: String, of folder: String, listing: [String]?) throws {
    let file = url(rules)
    let bytes = try LogError.naming(file.shownPath) { () throws(SystemError) in
      try Descriptor(opening: file.path, O_RDONLY).read(upTo: .max)
    }
    let text = String(decoding: bytes, as: UTF8.self)
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
    checked.finish()
    for log in checked
    where !log.damage.isEmpty || log.results.contains(where: { $0.verdict == .violated }) {
      let lines = log.lines { "swift run flux-inspect \($0.shellPath)" }
      report(lines.map(\.printable).joined(separator: "\n"))
    }
    for warning in checked.first?.results.flatMap(\.warnings) ?? [] {
      settings.say("warning: \(warning)")
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

  package func message(_ problem: String, _ error: any Error) -> String {
    "\(shownPath) \(problem): \("\(error)".printable)"
  }
}
