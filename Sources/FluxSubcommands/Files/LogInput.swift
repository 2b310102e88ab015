package import ArgumentParser
import FluxCommands
import FluxCorpus
import FluxExchange
package import FluxInspector
import FluxJSON
package import FluxLog
import FluxSystem
import Foundation

/// Opens what a user may name as a log: a log, a compressed one, standard input, a folder with one log, or a session of
/// Redux DevTools, which it imports.
///
/// Logs from standard input, compressed logs and imported sessions are read from a ``TemporaryLog``.
package struct LogInput: Sendable {
  /// The path that stands for standard input.
  package static let standardInput = "-"
  /// The log or session on standard input, which can be read once, and for which several parts of a command may ask.
  private static let received = Monitor<LogPlace?>(nil)

  private let environment: [String: String]
  private let limit: Int
  private let services: Services

  /// Makes an input, with services for interruption, progress and notes; PATH in the environment leads to `zstd`.
  ///
  /// The limit is the largest size of a temporary file in bytes, if half of the free space is not less.
  package init(
    _ services: Services = Services(noting: .error),
    environment: [String: String] = ProcessInfo.processInfo.environment,
    limit: Int = MemoryLimit.standard.unpackedByteCount
  ) {
    (self.services, self.environment, self.limit) = (services, environment, limit)
  }

  /// Opens a log.
  ///
  /// - Throws: `LogError` if it cannot be read, and `CommandError` if it cannot be decompressed, copied or imported, or
  ///   if a folder has none or several.
  package func open(_ path: String) throws -> LogFile {
    let place = try place(of: path)
    do throws(LogError) {
      return try LogFile.open(place)
    } catch {
      guard case .system("open", ENOENT) = error.reason,
        let meant = LogCollection.nearest(to: path), meant != path
      else { throw error }
      let why = "no such file; did you mean \(meant)?"
      throw LogError(path: error.path, reason: .cannotOpen(why: why))
    }
  }

  /// Opens a log; all errors are those of the log.
  package func opened(_ path: String) throws(LogError) -> LogFile {
    do {
      return try open(path)
    } catch let error as LogError {
      throw error
    } catch let error as CommandError {
      throw error.opening(path)
    } catch {
      throw LogError(path: path, reason: .cannotOpen(why: "\(error)"))
    }
  }

  /// Returns the file to read a log from; decompresses and imports the log if need be.
  ///
  /// - Throws: `CommandError`, and `LostOutput` if the note about an import cannot be written. A log that does
  ///   not exist is reported when it is opened.
  package func place(of path: String) throws -> LogPlace {
    try imported(unpacked(path == Self.standardInput ? path : onlyLog(in: path)))
  }

  /// Returns the file to import a session from; decompresses it if need be.
  ///
  /// - Throws: `CommandError` and `LogError` that name the file. A file that does not exist is reported when it is read.
  package func unpacked(_ path: String) throws -> LogPlace {
    // A command may ask for the files of a large folder one after the other.
    try checkInterruption()
    guard path == Self.standardInput else { return try decompressed(LogPlace(path)) }
    return try Self.received.withLock { received in
      if let received { return received }
      let name = LogPlace.standardInput
      let copy = try temporaryLog("\(name).jsonl", for: name) { write in
        try readStandardInput(write)
      }
      let place = try decompressed(LogPlace(name, storedAt: copy.path, keptBy: copy))
      received = place
      return place
    }
  }

  /// Imports a session of Redux DevTools; a note says so, and what it had to leave out.
  private func imported(_ place: LogPlace) throws -> LogPlace {
    guard ReduxSession.isLikely(in: place) else { return place }
    let name = URL(filePath: place.path).deletingPathExtension().lastPathComponent
    let copy = try TemporaryLog("\(name).jsonl")
    var subcommand = ImportSubcommand(place.path, to: copy.path)
    subcommand.place = { _, _ in place }
    let report = try subcommand.report(with: services)
    try services.note(
      "\(place.path) is a Redux DevTools session, and was imported as "
        + "\(report.steps.counted("step")); 'flux-inspect import' makes a log that stays")
    for loss in report.lost { try services.note("\(place.path): \(loss.sentence)") }
    return LogPlace(place.path, storedAt: copy.path, keptBy: copy)
  }

  /// The log in a folder; the path itself if it is no folder.
  private func onlyLog(in path: String) throws(CommandError) -> String {
    let logs = try LogCollection.paths([path])
    // A folder that stands for its logs cannot be listed now, either.
    if logs == [path], FileStatus.isFolder(at: path) { _ = try LogCollection.logs(in: path) }
    guard logs.count > 1 else { return logs[0] }
    let shown = logs.prefix(5).joined(separator: ", ")
    let more = logs.count > 5 ? ", and \(logs.count - 5) more" : ""
    throw CommandError(
      .usage, "\(path) is a folder with \(logs.count) logs, and this takes one log",
      hint: "name one of them: \(shown)\(more)")
  }

  // MARK: Temporary files

  private func readStandardInput(_ write: (ArraySlice<UInt8>) throws -> Void) throws {
    do {
      let input = try Descriptor(duplicating: 0)
      // Whoever started the program may have left its input without blocking.
      while let bytes = try input.read(until: services.isInterrupted) {
        try checkInterruption()
        try write(bytes[...])
      }
    } catch let error as SystemError {
      // The log is incomplete, so what was read of it must not pass for the whole.
      throw CommandError(error, "cannot read it")
    }
    try checkInterruption()
  }

  private func decompressed(_ place: LogPlace) throws -> LogPlace {
    guard let file = opened(place.storedPath), let form = Compression(of: file) else {
      return place
    }
    let name = URL(filePath: place.path).lastPathComponent
    let stem = Compression.extensions.reduce(name) { $0.dropping(suffix: $1) }
    let copy = try temporaryLog(stem, for: place.path) { write in
      switch form {
      case .gzip: try unzip(file, write)
      case .zstandard:
        try Zstandard(environment: environment).run(file) { bytes in
          try checkInterruption()
          try write(bytes)
        }
      }
    }
    return LogPlace(place.path, storedAt: copy.path, keptBy: copy)
  }

  private func unzip(
    _ file: Descriptor, _ write: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    let total = try file.status().size
    var read = 0
    var reader = GzipReader {
      try checkInterruption()
      guard case .bytes(let bytes) = file.receive() else { return [] }
      read += bytes.count
      services.progress(FluxInspector.Progress(activity: "decompressing", done: read, total: total))
      return bytes
    }
    try reader.run(write)
  }

  /// Makes a temporary log with the bytes that `body` writes; errors name the log `path`.
  private func temporaryLog(
    _ name: String, for path: String,
    _ body: (@escaping (ArraySlice<UInt8>) throws -> Void) throws -> Void
  ) throws -> TemporaryLog {
    func failure(_ why: String) -> LogError {
      LogError(path: path, reason: .cannotOpen(why: why))
    }
    do {
      let copy = try TemporaryLog(name)
      try copy.fill(limit: TemporaryLimit(limit, free: Self.freeSpace(for: copy)), body)
      return copy
    } catch let fault as CompressionFault {
      throw failure(fault.message)
    } catch let problem as Zstandard.Problem {
      // Ctrl-C ends that program as well.
      try checkInterruption()
      throw failure(problem.message)
    } catch let error as CommandError where error.code == .file {
      throw failure([error.message, error.advice].compactMap(\.self).joined(separator: "; "))
    }
  }

  private static func freeSpace(for log: TemporaryLog) -> Int {
    let folder = URL(filePath: log.path).deletingLastPathComponent().path(percentEncoded: false)
    do {
      let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder)
      return (attributes[.systemFreeSize] as? NSNumber)?.intValue ?? .max
    } catch {
      // If the disk is full, writing fails.
      return .max
    }
  }

  private func opened(_ path: String) -> Descriptor? {
    do throws(SystemError) {
      let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
      return try file.status().isRegular ? file : nil
    } catch {
      // Opening the log reports the reason.
      return nil
    }
  }

  private func checkInterruption() throws(CommandError) {
    guard !services.isInterrupted() else { throw CommandError.cancelled }
  }
}

/// The ways in which a log may be compressed, by the first bytes of the file.
private enum Compression {
  case gzip
  case zstandard

  static let extensions = [".gz", ".zst"]

  init?(of file: Descriptor) {
    var bytes = [UInt8](repeating: 0, count: 4)
    do {
      // The array outlives the call, which writes no more than it has.
      _ = try unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(into: $0, at: 0) }
    } catch {
      // Reading the log reports the reason.
      return nil
    }
    if bytes.starts(with: GzipReader.magic) {
      self = .gzip
    } else if bytes == Zstandard.magic {
      self = .zstandard
    } else {
      return nil
    }
  }
}

extension String {
  fileprivate func dropping(suffix: String) -> String {
    hasSuffix(suffix) && count > suffix.count ? String(dropLast(suffix.count)) : self
  }
}

// FluxInspector has a type of this name as well.
extension ArgumentParser.CompletionKind {
  /// Completes the paths of logs.
  package static var log: ArgumentParser.CompletionKind { .file(extensions: LogFolder.extensions) }
}
