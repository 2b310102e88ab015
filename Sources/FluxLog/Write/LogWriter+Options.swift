import FluxJSON
import FluxSystem
import Foundation

extension LogWriter {
  /// The durability, limits and hooks of a log.
  public struct Options: Sendable {
    /// The moment from which a step survives a crash.
    public enum Durability: Sendable, Hashable {
      /// Actions are logged before their reducers run, so an action that crashes the app is known.
      ///
      /// The line is written soon after the step. Survives a crash of the app.
      case ahead
      /// The line is written soon after the step. A crash of the app loses the last milliseconds.
      case buffered
      /// Like `ahead`, and `append` returns when the line is on the disk.
      ///
      /// Survives a crash of the machine. Every step waits for the disk.
      case synced
    }

    /// The form in which states are written.
    public enum States: Sendable, Hashable {
      /// Whole, or as a patch to the previous state, whichever is smaller.
      case adaptive
      /// Always whole.
      case full
    }

    /// The reaction when the app is faster than the disk.
    public enum Overflow: Sendable, Hashable {
      /// States are left out, and the app never waits for one to be encoded.
      ///
      /// A step that finds no room is still written. In exchange, older waiting states of its
      /// stores are left out of the log, the oldest first; their steps say so. The newest state of each
      /// store is always written, so a log never ends with an unknown one. Replay rebuilds the others.
      ///
      /// Actions are kept as long as they fit in the file of actions in flight, and at most 16,384 steps
      /// wait, or 16 times ``queueCapacity`` if that is more. Further steps are dropped, and the log gets a
      /// gap.
      ///
      /// States with redacted places are never left out, because the rewriter must see them, and
      /// none are if the app uses `Secret`. If such states fill the queue, the app waits.
      case thin
      /// The app waits until a 32nd of the queue is free: one step of large states, or 32 small ones.
      case block
      /// Steps are dropped; the log gets a gap.
      ///
      /// A rewriter still sees dropped steps, because it may have to hide their values in
      /// later lines. It does so on the app's thread, which takes as long as encoding the step.
      case drop
    }

    /// The minimum that a flight recorder keeps, in several files that are complete logs.
    ///
    /// Each file has a quarter of it. The oldest file is deleted when the others without the newest have enough, so the
    /// files have up to half as much again, or more if single steps are large. A file begins with a step that is no follow-up,
    /// so it can be verified alone; only a chain of steps that would double the file is cut.
    public enum Retention: Sendable, Hashable {
      /// A number of bytes.
      case bytes(Int)
      /// A number of steps.
      case steps(Int)
    }

    /// The rule for a log that is already at the path.
    ///
    /// A recorder always begins its own log and never appends to another one. A flight recorder
    /// numbers all its segments. With ``number``, it begins after the last existing segment and
    /// leaves all of them alone. A second flight recorder at the path always fails with
    /// ``LogError/Reason/locked``.
    public enum Existing: Sendable, Hashable {
      /// Keeps the log under a number: `todo.jsonl` becomes `todo~1.jsonl`, or the number above the
      /// largest that is there, together with its actions in flight.
      ///
      /// If another recorder is writing the log, the log stays and the new one gets the number;
      /// ``LogWriter/path`` is its path.
      case number
      /// Removes the log once the new one has its header; with a flight recorder, all segments.
      ///
      /// Fails with ``LogError/Reason/locked`` if another recorder is writing the log. If the new
      /// log cannot be begun, nothing is removed.
      case replace
      /// Fails with ``LogError/Reason/exists``, or with ``LogError/Reason/locked`` if another
      /// recorder is writing the log.
      case refuse
    }

    /// The time for which a recorder holds the locks of its files.
    public enum Locking: Sendable, Hashable {
      /// ``held``, or ``released`` in the container of an app group on iOS and the systems derived from it.
      case automatic
      /// While it records, so no other recorder writes or deletes the log.
      case held
      /// Only while it creates a file.
      ///
      /// iOS ends a suspended app that holds a lock in the container of an app group.
      case released
    }

    /// The way in which actions in flight reach their file.
    public enum Ring: Sendable, Hashable {
      /// ``mapped``, or ``written`` on file systems that copy on write or are on a network.
      case automatic
      /// Through a memory map, without a system call.
      ///
      /// If another program shortens the file, the app can end with SIGBUS: the recorder notices a
      /// cut after each batch of steps and before the first action after a pause, but not one that
      /// comes directly before an action. On a file system that copies on write, a full disk has the
      /// same effect.
      case mapped
      /// With two system calls for each action, which take about 4 µs more.
      ///
      /// No change of the file or the disk can end the app.
      case written
    }

    /// The moment from which a step survives a crash.
    public var durability = Durability.ahead
    /// The form in which states are written.
    public var states = States.adaptive
    /// The reaction when the app is faster than the disk; ``Overflow/usual`` by default.
    public var overflow = Overflow.usual
    /// The number of steps that may wait with their states; fewer if ``queueByteCount`` has no room for their states.
    public var queueCapacity = 1024
    /// The approximate size of the states that may wait; a waiting step holds the states it changed.
    ///
    /// Each step counts as the largest state that the log has last, measured by its text. Two steps
    /// may always wait, unless ``queueCapacity`` is smaller. Steps that the writing thread has
    /// taken count as well, apart from the one that it is writing.
    public var queueByteCount = 32 << 20
    /// The minimum that a flight recorder keeps; `nil` for one file that keeps everything.
    public var retention: Retention?
    /// The rule for a log that is already at the path.
    public var existing = Existing.number
    /// The time for which the locks of the files are held.
    public var locking = Locking.automatic
    /// The size of the file of actions in flight, in bytes; at most 64 MB, and less if the disk has no
    /// room for it.
    public var inFlightByteCount = 1 << 20 {
      didSet { inFlightByteCount = min(inFlightByteCount, InFlightRecord.largestRing) }
    }
    /// The way in which actions in flight reach their file.
    public var ring = Ring.automatic
    /// Changes actions and states before they are kept anywhere.
    package var rewriter: (any ValueRewriter)?
    /// The `userInfo` that the app's types find in the encoders of the writing thread.
    package var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// Called on any thread with the failure that ends recording, with the first of each series of steps that cannot be
    /// encoded, and with each problem of the actions in flight.
    ///
    /// A step that cannot be encoded becomes part of a gap, and ``LogWriter/failure`` stays `nil`. On the writing thread,
    /// `flush()` and `close()` do not wait, because they would wait for the calling thread.
    public var onFailure: (@Sendable (LogError) -> Void)?
    /// `true` to remember the elements of arrays, and to encode only those that changed.
    package var remembersElements = true
    /// Called once by the writing thread for each type of elements that could not be remembered,
    /// because one had a wrong text.
    package var onMismatch: (@Sendable (_ store: String, _ elementType: String) -> Void)?
    /// The size of a segment; `nil` for a quarter of ``retention``.
    package var segmentByteCount: Int?
    /// Called with the path of each new file once its header is on the disk.
    package var housekeeping: (@Sendable (_ current: String) -> Void)?
    /// Calls its argument, which is the work of the writing thread, on that thread.
    package var runWriting: @Sendable (() -> Void) -> Void = { $0() }
    /// Called by the writing thread after each step of a rotation to the segment at `path`.
    var onRotation: (@Sendable (SegmentedSink.RotationStep, _ path: String) -> Void)?

    /// Creates the default options.
    public init() {}
  }
}

extension LogWriter.Options.Overflow {
  /// ``thin`` in an app with a user interface, which should not wait for the disk; ``block`` in tests and command-line
  /// programs, whose logs should have every state.
  ///
  /// A process has a user interface if its executable is in a bundle of an app or of an app extension, and no tests run in
  /// it. An app that is built without a bundle sets the option itself.
  public static let usual = choice(
    executable: CommandLine.arguments.first ?? "", environment: ProcessInfo.processInfo.environment)

  static func choice(executable: String, environment: [String: String]) -> Self {
    let isTest = ["XCTestBundlePath", "XCTestConfigurationFilePath"].contains {
      environment[$0] != nil
    }
    let isInBundle = executable.split(separator: "/").dropLast().contains { folder in
      folder.hasSuffix(".app") || folder.hasSuffix(".appex")
    }
    return isInBundle && !isTest ? .thin : .block
  }
}

extension LogWriter.Options {
  /// Creates the memory of a store's elements; `nil` if they are not remembered.
  var makeMemory: StateLedger.MakeMemory? {
    guard remembersElements else { return nil }
    let onMismatch = onMismatch
    return { store in
      StateMemory { elementType in onMismatch?(store, elementType) }
    }
  }

  /// Returns the number of steps that the writing thread takes at once.
  ///
  /// States that it has taken cannot be left out any more, so it takes large ones one by one.
  static func batchLimit(stateByteCount: Int) -> Int {
    isLarge(stateByteCount: stateByteCount)
      ? 1 : min(128, max(1, (1 << 20) / max(1, stateByteCount)))
  }

  /// `true` for a state that is handled on its own.
  static func isLarge(stateByteCount: Int) -> Bool { stateByteCount > 1 << 16 }

  /// The number of steps that may wait if their states are left out: an action is small.
  var actionCapacity: Int { 16 * min(max(1024, queueCapacity), Int.max / 16) }

  /// Returns the number of steps that may wait if each holds a state of `stateByteCount`.
  ///
  /// At least two: the writing thread should find one step when it has written another.
  func queueLimit(stateByteCount: Int) -> Int {
    min(max(1, queueCapacity), max(2, queueByteCount / max(1, stateByteCount)))
  }
}

extension LogWriter.Options.Locking {
  /// `true` if a recorder at the path holds its locks while it records.
  func isHeld(at path: String) -> Bool {
    switch self {
    case .held: true
    case .released: false
    case .automatic: !SharedContainer.suspendsLockHolders(at: path)
    }
  }
}
