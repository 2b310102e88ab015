import FluxSystem
import Foundation

/// Ends a host whose other side has gone while it was at a step that never ends.
///
/// A host that reads notices by itself; one that is caught in a reducer would run on for ever, as it is
/// in a process group of its own and hears of nothing.
struct LonelinessWatch {
  /// How long a host may go on with what it is at: enough to end a step and write what there is.
  private static let grace: TimeInterval = 10

  private let input: Descriptor

  init(_ input: Descriptor) { self.input = input }

  func begin() {
    let thread = Thread { [input] in
      input.waitForHangUp()
      Thread.sleep(forTimeInterval: Self.grace)
      // Not `exit`, which waits for what other threads have locked.
      _exit(1)
    }
    thread.name = "replay host watch"
    thread.start()
  }
}
