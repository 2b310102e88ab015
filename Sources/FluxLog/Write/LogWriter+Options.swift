extension LogWriter {
  /// How a log is written.
  public struct Options: Sendable {
    /// What of a step is safe, and when.
    public enum Durability: Sendable, Hashable {
      /// The action is noted before its reducers run, so that one that crashes the app is known.
      /// The line is written soon after the step. Survives a crash of the app.
      case ahead
      /// The line is written soon after the step. A crash of the app loses the last milliseconds.
      case buffered
      /// As `ahead`, and the line is on the disk when the step is handed over: survives a crash of
      /// the machine. Costs a wait for the disk at every step.
      case synced
    }

    /// How states are written.
    public enum States: Sendable, Hashable {
      /// Whole, or as a patch to the previous state, whichever is smaller.
      case adaptive
      /// Whole always.
      case full
    }

    /// What happens when the app is faster than the disk.
    public enum Overflow: Sendable, Hashable {
      /// The app waits.
      case block
      /// Steps are dropped; the log gets a gap.
      ///
      /// A ``rewriter`` sees them all the same, on the thread that hands them over, which takes as long as to encode
      /// them: what it has to keep out of later lines may stand in them.
      case drop
    }

    /// How much a flight recorder keeps: at least that, in several files, each a log of its own.
    ///
    /// A file has a quarter of it. The next one begins with a step that follows up no other, so that each can be
    /// verified alone; only a chain of steps that would make a file twice as large is cut.
    public enum Retention: Sendable, Hashable {
      /// So many bytes.
      case bytes(Int)
      /// So many steps.
      case steps(Int)
    }

    /// The rule for a log that is already at the path.
    ///
    /// A recorder always begins a log of its own, and never appends to another one. A flight recorder
    /// numbers all its segments, so with ``number`` it begins after the last segment that is there, and leaves
    /// that and all others alone.
    public enum Existing: Sendable, Hashable {
      /// Keeps the log under a number: `todo.jsonl` becomes `todo~1.jsonl`, or the number above the largest
      /// that is there, together with its actions in flight.
      ///
      /// A log that another recorder is writing stays where it is. The new log gets the number instead, and
      /// ``LogWriter/path`` tells which.
      case number
      /// Removes the log once the new one has its header; with a flight recorder, all segments.
      ///
      /// Fails with ``LogError/Reason/locked`` if another recorder is writing the log. If the new log cannot be
      /// begun, nothing is removed; the earlier log is then at a numbered name.
      case replace
      /// Fails with ``LogError/Reason/exists``, or ``LogError/Reason/locked`` if another recorder is writing the
      /// log.
      case refuse
    }

    /// What of a step is safe, and when.
    public var durability = Durability.ahead
    /// How states are written.
    public var states = States.adaptive
    /// What happens when the app is faster than the disk.
    public var overflow = Overflow.block
    /// How many steps may wait to be written: fewer where ``queueByteCount`` has no room for their states.
    public var queueCapacity = 1024
    /// How many bytes of states may wait to be written, about: a step that waits holds the states that it changed.
    ///
    /// The largest state that the log has last, by its text, is taken for what a step holds; two steps may wait however
    /// large it is, or as many as ``queueCapacity`` says where those are fewer. As many again can be held by the
    /// steps that are being written.
    public var queueByteCount = 64 << 20
    /// What the flight recorder keeps; nil for one file that keeps everything.
    public var retention: Retention?
    /// The rule for a log that is already at the path.
    public var existing = Existing.number
    /// The size of the file of actions in flight, in bytes.
    public var inFlightByteCount = 1 << 20
    /// Changes actions and states before they are kept anywhere.
    public var rewriter: ValueRewriter?
    /// Called with each failure, on any thread: with the one that ends the recording, and for each value that
    /// cannot be encoded.
    ///
    /// It must not wait for the writer, by `flush()` or `close()`: the thread that calls it is the one that they
    /// wait for.
    public var onFailure: (@Sendable (LogError) -> Void)?
    /// Called by the writing thread after each step of going on in the segment of that path.
    var onRotation: (@Sendable (SegmentedSink.RotationStep, _ path: String) -> Void)?

    /// The usual options.
    public init() {}
  }
}
