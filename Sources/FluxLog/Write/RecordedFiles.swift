import FluxSystem

/// The files of a recording, for threads that read them while it continues.
///
/// The thread that writes the log adds files and the last step that can end an excerpt.
final class RecordedFiles: Sendable {
  /// A file of the recording.
  enum Source: Sendable {
    case file(path: String)
    case memory(MemoryFile)
  }

  private struct State {
    /// The files, the newest one last.
    var sources: [Source]
    var finished: UInt64?
  }

  /// The path that messages name for a log that is only in memory.
  static let memoryPath = "(in memory)"

  private let state: Monitor<State>

  /// Creates the list with the first file.
  init(_ source: Source) {
    state = Monitor(State(sources: [source]))
  }

  /// The path of the newest file.
  var path: String {
    guard case .file(let path) = state.withLock({ $0.sources.last }) else { return Self.memoryPath }
    return path
  }

  /// The last written step after which no follow-up is due; `nil` if there is none.
  var finished: UInt64? { state.withLock { $0.finished } }

  /// Takes note that the recording continues in another file.
  func add(_ source: Source) {
    state.withLock { $0.sources.append(source) }
  }

  /// Takes note that the oldest file was deleted.
  func removeOldest() { state.withLock { state in _ = state.sources.removeFirst() } }

  func finish(_ step: UInt64?) { state.withLock { $0.finished = step } }

  /// Opens all files that are still there, oldest first.
  ///
  /// An open file can be read to its end even if it is deleted meanwhile.
  func opened() throws(LogError) -> [OpenFile] {
    var files: [OpenFile] = []
    for source in state.withLock({ $0.sources }) {
      switch source {
      case .memory(let memory): files.append(OpenFile(memory, path: Self.memoryPath))
      case .file(let path):
        do throws(LogError) {
          files.append(try OpenFile(reading: path))
        } catch {
          guard case .system("open", ENOENT) = error.reason else { throw error }
          // Only the oldest files are deleted, so those before it are gone, too.
          files = []
        }
      }
    }
    return files
  }
}
